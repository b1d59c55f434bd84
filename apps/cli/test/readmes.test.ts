import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { stage } from './e2e/stage/stage.ts'
import { PlainTalk } from './interactive/stage/plain-talk.ts'
import { wordsOf } from './written/documented-lines.ts'
import { isBuilt, packages, programsIn, ran, root, type Runner } from './programs.ts'

const readmes = ['.', 'apps/cli', ...packages.map((name) => `packages/${name}`)]

/** What the programs of a README print, in one string; one by one where there are several. */
const printed: Readonly<Record<string, string | RegExp>> = {
  '.': '',
  'packages/agent': /tool\.started[^]*check\.finished[^]*\nThe file is written\. verified\n$/,
  'packages/backends':
    /^ollama\/scripted[^]*model: 'ollama\/scripted'[^]*\nHello\.\nstop \{ inputTokens: 9, outputTokens: 2 \}\n$/,
  'packages/compaction': /^[1-9]\d{3,}\n\[COMPACTED CONTEXT\]\n[^]*\n- Never push to main\.\n/,
  'packages/foreign-sessions':
    /^session\.opened, session\.claimed, input\.queued, turn\.started, .*, session\.imported \[\n {2}'System prompts/,
  'packages/extensions': "[ 'read', 'grep' ]\n",
  'packages/mcp': 'tiny__greet unknown Hello!\n',
  'packages/readings': /^\[ 'Create hello\.txt' \]\n\[ \{ inputId: 'in_1', text: 'Create hello\.txt' \} \] open\n$/,
  'packages/session-core': '3 []\n',
  'packages/session-fs': 'Create hello.txt\n',
  'packages/tools':
    'write true --- /dev/null\n+++ hello.txt\n@@ -0,0 +1,1 @@\n+Hello\n\n' +
    'Edited hello.txt at line 1; matched exactly.\nBye\n\n',
  'packages/workflow': 'rest\ntake_input\n',
  'packages/workspace': /^node passed diff --git a\/result\.txt b\/result\.txt\n[^]*\+checked\n\n$/,
}

/** Test harness has TypeScript, and session-postgres needs a server: their own tests run what they show. */
const shownElsewhere = ['test-harness', 'session-postgres']

const programs = readmes
  .filter((folder) => !shownElsewhere.includes(folder.replace('packages/', '')))
  .flatMap((folder) => programsIn(readmeOf(folder)).map(({ text }) => ({ folder, program: text })))

test('every package shows one program', () => {
  const shown = programs.map(({ folder }) => folder).toSorted()
  expect(shown).toEqual([
    '.',
    ...packages.filter((name) => !shownElsewhere.includes(name)).map((name) => `packages/${name}`),
  ])
  expect(Object.keys(printed).toSorted()).toEqual(shown)
})

test.each(readmes.filter((folder) => folder !== '.'))('the README of %s stays within 40 lines', (folder) => {
  expect(readmeOf(folder).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('the README of the project stays within 60 lines', () => {
  expect(readmeOf('.').trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

test.each(programs)('the program in the README of $folder stays within 20 lines', ({ program }) => {
  expect(program.split('\n').filter((text) => text !== '').length).toBeLessThanOrEqual(20)
})

test.each(sample(programs, { quick: 2, ci: 6 }))(
  'the program in the README of $folder runs, and prints what it says',
  async (shown) => expectOutput(shown, 'sources'),
)

// Nothing of the language that only a newer Node has, and nothing that is not published.
test.runIf(fromCi && isBuilt).each(programs)(
  needing(
    !isBuilt && 'the packages are not built',
    'the program in the README of $folder runs on the Node of the machine',
  ),
  async (shown) => expectOutput(shown, 'built'),
)

async function expectOutput(
  { folder, program }: { readonly folder: string; readonly program: string },
  runner: Runner,
): Promise<void> {
  let { status, stdout, stderr } = await ran(program, runner)
  // It gives a server a few seconds to answer, which is not always enough where a machine is busy.
  while (folder === 'packages/backends' && !stdout.startsWith('ollama/scripted'))
    ({ status, stdout, stderr } = await ran(program, runner))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const expected = printed[folder] ?? /no program without a look at what it prints/
  if (typeof expected === 'string') expect(stdout).toBe(expected)
  else expect(stdout).toMatch(expected)
}

const key = 'sk-good-0123456789abcdef'

const machines = [
  { what: 'a server of models', machine: { variables: (url: string) => ({ OLLAMA_HOST: url }) } },
  {
    what: 'a key',
    machine: {
      key,
      variables: (url: string) => ({ OLLAMA_HOST: '127.0.0.1:9', ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
    },
  },
]

describe('the shell lines of the README of the project', () => {
  const lines = readmeOf('.')
    .split('\n')
    .filter((text) => text.startsWith('    '))
    .map((text) => (text.split(/\s+#/)[0] ?? '').trim())
  const [npx, others] = [lines.filter((one) => one.startsWith('npx')), lines.filter((one) => !one.startsWith('npx'))]

  test('start and test it with the version of pnpm that it is made with', () => {
    const { packageManager, scripts } = manifestOf('.')
    expect(npx.length).toBeGreaterThan(0)
    for (const one of npx) {
      const [, manager, script = ''] = /^npx -y (pnpm@[\d.]+) (\w+)$/.exec(one) ?? [one]
      expect(packageManager?.split('+')[0]).toBe(manager)
      expect(scripts?.[script]).toMatch(/\S/)
    }
  })

  test('install the package that brings the command', () => {
    const { name, bin } = manifestOf('apps/cli')
    expect(others[0]).toBe(`npm i -g ${name}`)
    expect(Object.keys(bin ?? {})).toEqual(['loader'])
  })

  test.each(machines)('do a task and go on with it the next day, on a machine with $what', async ({ machine }) => {
    const files = {
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'sum.mjs': sum,
      'sum.test.mjs': sumTest,
    }
    const [, first = '', next = ''] = others
    expect(others).toHaveLength(3)
    const lines = [line('I see.', edit), { ...line('It is fixed.'), repeat: 'any' } as const]
    await using begun = await PlainTalk.begin({ lines, words: wordsOf(first), model: null, files, machine })
    await begun.hear('or Enter for 1: ')
    begun.say('')
    await begun.hear('It is fixed.')
    await begun.hear('done, verified')
    await begun.hear('> ')
    begun.hangUp()
    expect(await begun.ended).toBe(0)
    expect(readFileSync(begun.workspace.path('sum.mjs'), 'utf8')).toContain('a + b')

    const { workspace } = begun
    await using later = await PlainTalk.begin({
      lines: lines.slice(1),
      words: wordsOf(next),
      model: null,
      workspace,
      machine,
    })
    await later.hear('Fix the failing test')
    await later.hear('> ')
    later.say('Thanks!')
    await later.hear('It is fixed.')
    expect((await later.store.list()).rows).toHaveLength(1)
  })

  test.runIf(fromCi)('go on where it was after a crash', async () => {
    await using one = await stage(
      line('I see.', edit),
      { text: 'I have', chunks: 'word', fault: { type: 'stall', after: 1 } },
      line('It is fixed.'),
    )
    one.write('package.json', '{ "scripts": { "test": "node --test" } }')
    one.write('sum.mjs', sum)
    one.write('sum.test.mjs', sumTest)
    const [, first = '', next = ''] = others
    const begun = one.start(wordsOf(first))
    await one.server.untilAsked(2)
    begun.process.kill('SIGKILL')
    await begun.ended
    expect(await one.run(wordsOf(next))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^It is fixed\.\n[^]*PASS/),
    })
    expect(await one.sessions()).toHaveLength(1)
    one.server.assertDone()
  })
})

const sum = 'export const sum = (a, b) => a - b\n'
const edit = call('edit', { file_path: 'sum.mjs', old_string: 'a - b', new_string: 'a + b' })
const sumTest = `
import { test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sum } from './sum.mjs'
test('it adds', () => equal(sum(1, 2), 3))
`

function readmeOf(folder: string): string {
  return readFileSync(join(root, folder, 'README.md'), 'utf8')
}

function manifestOf(folder: string) {
  return Manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
}

const words = z.record(z.string(), z.string()).optional()
const Manifest = z.object({ name: z.string(), packageManager: z.string().optional(), scripts: words, bin: words })
