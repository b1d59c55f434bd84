import { stat } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { editTool } from '../src/index.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

interface Edit {
  readonly about: string
  readonly file: string
  readonly old: string
  readonly now: string
  readonly result: string
  readonly matchedBy: string
  readonly all?: true
}

const edits: readonly Edit[] = [
  { about: 'a word', file: 'a b c\n', old: 'b', now: 'x', result: 'a x c\n', matchedBy: 'exact' },
  {
    about: 'a text at the end without a newline',
    file: 'a\nb',
    old: 'b',
    now: 'c',
    result: 'a\nc',
    matchedBy: 'exact',
  },
  { about: 'a line that goes', file: 'a\nb\nc\n', old: 'b\n', now: '', result: 'a\nc\n', matchedBy: 'exact' },
  {
    about: 'what a replacement pattern would garble',
    file: 'price\n',
    old: 'price',
    now: '$&$1',
    result: '$&$1\n',
    matchedBy: 'exact',
  },
  { about: 'every place', file: 'a a a\n', old: 'a', now: 'b', result: 'b b b\n', matchedBy: 'exact', all: true },
  {
    about: 'places that overlap, from the left',
    file: 'aaa\n',
    old: 'aa',
    now: 'b',
    result: 'ba\n',
    matchedBy: 'exact',
    all: true,
  },
  {
    about: 'lines in CRLF',
    file: 'a\r\nb\r\nc\r\n',
    old: 'a\nb\n',
    now: 'x\ny\nz\n',
    result: 'x\r\ny\r\nz\r\nc\r\n',
    matchedBy: 'line_endings',
  },
  {
    about: 'one line in CRLF by several',
    file: 'a\r\nb\r\n',
    old: 'b',
    now: 'x\ny',
    result: 'a\r\nx\r\ny\r\n',
    matchedBy: 'exact',
  },
  {
    about: 'lines in LF that were asked for in CRLF',
    file: 'a\nb\n',
    old: 'a\r\nb',
    now: 'x\r\ny',
    result: 'x\ny\n',
    matchedBy: 'line_endings',
  },
  { about: 'behind a byte order mark', file: '\ufeffa\n', old: 'a', now: 'b', result: '\ufeffb\n', matchedBy: 'exact' },
  {
    about: 'lines with spaces at their ends',
    file: 'if (x) {  \n  y()\t\n}\n',
    old: 'if (x) {\n  y()\n}',
    now: 'z()',
    result: 'z()\n',
    matchedBy: 'trailing_white_space',
  },
  {
    about: 'lines that are indented more',
    file: '    if x:\n        y()\n',
    old: 'if x:\n    y()',
    now: 'if z:\n    w()\n    v()',
    result: '    if z:\n        w()\n        v()\n',
    matchedBy: 'surrounding_white_space',
  },
  {
    about: 'lines that are indented less',
    file: 'if x:\n    y()\n',
    old: '  if x:\n      y()',
    now: '  if z:\n      w()',
    result: 'if z:\n    w()\n',
    matchedBy: 'surrounding_white_space',
  },
  {
    about: 'lines that are indented with tabs',
    file: 'if (x) {\n\ty()\n\t}\n',
    old: 'if (x) {\n    y()\n    }',
    now: 'if (x) {\n    if (z) {\n        w()\n    }\n    }',
    result: 'if (x) {\n\tif (z) {\n\t\tw()\n\t}\n\t}\n',
    matchedBy: 'surrounding_white_space',
  },
]

describe('an edit', () => {
  test.each(edits)('replaces $about', async ({ file, old, now, result, matchedBy, all }) => {
    await using workspace = await temporaryWorkspace({ files: { f: file } })
    const input = { file_path: 'f', old_string: old, new_string: now, replace_all: all ?? false }
    expect(await perform(editTool(workspace), input)).toMatchObject({ outcome: 'ok', metadata: { matchedBy } })
    expect(await workspace.read('f')).toBe(result)
  })

  test('says where it was made and how its place was found', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'src/a.ts': 'one\n  two  \nthree\n' } })
    const input = { file_path: 'src/a.ts', old_string: '  two\nthree\n', new_string: '  2\nthree\n' }
    const { text } = await perform(editTool(workspace), input)
    expect(text).toBe('Edited src/a.ts at line 2; matched after ignoring white space at the ends of lines.')
    expect(await workspace.read('src/a.ts')).toBe('one\n  2\nthree\n')
  })

  test('names the lines when its text is at several places, and changes nothing', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'x\na\nx\n' } })
    expect(await refusalOf(editTool(workspace), { file_path: 'f', old_string: 'x', new_string: 'y' })).toBe(
      'old_string is found at 2 places in f, on lines 1, 3. Add lines around it until there is one, or set replace_all.',
    )
  })

  test('counts places that are only found by tolerance as well', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: '  x = 1 \na\n\tx = 1 \n' } })
    expect(await refusalOf(editTool(workspace), { file_path: 'f', old_string: 'x = 1\n', new_string: 'y' })).toContain(
      'found at 2 places in f, on lines 1, 3',
    )
  })

  test('shows what comes closest when its text is not there', async () => {
    const file = 'import a\n\nfunction greet(name) {\n  return "Hello, " + name\n}\n'
    await using workspace = await temporaryWorkspace({ files: { f: file } })
    const tool = editTool(workspace)
    const old = 'function greet(name) {\n  return "Hello " + name\n}'
    expect(await refusalOf(tool, { file_path: 'f', old_string: old, new_string: 'x' })).toBe(
      'old_string is not in f. This comes closest:\n   3\tfunction greet(name) {\n   4\t  return "Hello, " + name\n   5\t}',
    )
    expect(await refusalOf(tool, { file_path: 'f', old_string: 'return "Hallo, " + name', new_string: 'x' })).toContain(
      '   4\t  return "Hello, " + name',
    )
    expect(await refusalOf(tool, { file_path: 'f', old_string: 'zzzzzz', new_string: 'x' })).toContain(
      'old_string is not in f. Read the file again.',
    )
  })

  test('tells a model that copied line numbers to leave them out', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'a\nb\n' } })
    const message = await refusalOf(editTool(workspace), {
      file_path: 'f',
      old_string: '   1\ta\n   2\tb',
      new_string: 'c',
    })
    expect(message).toContain('It contains line numbers')
  })

  test('of a file that is not there names the files that are', async () => {
    await using workspace = await temporaryWorkspace({
      files: { 'src/agent.ts': '', 'src/zebra.ts': '', 'src/x/y.ts': '' },
    })
    const message = await refusalOf(editTool(workspace), {
      file_path: 'src/agents.ts',
      old_string: 'a',
      new_string: 'b',
    })
    expect(message).toBe(
      'There is no file src/agents.ts. In src there are: agent.ts, zebra.ts, x/. To create a file use write.',
    )
  })

  test.each([
    ['the same text', { old_string: 'a', new_string: 'a' }, 'are the same'],
    ['an empty text', { old_string: '', new_string: 'a' }, 'old_string is empty'],
    ['a NUL', { old_string: 'a', new_string: '\0' }, 'NUL character'],
    ['half a surrogate pair', { old_string: 'a', new_string: '\ud800' }, 'surrogate'],
    ['lines of nothing but white space that are not there', { old_string: '\n \n', new_string: 'a' }, 'is not in f'],
  ])('refuses %s', async (_, input, message) => {
    await using workspace = await temporaryWorkspace({ files: { f: 'a\n' } })
    expect(await refusalOf(editTool(workspace), { file_path: 'f', ...input })).toContain(message)
  })

  test('describes what it would do without doing it', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'src/f': 'a\nb\nc\n' } })
    const { mtimeNs } = await stat(workspace.path('src/f'), { bigint: true })
    const examined = await examineValid(editTool(workspace), {
      file_path: './src/f',
      old_string: 'b',
      new_string: 'B\nB',
    })
    expect(examined).toMatchObject({
      effect: 'write',
      paths: [{ path: workspace.path('src/f'), inside: true }],
      preview: '--- src/f\n+++ src/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B\n c\n',
      intent: [{ path: workspace.path('src/f'), lines: 3 }],
    })
    expect((await stat(workspace.path('src/f'), { bigint: true })).mtimeNs).toBe(mtimeNs)
  })

  test('is refused when the file was changed since it was looked at', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'a\nb\n' } })
    const tool = editTool(workspace)
    const examined = await examineValid(tool, { file_path: 'f', old_string: 'b', new_string: 'c' })
    await workspace.write('f', 'a!\nb\n')
    const result = await tool.run(examined, await toolContext())
    expect(result.outcome).toBe('failed')
    expect(result.text).toContain('was changed since it was looked at')
    expect(await workspace.read('f')).toBe('a!\nb\n')
  })
})
