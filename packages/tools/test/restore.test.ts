import { chmod, mkdir, rename, rm, stat, symlink } from 'node:fs/promises'
import type { Tool, WrittenFile } from '@loader/session-core/coding'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { openWorkspace, restoreFiles } from '@loader/workspace'
import { editTool, patchTool, writeTool } from '../src/index.ts'
import { examineValid, toolContext } from './perform.ts'

const context = await toolContext()

/** Runs a call and gives what the session would have recorded of it. */
async function change<Input>(tool: Tool<Input>, input: unknown): Promise<readonly WrittenFile[]> {
  const examined = await examineValid(tool, input, context)
  const { outcome, text } = await tool.run(examined, context)
  if (outcome !== 'ok') throw new Error(text)
  return examined.intent
}

const write = (workspace: TemporaryWorkspace, file_path: string, content: string) =>
  change(writeTool(workspace), { file_path, content })

const restore = (workspace: TemporaryWorkspace, files: readonly WrittenFile[]) =>
  restoreFiles(workspace.root, files, context.blobs)

describe('undo', () => {
  test('takes back what a turn did: created, changed twice, renamed, deleted', async () => {
    const files = { changed: 'a\n', old: 'm\n', gone: 'x\n' }
    await using workspace = await temporaryWorkspace({ files })
    await chmod(workspace.path('gone'), 0o755)
    const edit = { file_path: 'changed', old_string: 'b', new_string: 'c' }
    const patch =
      '--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' +
      'diff --git a/old b/moved\nsimilarity index 100%\nrename from old\nrename to moved\n'
    const done = [
      ...(await write(workspace, 'new/file', 'n\n')),
      ...(await write(workspace, 'changed', 'b\n')),
      ...(await change(editTool(workspace), edit)),
      ...(await change(patchTool(workspace), { patch })),
    ]
    expect(await workspace.files()).toEqual({ 'new/file': 'n\n', changed: 'c\n', moved: 'm\n' })
    const restored = await restore(workspace, done)
    expect(restored.map(({ path, outcome }) => [path.slice(workspace.root.length + 1), outcome])).toEqual([
      ['old', 'restored'],
      ['moved', 'restored'],
      ['gone', 'restored'],
      ['changed', 'restored'],
      ['changed', 'restored'],
      ['new/file', 'restored'],
    ])
    expect(await workspace.files()).toEqual(files)
    expect((await stat(workspace.path('gone'))).mode & 0o777).toBe(0o755)
  })

  test('gives back long contents, byte order marks and CRLF', async () => {
    const long = `\ufeff${'línea\r\n'.repeat(20_000)}end`
    await using workspace = await temporaryWorkspace({ files: { long } })
    const done = await write(workspace, 'long', 'short')
    expect(await restore(workspace, done)).toEqual([{ path: workspace.path('long'), outcome: 'restored' }])
    expect(await workspace.read('long')).toBe(long)
  })

  test('goes back as far as nobody else has changed the file', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'one\n' } })
    const first = await write(workspace, 'f', 'two\n')
    await workspace.write('f', 'theirs\n')
    const second = await write(workspace, 'f', 'three\n')
    expect(await restore(workspace, [...first, ...second])).toEqual([
      { path: workspace.path('f'), outcome: 'restored' },
      { path: workspace.path('f'), outcome: 'kept', reason: 'It was changed since.' },
    ])
    expect(await workspace.read('f')).toBe('theirs\n')
  })

  test.each([
    ['was changed', (path: string, w: TemporaryWorkspace) => w.write('d/f', 'theirs\n'), 'It was changed since.'],
    ['was removed', (path: string) => rm(path), 'It was removed since.'],
    [
      'was put back by hand',
      (path: string, w: TemporaryWorkspace) => w.write('d/f', 'old\n'),
      'It is as it was before already.',
    ],
    ['became a folder', (path: string) => rm(path).then(() => mkdir(path)), 'A folder is there now.'],
    [
      'became a link',
      (path: string) => rename(path, `${path}2`).then(() => symlink('f2', path)),
      'A symbolic link leads to ',
    ],
  ])('leaves a file alone that %s since, and says why', async (_, since, reason) => {
    await using workspace = await temporaryWorkspace({ files: { 'd/f': 'old\n' } })
    const done = await write(workspace, 'd/f', 'new\n')
    await since(workspace.path('d/f'), workspace)
    const before = await workspace.files()
    expect(await restore(workspace, done)).toMatchObject([{ outcome: 'kept', reason: expect.stringContaining(reason) }])
    expect(await workspace.files()).toEqual(before)
  })

  test('does not follow a folder that was replaced by a link', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'd/f': 'old\n' } })
    await using outside = await temporaryWorkspace({ files: { f: 'new\n' } })
    const done = await write(workspace, 'd/f', 'new\n')
    await rm(workspace.path('d'), { recursive: true })
    await symlink(outside.root, workspace.path('d'))
    expect(await restore(workspace, done)).toMatchObject([{ outcome: 'kept' }])
    expect(await outside.files()).toEqual({ f: 'new\n' })
  })

  test('touches neither what lies outside nor what belongs to git or to the sessions, whatever a log says', async () => {
    await using workspace = await temporaryWorkspace({ files: { '.git/hooks/x': 'new\n', '.loader/x': 'new\n' } })
    await using outside = await temporaryWorkspace({ files: { f: 'new\n' } })
    const [sample] = await write(workspace, 'f', 'new\n')
    const paths = [outside.path('f'), workspace.path('.git/hooks/x'), workspace.path('.loader/x')]
    const forged = paths.map((path) => ({ path, before: null, after: sample?.after ?? null }))
    const reasons = (await restore(workspace, forged)).map(({ reason }) => reason)
    expect(reasons).toEqual([
      expect.stringContaining('.loader'),
      expect.stringContaining('a folder of git'),
      'It lies outside the workspace.',
    ])
    expect(await outside.files()).toEqual({ f: 'new\n' })
    expect(await workspace.files({ ignore: [] })).toMatchObject({ '.git/hooks/x': 'new\n', '.loader/x': 'new\n' })
  })

  test('keeps a file whose content before is lost or is not what it was', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'old\n' } })
    const [done] = await write(workspace, 'f', 'new\n')
    const wrong = { ...done, preimage: 'other\n' } as WrittenFile
    const lost = { ...done, preimage: { blob: 'none', bytes: 4, excerpt: 'old' } } as WrittenFile
    const { preimage: _, ...without } = done as WrittenFile
    const reasons = (await restore(workspace, [wrong, lost, without])).map(({ reason }) => reason)
    expect(reasons).toEqual([
      'What it held before was not kept.',
      expect.stringContaining('none'),
      'What was kept of it is not what it held before.',
    ])
    expect(await workspace.read('f')).toBe('new\n')
  })
})

test('a workspace takes back what was written in it', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'a.txt': 'before\n' } })
  const tool = writeTool({ root: workspace.root })
  const context = await toolContext()
  const examined = await examineValid(tool, { file_path: 'a.txt', content: 'after\n' }, context)
  await tool.run(examined, context)
  const restored = await openWorkspace({ root: workspace.root }).restore(examined.intent, context.blobs)
  expect(restored).toMatchObject([{ outcome: 'restored' }])
  expect(await workspace.read('a.txt')).toBe('before\n')
})
