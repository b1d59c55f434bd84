import { realpathSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { grepTool } from '../src/index.ts'
import { linePattern } from '../src/search/line-pattern.ts'
import { prefilterPattern } from '../src/search/prefilter-pattern.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

const numbered = Array.from({ length: 9 }, (_, index) => (index % 4 === 1 ? `hit ${index + 1}` : `line ${index + 1}`))
const files = {
  'b.txt': 'first\nTarget here\nlast\n',
  'a/c.ts': `${numbered.join('\n')}\n`,
  'a/d.md': 'no newline at the end: hit',
  'a/crlf.txt': 'one\r\nends with hit\r\n',
  'bin.dat': 'hit\0hit\n',
  '.github/x.yml': 'hidden hit\n',
  'skipped/x.txt': 'hit\n',
  'node_modules/x.txt': 'hit\n',
  '.gitignore': 'skipped/\n',
}

const ways = [
  { name: 'with ripgrep, if it is there', options: {} },
  { name: 'without ripgrep', options: { ripgrep: null } },
] as const

describe.each(ways)('a search $name', ({ options }) => {
  const search = async (input: object) => {
    await using workspace = await temporaryWorkspace({ files })
    return await perform(grepTool({ root: workspace.root, ...options }), input)
  }

  test('shows the files in order, with their matching lines', async () => {
    const { outcome, text, metadata } = await search({ pattern: 'hit' })
    expect(outcome).toBe('ok')
    expect(text).toBe(
      [
        '.github/x.yml\n> 1: hidden hit\n',
        'a/c.ts\n> 2: hit 2\n> 6: hit 6\n',
        'a/crlf.txt\n> 2: ends with hit\n',
        'a/d.md\n> 1: no newline at the end: hit',
      ].join('\n'),
    )
    expect(metadata).toEqual({ matches: 5, files: 4, truncated: false, summary: '5 matches' })
  })

  test('shows what is around each match, once', async () => {
    const { text } = await search({ pattern: 'hit', path: 'a/c.ts', context: 1 })
    expect(text).toBe('a/c.ts\n  1: line 1\n> 2: hit 2\n  3: line 3\n--\n  5: line 5\n> 6: hit 6\n  7: line 7')
    const { text: wide } = await search({ pattern: 'hit', path: 'a/c.ts', context: 2 })
    expect(wide.split('\n')).toHaveLength(9)
  })

  test.each([
    ['target', { ignore_case: true }, ['> 2: Target here']],
    ['(?i)TARGET', {}, ['> 2: Target here']],
    ['^last$', {}, ['> 3: last']],
    ['hit$', { include: '*.txt' }, ['> 2: ends with hit']],
    ['hit', { include: 'a/*.md' }, ['> 1: no newline at the end: hit']],
    ['hit', { include: '!*.{ts,txt}', path: 'a' }, ['> 1: no newline at the end: hit']],
    ['hit', { path: 'skipped' }, ['> 1: hit']],
    ['hit', { path: 'node_modules' }, ['> 1: hit']],
    ['(?<=with )h', {}, ['> 2: ends with hit']],
    ['(.)\\1rs', {}, []],
  ])('for %s with %j finds what it should', async (pattern, more, lines) => {
    const { text } = await search({ pattern, ...more })
    expect(text.split('\n').filter((line) => line.startsWith('>'))).toEqual(lines)
  })

  test('ends when there is enough, and says so', async () => {
    const { outcome, text, metadata } = await search({ pattern: 'hit', max_results: 2 })
    expect(outcome).toBe('ok')
    expect(text).toMatch(/a\/c\.ts\n> 2: hit 2\n\n\(These are the first 2 matching lines; there may be more/)
    expect(metadata).toEqual({ matches: 2, files: 2, truncated: true, summary: '2 matches' })
  })

  test('says when it finds nothing, and where it did not look', async () => {
    const { outcome, text } = await search({ pattern: 'nowhere', include: '*.ts' })
    expect([outcome, text]).toMatchObject([
      'ok',
      expect.stringMatching(/^\(No line matches nowhere in files that \*\.ts/),
    ])
  })

  test('shows the part of a long line that matches, and no result is longer than some pages', async () => {
    await using workspace = await temporaryWorkspace()
    await workspace.write('long', `${'a'.repeat(3_000_000)}hit${'b'.repeat(3_000_000)}\n`)
    await workspace.write('many', `hit${'c'.repeat(390)}\n`.repeat(1000))
    const { text } = await perform(grepTool({ root: workspace.root, ...options }), {
      pattern: 'hit',
      max_results: 1000,
    })
    expect(text).toMatch(/^long\n> 1: …a{100}hitb{297}…\n\nmany\n/)
    expect(text.length).toBeLessThan(31_000)
    expect(text).toContain('there may be more')
  })

  test('passes over files that are too large', async () => {
    await using workspace = await temporaryWorkspace({ files: { small: 'hit\n' } })
    await writeFile(workspace.path('large'), 'hit\n')
    await truncate(workspace.path('large'), 11 * 1024 * 1024)
    const { text } = await perform(grepTool({ root: workspace.root, ...options }), { pattern: 'hit' })
    expect(text).toBe('small\n> 1: hit')
  })

  test('follows the rules of folders above where it starts as git reads them', async () => {
    const files = { '.gitignore': '{b}/**\n', 'a/.gitignore': '{d}\n', 'b/file': 'hit\n', 'a/c/d': 'hit\n' }
    await using workspace = await temporaryWorkspace({ files })
    const tool = grepTool({ root: workspace.root, ...options })
    expect((await perform(tool, { pattern: 'hit', path: 'b' })).text).toBe('b/file\n> 1: hit')
    expect((await perform(tool, { pattern: 'hit', path: 'a/c' })).text).toBe('a/c/d\n> 1: hit')
  })

  test('works in a workspace under a hidden folder', async () => {
    await using around = await temporaryWorkspace({ files: { '.cache/ws/a.txt': 'hit\n' } })
    const { text } = await perform(grepTool({ root: around.path('.cache/ws'), ...options }), { pattern: 'hit' })
    expect(text).toBe('a.txt\n> 1: hit')
  })

  test('is interrupted when it is cancelled', async () => {
    await using workspace = await temporaryWorkspace({ files })
    const context = await toolContext({ signal: AbortSignal.abort() })
    const result = await perform(grepTool({ root: workspace.root, ...options }), { pattern: 'hit' }, context)
    expect(result).toMatchObject({ outcome: 'interrupted' })
  })
})

describe('a search', () => {
  test('is a probe of the place that it begins in', async () => {
    await using workspace = await temporaryWorkspace({ files })
    const tool = grepTool({ root: workspace.root })
    expect(await examineValid(tool, { pattern: 'x', path: 'a' })).toMatchObject({
      effect: 'probe',
      paths: [{ path: realpathSync(workspace.path('a')), inside: true }],
    })
    expect(tool.effect).toBe('probe')
  })

  test.each([
    [{ pattern: '' }, 'empty'],
    [{ pattern: 'call(' }, 'is not a regular expression'],
    [{ pattern: 'x'.repeat(1001) }, 'longer than'],
    [{ pattern: 'x', path: 'missing' }, 'There is no missing'],
    [{ pattern: 'x', path: '.git' }, 'insides of git'],
  ])('with %j is refused', async (input, message) => {
    await using workspace = await temporaryWorkspace({ files: { ...files, '.git/HEAD': '' } })
    expect(await refusalOf(grepTool({ root: workspace.root }), input)).toContain(message)
  })

  test('takes a lone brace for itself, as people do', async () => {
    await using workspace = await temporaryWorkspace({ files: { a: 'function f() {\n' } })
    const { text } = await perform(grepTool({ root: workspace.root }), { pattern: 'f\\(\\) {' })
    expect(text).toBe('a\n> 1: function f() {')
  })

  test('without ripgrep ends after so many entries, and says so', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/1': 'x', 'b/2': 'x', 'c/3': 'x' } })
    const tool = grepTool({ root: workspace.root, ripgrep: null, mostEntries: 4 })
    const { text, metadata } = await perform(tool, { pattern: 'x' })
    expect(text).toContain('Not everything was searched')
    expect(metadata).toMatchObject({ matches: 1, truncated: true })
  })

  test('reads the files itself where ripgrep cannot be started', async () => {
    await using workspace = await temporaryWorkspace({ files })
    const tool = grepTool({ root: workspace.root, ripgrep: '/nowhere/rg' })
    expect(await perform(tool, { pattern: 'Target' })).toMatchObject({ outcome: 'ok', text: 'b.txt\n> 2: Target here' })
  })
})

describe('what ripgrep is asked for', () => {
  const asked = (pattern: string, ignoreCase = false) => {
    const read = linePattern(pattern, { ignoreCase })
    return typeof read === 'string' ? read : prefilterPattern(read)
  }

  test.each([
    ['foo', 'foo'],
    ['^a.c$', String.raw`a(?-u:[^\n]{1,4})c`],
    ['a|b(c)', 'a|b(?:c)'],
    ['(?<!x)y(?=z)', 'y'],
    ['(a)\\1', String.raw`(?:a)(?-u:[^\n]*)`],
    ['[^a]+', String.raw`(?-u:[^\n]{1,4})+`],
    ['[a-c_]?', '[a-c_-_]?'],
    ['x{2,3}', 'x{2,3}'],
    ['é', String.raw`\x{e9}`],
  ])('for %s is %s', (pattern, expected) => {
    expect(asked(pattern)).toBe(expected)
  })

  test.each(['\\p{L}', '\\n', '\\0', '[]', '\ufffd'])('for %s is nothing: the files are read instead', (pattern) => {
    expect(asked(pattern)).toBeUndefined()
  })

  test('without regard to case leaves out what has more than two', () => {
    expect(asked('abc', true)).toBe('(?i)abc')
    expect(asked('straße', true)).toBeUndefined()
  })
})
