import { call, line, type ScriptedCall } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { ResultLine } from '../../src/schemas/runs.ts'
import { stage } from './stage/stage.ts'

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.js': 'export const sum = (a, b) => a - b\n',
  'test/sum.test.js':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from '../src/sum.js'\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
}
const fix = call('write', { file_path: 'src/sum.js', content: files['src/sum.js'].replace('-', '+') })
const lie = call('write', {
  file_path: 'test/sum.test.js',
  content: files['test/sum.test.js'].replace(', 3)', ', -1)'),
})
const note = call('write', { file_path: 'notes.md', content: '# Notes\n' })

interface Row {
  readonly what: string
  readonly calls: readonly ScriptedCall[]
  readonly words?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly code: number
  readonly loader: object
}

const rows: readonly Row[] = [
  {
    what: 'a fix',
    calls: [fix],
    code: 0,
    loader: { verdict: 'verified', judgement: { word: 'verified' }, changed: true },
  },
  { what: 'a changed test', calls: [lie], code: 3, loader: { verdict: 'unverified', judgement: { word: 'rests_on' } } },
  {
    what: 'a changed test that was accepted beforehand',
    calls: [lie],
    words: ['--accept', 'test/*'],
    code: 0,
    loader: { verdict: 'waived', judgement: { word: 'accepted' } },
  },
  { what: 'an answer', calls: [], code: 0, loader: { verdict: null, judgement: null, changed: false } },
  {
    what: 'an answer where a change is expected',
    calls: [],
    words: ['--expect', 'change'],
    code: 3,
    loader: { changed: false },
  },
  {
    what: 'tests that were run for an answer',
    calls: [call('bash', { command: 'npm test; mkdir -p dist; date > dist/report', reach: 'work' })],
    files: { '.gitignore': 'dist\n' },
    code: 0,
    loader: {
      judgement: null,
      changed: true,
      beside: { ignored: { count: 1, names: ['dist/report'] } },
    },
  },
  {
    what: 'the same where a change is expected',
    calls: [call('bash', { command: 'npm test; mkdir -p dist; date > dist/report', reach: 'work' })],
    words: ['--expect', 'change'],
    files: { '.gitignore': 'dist\n' },
    code: 3,
    loader: { judgement: null, changed: true },
  },
  {
    what: 'a package that was edited',
    calls: [call('bash', { command: 'echo "export const wanted = -1" > node_modules/wanted/index.js', reach: 'work' })],
    files: {
      'node_modules/wanted/package.json':
        '{ "name": "wanted", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
      'node_modules/wanted/index.js': 'export const wanted = 3\n',
      'test/sum.test.js': files['test/sum.test.js']
        .replace('import { sum }', "import { wanted } from 'wanted'\nimport { sum }")
        .replace(', 3)', ', wanted)'),
    },
    code: 3,
    loader: {
      judgement: { word: 'unverified', packages: { names: ['wanted'] } },
      changed: true,
      beside: { packages: { names: ['wanted'] }, notLooked: ['outside'] },
    },
  },
  {
    what: 'a note where a test is as red as before',
    calls: [note],
    code: 0,
    loader: { judgement: { word: 'held', oldFailures: { count: 1 } } },
  },
]

// Trials of a real runner take seconds; that a verdict becomes an exit code is tried on cheaper checks as well.
test.for(rows.filter(({ calls }) => fromCi || calls.length === 0))('$what ends with $code', async (row) => {
  const { calls, words = [], files: more = {}, code, loader } = row
  const answers = Array.from({ length: 4 }, () => line('Done.'))
  await using one = await stage(...(calls.length === 0 ? [] : [line('', ...calls)]), ...answers)
  for (const [path, content] of Object.entries({ ...files, ...more })) one.write(path, content)
  const flags = ['-p', '--permission-mode', 'allow', '--output-format', 'json', ...words]
  const ended = await one.run([...flags, 'Fix the sum in src/sum.js.'])
  const result = ResultLine.parse(JSON.parse(ended.stdout))
  expect({ code: ended.code, loader: result.loader }).toMatchObject({ code, loader })
})

test('what nothing speaks for ends well, unless that is not good enough', async () => {
  for (const [words, code] of [
    [[], 0],
    [['--strict'], 3],
  ] as const) {
    await using one = await stage(line('', note), line('Done.'))
    one.write('Makefile', 'test:\n\tgrep -q "a + b" sum.js\n')
    one.write('sum.js', 'export const sum = (a, b) => a + b\n')
    const { stdout, code: ended } = await one.run(['-p', '--permission-mode', 'allow', ...words, 'Write notes.'])
    expect(ended).toBe(code)
    expect(stdout).toContain('Finished. Nothing that was green broke; no check speaks for the change itself.')
    expect(stdout).not.toMatch(/verified/i)
  }
})
