import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pictureOf } from './picture.ts'
import { taken, temporaryTrees } from './side.ts'

function project() {
  const at = temporaryTrees()
  mkdirSync(at.path('src/deep'), { recursive: true })
  writeFileSync(at.path('a.txt'), 'a\n')
  writeFileSync(at.path('src/b.txt'), 'b\n')
  writeFileSync(at.path('src/deep/c.txt'), 'c\n')
  writeFileSync(at.path('run.sh'), 'echo\n', { mode: 0o755 })
  symlinkSync('a.txt', at.path('link'))
  return at
}

const shown = (steps: readonly { path: string; action: string }[]) =>
  steps.map(({ action, path }) => `${action} ${path}`)

describe('going back to a tree', () => {
  test('undoes what a shell has moved, made, changed and deleted, as the preview says', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    const picture = pictureOf(at.root)
    renameSync(at.path('src/deep'), at.path('moved'))
    writeFileSync(at.path('a.txt'), 'changed\n')
    rmSync(at.path('link'))
    chmodSync(at.path('run.sh'), 0o644)
    mkdirSync(at.path('new/folder'), { recursive: true })
    writeFileSync(at.path('new/folder/x'), 'x')
    const after = await taken(trees)
    const plan = await trees.planRestore(after, before)
    expect(shown(plan.steps)).toEqual([
      'remove new/folder/x',
      'remove moved/c.txt',
      'remove_folder new/folder',
      'remove_folder new',
      'remove_folder moved',
      'write a.txt',
      'write link',
      'write run.sh',
      'write src/deep/c.txt',
    ])
    const restored = await trees.restore(plan)
    expect(restored).toEqual(plan.steps.map(({ path }) => ({ path, outcome: 'restored' })))
    expect(pictureOf(at.root)).toEqual(picture)
  })

  test('leaves alone and names what was changed, made or removed since', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('a.txt'), 'by the turn\n')
    writeFileSync(at.path('src/b.txt'), 'by the turn\n')
    writeFileSync(at.path('new.txt'), 'by the turn\n')
    rmSync(at.path('link'))
    const after = await taken(trees)
    writeFileSync(at.path('a.txt'), 'by somebody\n')
    rmSync(at.path('new.txt'))
    symlinkSync('elsewhere', at.path('link'))
    const restored = await trees.restore(await trees.planRestore(after, before))
    expect(restored).toEqual([
      { path: 'src/b.txt', outcome: 'restored' },
      { path: 'a.txt', outcome: 'kept', reason: 'It was changed since.' },
      { path: 'link', outcome: 'kept', reason: 'It was changed since.' },
      { path: 'new.txt', outcome: 'kept', reason: 'It is as it was before already.' },
    ])
    expect(readFileSync(at.path('a.txt'), 'utf8')).toBe('by somebody\n')
  })

  test('keeps what changes between the preview and the deed', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('a.txt'), 'by the turn\n')
    writeFileSync(at.path('src/b.txt'), 'by the turn\n')
    const plan = await trees.planRestore(await taken(trees), before)
    writeFileSync(at.path('a.txt'), 'by somebody\n')
    expect(await trees.restore(plan)).toEqual([
      { path: 'a.txt', outcome: 'kept', reason: 'It was changed since the plan was made.' },
      { path: 'src/b.txt', outcome: 'restored' },
    ])
    expect(await trees.restore(plan)).toMatchObject([{ outcome: 'kept' }, { outcome: 'kept' }])
  })

  test('does not follow a link that took the place of a folder', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('src/b.txt'), 'by the turn\n')
    const after = await taken(trees)
    renameSync(at.path('src'), join(at.base, 'outside'))
    symlinkSync(join(at.base, 'outside'), at.path('src'))
    const plan = await trees.planRestore(after, before)
    expect(plan.steps).toEqual([{ path: 'src/b.txt', action: 'keep', reason: 'It was removed since.' }])
    await trees.restore(plan)
    expect(readFileSync(join(at.base, 'outside/b.txt'), 'utf8')).toBe('by the turn\n')
  })

  test('leaves a folder that holds files of somebody else, and one that was empty before', async () => {
    using at = project()
    mkdirSync(at.path('was-empty'))
    const trees = at.open()
    const before = await taken(trees)
    for (const folder of ['was-empty', 'made', 'shared']) {
      mkdirSync(at.path(folder), { recursive: true })
      writeFileSync(at.path(folder, 'x'), 'x')
    }
    const after = await taken(trees)
    writeFileSync(at.path('shared/theirs'), 't')
    await trees.restore(await trees.planRestore(after, before))
    expect(
      ['was-empty', 'made', 'shared', 'shared/x', 'shared/theirs'].map((path) => existsSync(at.path(path))),
    ).toEqual([true, false, true, false, true])
  })

  test('keeps the rights of a file, and gives them to programs only', async () => {
    using at = project()
    chmodSync(at.path('a.txt'), 0o600)
    chmodSync(at.path('run.sh'), 0o750)
    const trees = at.open()
    const before = await taken(trees)
    for (const path of ['a.txt', 'run.sh']) writeFileSync(at.path(path), 'changed')
    chmodSync(at.path('run.sh'), 0o640)
    await trees.restore(await trees.planRestore(await taken(trees), before))
    expect(['a.txt', 'run.sh'].map((path) => (statSync(at.path(path)).mode & 0o777).toString(8))).toEqual([
      '600',
      '750',
    ])
  })

  test('sweeps what a process that was killed while it wrote has left, and no tree has it', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    writeFileSync(at.path(`.tree.${gone}-abc-1.loader-tmp`), 'half')
    expect((await taken(trees)).id).toBe(before.id)
    writeFileSync(at.path('a.txt'), 'changed')
    await trees.restore(await trees.planRestore(await taken(trees), before))
    expect(readdirSync(at.root).sort()).toEqual(['a.txt', 'link', 'run.sh', 'src'])
  })

  test('takes chosen paths alone', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    for (const path of ['a.txt', 'src/b.txt', 'src/deep/c.txt']) writeFileSync(at.path(path), 'changed')
    const plan = await trees.planRestore(await taken(trees), before, { paths: ['src/deep', 'a.txt'] })
    expect(shown(plan.steps)).toEqual(['write a.txt', 'write src/deep/c.txt'])
  })

  test('says when what it would need is damaged or gone, and changes nothing', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('a.txt'), 'changed')
    const after = await taken(trees)
    const plan = await trees.planRestore(after, before)
    const blob = '78981922613b2afb6025042ff6bd878ac1994e85'
    const path = join(at.folder, 'objects', blob.slice(0, 2), blob.slice(2))
    const other = '61780798228d17af2d34fce4cfbdf35556832472'
    chmodSync(path, 0o600)
    writeFileSync(path, readFileSync(join(at.folder, 'objects', other.slice(0, 2), other.slice(2))))
    expect(await trees.restore(plan)).toMatchObject([{ path: 'a.txt', outcome: 'kept' }])
    expect(readFileSync(at.path('a.txt'), 'utf8')).toBe('changed')
    const unknown = { id: '0123456789'.repeat(4), rest: before.rest }
    await expect(trees.planRestore(after, unknown)).rejects.toMatchObject({ code: 'blob_missing' })
  })

  test('shows a text that people can read', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('a.txt'), 'changed\n')
    writeFileSync(at.path('.gitattributes'), '*.txt -diff\n')
    const after = await taken(trees)
    expect(await trees.patch(before.id, after.id, { paths: ['a.txt'] })).toContain('-a\n+changed\n')
    expect(lstatSync(at.path('link')).isSymbolicLink()).toBe(true)
  })
})
