import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing, sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { environmentOf, isBuilt, nodeOf, type Runner } from './programs.ts'

const folder = fileURLToPath(new URL('../../../examples', import.meta.url))

/** What each of them shows, among all that it prints. */
const shown: Readonly<Record<string, string | RegExp>> = {
  'custom-store.mjs': /^(\d+) of \1 promises are kept\.$/m,
  'custom-tool.mjs': 'order wants to: order 5 apples',
  'durable-session.mjs': 'Create hello.txt',
  'first-session.mjs': 'The turn ended: interrupted.',
  'own-agent.mjs': 'letters.txt has 1 letter.',
  'testing-your-agent.mjs': /^(?:# |ℹ )pass 5$/m,
}

const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

test.each(sample(names, { quick: 1 }))('%s runs', async (name) => expectShown(name, 'sources'))

test.runIf(fromCi && isBuilt).each(names)(
  needing(!isBuilt && 'the packages are not built', '%s runs on the Node of the machine'),
  async (name) => expectShown(name, 'built'),
)

async function expectShown(name: string, runner: Runner): Promise<void> {
  await using workspace = await temporaryWorkspace()
  const ran = spawnSync(nodeOf[runner], [join(folder, name)], {
    cwd: workspace.root,
    env: { ...environmentOf(runner), NO_COLOR: '1' },
    encoding: 'utf8',
  })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
  expect(ran.stdout).toMatch(shown[name] ?? /no example without a look at what it prints/)
}
