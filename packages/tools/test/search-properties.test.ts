import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { needing, times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { grepTool } from '../src/index.ts'
import { childVariables, programOnPath } from '@loader/workspace'
import { linePattern } from '../src/search/line-pattern.ts'
import { prefilterPattern } from '../src/search/prefilter-pattern.ts'
import { perform } from './perform.ts'

const ripgrep = programOnPath('rg', childVariables({}), '/nowhere')
const runs = times({ quick: 6, ci: 60, long: 3000 })
if (ripgrep === undefined) console.log('Searches are not compared with those by ripgrep: it is not installed.')

const name = fc.constantFrom(
  'a',
  'b',
  'A',
  'ab',
  'a.ts',
  'b.js',
  '.h',
  'x y',
  'ä',
  'node_modules',
  'dist',
  '[a]',
  '-e',
  '{b}',
)
const folder = fc.array(fc.oneof({ weight: 6, arbitrary: name }, fc.constant('.loader')), { maxLength: 3 })
const path = fc.tuple(folder, name).map(([names, file]) => [...names, file].join('/'))

const word = fc.constantFrom(
  'foo',
  'Foo',
  'bar',
  'é',
  '😀',
  '1',
  ' ',
  '\t',
  '(',
  '.',
  '_',
  'ſ',
  'K',
  '\ufffd',
  'x'.repeat(500),
)
const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(''))
const text = fc.tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
const content = fc.oneof(
  { weight: 8, arbitrary: text.map(([lines, end, ends]) => Buffer.from(lines.join(end) + (ends ? end : ''))) },
  fc.constantFrom(
    Buffer.from('\ufefffoo\nbar\n'),
    Buffer.from([0x66, 0x6f, 0x6f, 0xff, 0x0a, 0xe2, 0x82, 0x0a, 0x62]),
    Buffer.from('foo\0bar\n'),
    Buffer.from('foo\u2028bar\rfoo\n'),
    Buffer.from('\ufffe\uff66foo', 'utf16le'),
    Buffer.alloc(0),
  ),
)

const rule = fc.oneof(
  fc.tuple(fc.constantFrom('', '!'), fc.constantFrom('', '/', '**/'), name, fc.constantFrom('', '/', '/**', '*')),
  fc.constantFrom(
    ['*'],
    ['*.ts'],
    ['!*.ts'],
    ['a/b'],
    ['/a/*'],
    ['# a'],
    [''],
    ['\\!a'],
    ['a/**/b'],
    ['[ab]'],
    ['a '],
    ['?'],
    ['a\t'],
    ['*.{ts,js}'],
    ['![[:alpha:]]'],
  ),
)
const rules = fc
  .array(
    rule.map((parts) => parts.join('')),
    { maxLength: 4 },
  )
  .map((lines) => `${lines.join('\n')}\n`)

const atom = fc.oneof(
  fc.constantFrom(
    'f',
    'o',
    'foo',
    'Bar',
    'é',
    '😀',
    '.',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\d',
    '\\D',
    '\\.',
    '\\(',
    ' ',
    '\\x66',
  ),
  fc.constantFrom(
    '[a-z]',
    '[^a-z]',
    '[\\w.]',
    '[é1]',
    '[\\s\\S]',
    '\\u00e9',
    '^',
    '$',
    '\\b',
    '\\B',
    '(?=o)',
    '(?!o)',
    '(?<=f)',
  ),
  fc.constantFrom('(foo|bar)', '(?:o)', '(?<n>f)', '(f)?\\1', '[^]', '\\p{L}', '{', '\\u{66}', 'K', 'ſ', '\ufffd'),
)
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '*?'))
  .map((parts) => parts.join(''))
const pattern = fc.oneof(
  fc.array(quantified, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.tuple(quantified, quantified).map((parts) => parts.join('|')),
)

const tree = fc.record({
  files: fc.dictionary(path, content, { minKeys: 1, maxKeys: 8, noNullPrototype: true }),
  ignored: fc.dictionary(
    folder.map((names) => names.join('/')),
    rules,
    { maxKeys: 3, noNullPrototype: true },
  ),
  /** Folders in which repositories of their own begin. */
  repositories: fc.array(
    folder.map((names) => names.join('/')),
    { maxLength: 2 },
  ),
  /** The rules of the repository around the workspace. */
  around: fc.option(rules, { nil: undefined }),
})
const call = fc.record({
  pattern,
  path: fc.oneof(
    { weight: 4, arbitrary: fc.constant('.') },
    folder.map((names) => names.join('/') || '.'),
  ),
  include: fc.option(fc.constantFrom('*.ts', 'a', '{a,b}*', '!*.ts', 'a/**', '**/[ab]'), { nil: undefined }),
  context: fc.constantFrom(0, 0, 1),
  max_results: fc.constantFrom(1, 3, 50),
  ignore_case: fc.boolean(),
})

/** Names collide where one is a file and another needs a folder of that name: what comes later is left out. */
async function put(path: string, content: Uint8Array | string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  } catch (error) {
    if (!(error instanceof Error && /EEXIST|ENOTDIR|EISDIR/.test(error.message))) throw error
  }
}

const seen = { searches: 0, withMatches: 0, byRipgrep: 0 }
afterAll(() => console.log(`searches compared: ${JSON.stringify(seen)}`))

const needsRipgrep = { skip: ripgrep === undefined, timeout: 3_600_000 }
test(
  needing(
    ripgrep === undefined && 'ripgrep is not installed',
    `with and without ripgrep a search finds the same (${runs} trees)`,
  ),
  needsRipgrep,
  async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.array(call, { minLength: 3, maxLength: 3 }), async (made, calls) => {
        await using around = await temporaryWorkspace()
        const root = around.path('repo/ws')
        await mkdir(root, { recursive: true })
        await put(around.path('.gitignore'), '*\n')
        if (made.around !== undefined) {
          await put(around.path('repo/.git/HEAD'), 'ref: refs/heads/main\n')
          await put(around.path('repo/.gitignore'), made.around)
        }
        for (const [path, bytes] of Object.entries(made.files)) await put(`${root}/${path}`, bytes)
        for (const folder of made.repositories) await put(`${root}/${folder}/.git/HEAD`, 'ref: refs/heads/main\n')
        for (const [folder, text] of Object.entries(made.ignored)) await put(`${root}/${folder}/.gitignore`, text)
        for (const input of calls) await compare(root, input)
        await rm(root, { recursive: true })
      }),
      { numRuns: runs },
    )
  },
)

async function compare(root: string, input: { pattern: string; ignore_case: boolean }): Promise<void> {
  const [fast, slow] = [grepTool({ root }), grepTool({ root, ripgrep: null })]
  const read = linePattern(input.pattern, { ignoreCase: input.ignore_case })
  if (typeof read === 'string') return
  const examined = await slow.examine(slow.input.parse(input), { callId: 'c', blobs: { put: never, get: never } })
  if (!examined.valid) return
  const found = await perform(slow, input)
  expect(await perform(fast, input)).toEqual(found)
  seen.searches += 1
  seen.withMatches += Number(found.metadata?.['matches'] !== 0)
  seen.byRipgrep += Number(prefilterPattern(read) !== undefined)
}

function never(): never {
  throw new Error('A search stores nothing.')
}
