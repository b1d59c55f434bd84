import { chmod, link, lstat, mkdir, readdir, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { writeTool } from '../src/index.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

describe('write', () => {
  test('creates a file and the folders that it needs', async () => {
    await using workspace = await temporaryWorkspace()
    const result = await perform(writeTool(workspace), { file_path: 'a/b/c.txt', content: 'hello\n' })
    expect(result).toEqual({
      outcome: 'ok',
      text: 'Created a/b/c.txt (1 line, 6 bytes).',
      metadata: { filePath: 'a/b/c.txt', kind: 'create', bytesWritten: 6, lineCount: 1 },
    })
    expect(await workspace.files()).toEqual({ 'a/b/c.txt': 'hello\n' })
    expect((await stat(workspace.path('a/b/c.txt'))).mode & 0o777).toBe(0o666 & ~process.umask())
  })

  test('replaces a file and leaves nothing beside it', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    await chmod(workspace.path('f'), 0o754)
    const { metadata } = await perform(writeTool(workspace), { file_path: 'f', content: 'new\n' })
    expect(metadata).toMatchObject({ kind: 'update' })
    expect(await workspace.files()).toEqual({ f: 'new\n' })
    expect((await stat(workspace.path('f'))).mode & 0o7777).toBe(0o754)
  })

  test.each([
    {
      about: 'CRLF',
      file: 'a\r\nb\r\n',
      content: 'c\nd\n',
      result: 'c\r\nd\r\n',
      said: 'Its lines still end in CRLF.',
    },
    { about: 'the last newline', file: 'a\n', content: 'b', result: 'b\n', said: 'It still ends in a newline.' },
    {
      about: 'a byte order mark',
      file: '\ufeffa\n',
      content: 'b\n',
      result: '\ufeffb\n',
      said: 'It still begins with a byte order mark.',
    },
    {
      about: 'CRLF where it is asked for otherwise',
      file: 'a\r\nb\n',
      content: 'c\nd\n',
      result: 'c\nd\n',
      said: 'bytes).',
    },
    { about: 'nothing that was not there', file: 'a', content: 'b', result: 'b', said: 'bytes).' },
  ])('keeps $about', async ({ file, content, result, said }) => {
    await using workspace = await temporaryWorkspace({ files: { f: file } })
    const { text } = await perform(writeTool(workspace), { file_path: 'f', content })
    expect(text).toContain(said)
    expect(await workspace.read('f')).toBe(result)
  })

  test('follows a symbolic link to the file, and the link stays', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'real/f': 'old\n' } })
    await symlink('real/f', workspace.path('link'))
    const tool = writeTool(workspace)
    const examined = await examineValid(tool, { file_path: 'link', content: 'new\n' })
    expect(examined.paths).toEqual([{ path: workspace.path('real/f'), inside: true }])
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'ok' })
    expect(await readlink(workspace.path('link'))).toBe('real/f')
    expect(await workspace.read('real/f')).toBe('new\n')
  })

  test('gives a file with several names a content of its own, and says so', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    await link(workspace.path('f'), workspace.path('other'))
    const { text } = await perform(writeTool(workspace), { file_path: 'f', content: 'new\n' })
    expect(text).toContain('The old file has 1 other name (hard links), with the old content.')
    expect(await workspace.files()).toEqual({ f: 'new\n', other: 'old\n' })
  })

  test('touches nothing when the content is there already', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'same\n' } })
    const before = await stat(workspace.path('f'), { bigint: true })
    const tool = writeTool(workspace)
    const examined = await examineValid(tool, { file_path: 'f', content: 'same\n' })
    expect(examined.preview).toBe('')
    expect((await tool.run(examined, await toolContext())).text).toContain('f had this very content already')
    expect(await stat(workspace.path('f'), { bigint: true })).toMatchObject({
      ino: before.ino,
      mtimeNs: before.mtimeNs,
    })
  })

  test('has a file modified now, not at another time', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    const before = Date.now()
    await perform(writeTool(workspace), { file_path: 'f', content: 'new\n' })
    const { mtimeMs } = await stat(workspace.path('f'))
    // The clock of the file system may lag by one of its ticks.
    expect(mtimeMs).toBeGreaterThan(before - 50)
    expect(mtimeMs).toBeLessThanOrEqual(Date.now() + 50)
  })

  test.each([
    ['a folder', { file_path: 'folder' }, 'folder is a folder, not a file.'],
    ['a name that ends in a slash', { file_path: 'new/' }, 'There is no folder new/.'],
    ['a path through a file', { file_path: 'text/f' }, 'text is not a folder'],
    ['a binary file', { file_path: 'binary' }, 'binary is left alone: it is a binary file.'],
    ['a file that is not UTF-8', { file_path: 'latin' }, 'latin is left alone: it is not valid UTF-8.'],
    ['a file in UTF-16', { file_path: 'wide' }, 'wide is left alone: it is UTF-16, not UTF-8.'],
    ['a file that is read-only', { file_path: 'protected' }, 'protected is read-only (mode 444).'],
    ['a content with a NUL', { file_path: 'new', content: 'a\0b' }, 'NUL character'],
    [
      'a content that is too large',
      { file_path: 'new', content: 'x'.repeat(10 * 1024 * 1024 + 1) },
      'larger than 10 MiB',
    ],
    ['a name with a newline', { file_path: 'a\nb' }, 'control characters'],
    ['a name that is too long', { file_path: 'x'.repeat(300) }, 'the name is too long'],
  ])('refuses %s', async (_, input, message) => {
    await using workspace = await temporaryWorkspace({ files: { text: 'text\n', protected: 'keep\n' } })
    await mkdir(workspace.path('folder'))
    await writeFile(workspace.path('binary'), new Uint8Array([1, 0, 2]))
    await writeFile(workspace.path('latin'), new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    await writeFile(workspace.path('wide'), new Uint8Array([0xff, 0xfe, 0x61, 0x00]))
    await chmod(workspace.path('protected'), 0o444)
    const before = await readdir(workspace.root)
    expect(await refusalOf(writeTool(workspace), { content: 'new\n', ...input })).toContain(message)
    expect(await readdir(workspace.root)).toEqual(before)
  })

  test.each([
    ['was changed', (path: string) => writeFile(path, 'theirs\n')],
    ['was changed to the same length', (path: string) => writeFile(path, 'OLD\n')],
    ['became a symbolic link', linkTo],
  ])('is refused when the file %s since it was looked at', async (_, change) => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    const tool = writeTool(workspace)
    const examined = await examineValid(tool, { file_path: 'f', content: 'new\n' })
    await change(workspace.path('f'))
    const before = await workspace.files()
    expect(await tool.run(examined, await toolContext())).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('Nothing was changed.'),
    })
    expect(await workspace.files()).toEqual(before)
  })

  test('is refused when a file has come to be since it was looked at', async () => {
    await using workspace = await temporaryWorkspace()
    const tool = writeTool(workspace)
    const examined = await examineValid(tool, { file_path: 'f', content: 'new\n' })
    await workspace.write('f', 'theirs\n')
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
    expect(await workspace.files()).toEqual({ f: 'theirs\n' })
  })

  test('does nothing once it is cancelled', async () => {
    await using workspace = await temporaryWorkspace()
    const tool = writeTool(workspace)
    const context = await toolContext({ signal: AbortSignal.abort() })
    const examined = await examineValid(tool, { file_path: 'f', content: 'new\n' }, context)
    expect(await tool.run(examined, context)).toMatchObject({ outcome: 'interrupted' })
    expect(await workspace.files()).toEqual({})
  })

  test('tells afterwards whether it was done', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    const tool = writeTool(workspace)
    const { intent } = await examineValid(tool, { file_path: 'f', content: 'new\n' })
    const observed = async () => (await tool.observe?.(intent))?.files[0]
    const path = workspace.path('f')
    expect(await observed()).toEqual({ path, now: intent[0]?.before })
    await perform(tool, { file_path: 'f', content: 'new\n' })
    expect(await observed()).toEqual({ path, now: intent[0]?.after })
    await workspace.write('f', 'theirs\n')
    expect(await observed()).toEqual({ path, now: hash('theirs\n') })
    await linkTo(path)
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect(await observed()).toEqual({ path, now: 'elsewhere' })
  })

  test('clears away what a killed write of the same file has left, and nothing else', async () => {
    // No process has this number: it is beyond what Linux gives out.
    const [dead, other] = ['.f.4194305-abc-1.loader-tmp', '.g.4194305-abc-1.loader-tmp']
    const alive = `.f.${process.pid}-abc-1.loader-tmp`
    await using workspace = await temporaryWorkspace({ files: { [dead]: '', [other]: '', [alive]: '', '.f.mine': '' } })
    await perform(writeTool(workspace), { file_path: 'f', content: 'new\n' })
    expect(Object.keys(await workspace.files())).toEqual([alive, '.f.mine', other, 'f'].sort())
  })
})

async function linkTo(path: string): Promise<void> {
  await rename(path, `${path}-moved`)
  await symlink(`${path}-moved`, path)
}
