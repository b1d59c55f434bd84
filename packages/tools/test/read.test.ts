import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { readTool } from '../src/index.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

describe('read', () => {
  test('numbers the lines and says what the file has', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'src/a.ts': 'one\n\tthree\n\nlast' } })
    expect(await perform(readTool(workspace), { file_path: 'src/a.ts' })).toEqual({
      outcome: 'ok',
      text: '   1\tone\n   2\t\tthree\n   3\t\n   4\tlast',
      metadata: { filePath: 'src/a.ts', lineCount: 4, offset: 1, limit: 500, summary: '4 lines' },
    })
  })

  test('reads a part and says how to go on', async () => {
    const content = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('')
    await using workspace = await temporaryWorkspace({ files: { f: content } })
    const tool = readTool(workspace)
    expect((await perform(tool, { file_path: 'f', offset: 10, limit: 2 })).text).toBe(
      '  10\tline 10\n  11\tline 11\n(1 line more. Go on with offset 12.)',
    )
    expect((await perform(tool, { file_path: 'f', offset: 12 })).text).toBe('  12\tline 12')
    expect(await perform(tool, { file_path: 'f', offset: 13 })).toMatchObject({
      outcome: 'failed',
      text: 'f has 12 lines; there is no line 13.',
    })
  })

  test('shows neither a byte order mark nor carriage returns, and says that there are some', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: '\ufeffa\r\nb\r\n' } })
    expect((await perform(readTool(workspace), { file_path: 'f' })).text).toBe(
      '   1\ta\n   2\tb\n(The lines end in CRLF, which edits keep.)',
    )
  })

  test('keeps its result bounded, however long the lines', async () => {
    const files = { wide: 'x'.repeat(5_000_000), many: `${'y'.repeat(1999)}\n`.repeat(5000), empty: '' }
    await using workspace = await temporaryWorkspace({ files })
    const tool = readTool(workspace)
    expect((await perform(tool, { file_path: 'wide' })).text).toMatch(/x… \(4998000 more characters in this line\)$/)
    const { text } = await perform(tool, { file_path: 'many', limit: 5000 })
    expect(text.length).toBeLessThan(300_000)
    expect(text).toMatch(/\((\d+) lines more\. Go on with offset \d+\.\)$/)
    expect((await perform(tool, { file_path: 'empty' })).text).toBe('(empty is empty.)')
  })

  test.each([
    ['a folder', 'folder', 'folder is a folder. Use glob with the pattern "folder/*" to list it.'],
    ['a file that is not there', 'reedme.md', 'There is no file reedme.md. In the workspace there are: readme.md,'],
    ['a folder that is not there', 'nowhere/deep/f', 'There is no file nowhere/deep/f. In the workspace there are: '],
  ])('says what to do about %s', async (_, file_path, message) => {
    await using workspace = await temporaryWorkspace({
      files: { 'readme.md': 'x\n', b: 'x\n', '.loader/secret': 'x\n' },
    })
    await mkdir(workspace.path('folder'))
    const refusal = await refusalOf(readTool(workspace), { file_path })
    expect(refusal).toContain(message)
    expect(refusal).not.toContain('.loader')
  })

  test.each([
    ['binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0]), 'binary is left alone: it is a binary file.'],
    ['latin', new Uint8Array([0xe9]), 'latin is left alone: it is not valid UTF-8.'],
    ['overlong', new Uint8Array([0xc0, 0x80]), 'overlong is left alone: it is not valid UTF-8.'],
  ])('refuses a file that is %s', async (name, bytes, message) => {
    await using workspace = await temporaryWorkspace()
    await writeFile(workspace.path(name), bytes)
    expect(await perform(readTool(workspace), { file_path: name })).toEqual({ outcome: 'failed', text: message })
  })

  test('refuses a file that is too large', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: '' } })
    await truncate(workspace.path('f'), 10 * 1024 * 1024 + 1)
    expect((await perform(readTool(workspace), { file_path: 'f' })).text).toBe(
      'f cannot be read: it is larger than 10 MiB.',
    )
  })

  test('reads outside the workspace too, and says that it is outside', async () => {
    await using workspace = await temporaryWorkspace()
    await using other = await temporaryWorkspace({ files: { f: 'theirs\n' } })
    const tool = readTool(workspace)
    const examined = await examineValid(tool, { file_path: other.path('f') })
    expect(examined).toMatchObject({ effect: 'probe', paths: [{ path: other.path('f'), inside: false }], intent: [] })
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'ok', text: '   1\ttheirs' })
  })
})
