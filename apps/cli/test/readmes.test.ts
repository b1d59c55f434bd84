import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Stage, stage } from './e2e/stage/stage.ts'
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

test.each(programs)('the program in the README of $folder stays within 20 lines', ({ program }) => {
  expect(program.split('\n').filter((text) => text !== '').length).toBeLessThanOrEqual(20)
})

test.each(sample(programs, { quick: 2 }))(
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

  test.runIf(fromCi)(
    'do a task, and go on where it was, also after a crash and on a machine where no model was chosen',
    async () => {
      await using one = await stage(
        line('I see.', call('edit', { file_path: 'sum.mjs', old_string: 'a - b', new_string: 'a + b' })),
        { text: 'I have', chunks: 'word', fault: { type: 'stall', after: 1 } },
        line('It is fixed.'),
      )
      one.write('package.json', '{ "scripts": { "test": "node --test" } }')
      one.write('sum.mjs', 'export const sum = (a, b) => a - b\n')
      one.write('sum.test.mjs', sumTest)
      const [, first = '', next = ''] = others
      expect(others).toHaveLength(3)
      const begun = one.start(wordsOf(first), bare)
      await one.server.untilAsked(2)
      begun.process.kill('SIGKILL')
      await begun.ended
      expect(await one.run(wordsOf(next), bare)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^It is fixed\.\n[^]*PASS/),
      })
      expect(one.server.requests.map(({ request }) => request?.model)).toEqual(Array(3).fill('qwen3:8b'))
      expect(await sessionsOf(one)).toBe(1)
      one.server.assertDone()
    },
  )
})

const sumTest = `
import { test } from 'node:test'
import { equal } from 'node:assert/strict'
import { sum } from './sum.mjs'
test('it adds', () => equal(sum(1, 2), 3))
`

const bare = { environment: { LOADER_MODEL: '' } }

async function sessionsOf(one: Stage): Promise<number> {
  return (await one.sessions()).length
}

/** The words behind `loader`, as a shell reads them; there is nothing in them but plain and quoted words. */
function wordsOf(command: string): string[] {
  const [loader, ...words] = [...command.matchAll(/"([^"$`\\]*)"|([\w/:@.-]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  expect(loader).toBe('loader')
  return words
}

function readmeOf(folder: string): string {
  return readFileSync(join(root, folder, 'README.md'), 'utf8')
}

function manifestOf(folder: string) {
  return Manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
}

const words = z.record(z.string(), z.string()).optional()
const Manifest = z.object({ name: z.string(), packageManager: z.string().optional(), scripts: words, bin: words })
