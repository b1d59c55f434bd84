import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'

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

test.each(sample(names, { quick: 1 }))('%s runs', async (name) => {
  await using workspace = await temporaryWorkspace()
  const { NODE_TEST_CONTEXT: _context, ...environment } = process.env
  const ran = spawnSync(process.execPath, ['--conditions=@loader/source', join(folder, name)], {
    cwd: workspace.root,
    // Examples start processes of their own, which have to find the same sources.
    env: {
      ...environment,
      NO_COLOR: '1',
      NODE_OPTIONS: '--conditions=@loader/source --disable-warning=ExperimentalWarning',
    },
    encoding: 'utf8',
  })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
  expect(ran.stdout).toMatch(shown[name] ?? /no example without a look at what it prints/)
})
