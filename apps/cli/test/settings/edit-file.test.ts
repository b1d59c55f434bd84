import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { editFile } from '../../src/settings/edit-file.ts'

test('a new file is readable by its owner alone; an existing one is replaced as a whole and keeps its mode', async () => {
  await using workspace = await temporaryWorkspace()
  const file = workspace.path('new', 'file.json')
  editFile(file, (text) => `${text ?? 'nothing'}, then one`)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['nothing, then one', 0o600])
  chmodSync(file, 0o640)
  editFile(file, (text) => `${text}, then two`)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['nothing, then one, then two', 0o640])
  expect(readdirSync(workspace.path('new'))).toEqual(['file.json'])
})

test('a link to a file elsewhere stays a link', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'dotfiles/rules.json': 'old' } })
  symlinkSync(workspace.path('dotfiles', 'rules.json'), workspace.path('rules.json'))
  editFile(workspace.path('rules.json'), () => 'new')
  expect(readFileSync(workspace.path('dotfiles', 'rules.json'), 'utf8')).toBe('new')
})

test('a change by another process meanwhile is not lost', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'file.txt': 'a' } })
  const file = workspace.path('file.txt')
  let times = 0
  editFile(file, (text) => {
    times += 1
    if (times === 1) writeFileSync(file, 'a, theirs')
    return `${text}, mine`
  })
  expect(readFileSync(file, 'utf8')).toBe('a, theirs, mine')
  const always = () => editFile(file, (text) => (writeFileSync(file, `${text}!`), 'mine'))
  expect(always).toThrow(/kept being changed by another program/)
  expect(readdirSync(workspace.root)).toEqual(['file.txt'])
})

test('an edit that throws, or changes nothing, leaves the file alone', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'file.txt': 'a' } })
  const file = workspace.path('file.txt')
  const { ino } = statSync(file)
  editFile(file, () => undefined)
  editFile(file, (text) => text)
  expect(() =>
    editFile(file, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['a', ino])
})

test.skipIf(process.platform === 'win32')(
  'where there is room for its beginning only, the file stays as it was',
  async () => {
    await using workspace = await temporaryWorkspace({ files: { 'file.txt': 'a' } })
    const script = `import { editFile } from ${JSON.stringify(new URL('../../src/settings/edit-file.ts', import.meta.url).href)}
    editFile('file.txt', () => 'b'.repeat(100_000))`
    const words = ['--conditions=@loader/source', '--input-type=module', '-e', script]
    // A limit for files does what a disk does that is almost full: a write takes what there is room for.
    const { stderr } = spawnSync('bash', ['-c', 'ulimit -f 8; exec "$@"', '-', process.execPath, ...words], {
      cwd: workspace.root,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/file\.txt could not be changed: EFBIG[^]*It is as it was\./)
    expect(readFileSync(workspace.path('file.txt'), 'utf8')).toBe('a')
    expect(readdirSync(workspace.root)).toEqual(['file.txt'])
  },
)
