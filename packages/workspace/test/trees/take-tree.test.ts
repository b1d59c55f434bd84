import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TreeTaken, WorkspaceTree } from '@loader/session-core/coding'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { programOnPath } from '../../src/index.ts'
import { plainGit } from '../plain-git.ts'
import { pictureOf } from './picture.ts'
import { taken, temporaryTrees } from './side.ts'

const git = programOnPath('git', { PATH: process.env['PATH'] ?? '' }, '/nowhere') ?? ''

/** A repository in which everything is committed. */
function project(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }) {
  const at = temporaryTrees()
  mkdirSync(at.root)
  write(at.root, files)
  plainGit(at.root, ['init', '-q'])
  plainGit(at.root, ['add', '-A'])
  plainGit(at.root, ['commit', '-qm', 'All'])
  return at
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** What the side repository holds, by path. */
function held(folder: string, { id }: WorkspaceTree): Record<string, string> {
  const run = (...args: string[]) => execFileSync(git, args, { env: { GIT_DIR: folder }, encoding: 'latin1' })
  const paths = run('ls-tree', '-r', '-z', '--name-only', id).split('\0').slice(0, -1)
  return Object.fromEntries(paths.map((path) => [path, run('cat-file', 'blob', `${id}:${path}`)]))
}

const namesOf = ({ leftOut }: WorkspaceTree) => Object.fromEntries(leftOut.map(({ kind, names }) => [kind, names]))

describe('a tree', () => {
  test('has the bytes of every file, whatever attributes and filters the project names', async () => {
    using at = project()
    const attributes =
      '*.txt text eol=crlf ident\n*.bin filter=lfs diff=lfs merge=lfs -text\n*.u working-tree-encoding=UTF-16LE\n'
    const files = {
      '.gitattributes': attributes,
      'a.txt': '$Id$\r\nmixed\nends',
      'x.bin': '\0\x01',
      'y.u': 'no utf-16',
    }
    write(at.root, files)
    plainGit(at.root, ['config', 'filter.lfs.clean', 'touch ran; cat'])
    plainGit(at.root, ['config', 'filter.lfs.required', 'true'])
    plainGit(at.root, ['config', 'core.autocrlf', 'input'])
    const tree = await taken(at.open())
    expect(held(at.folder, tree)).toEqual({ ...files, 'src/b.txt': 'b\n' })
    expect(existsSync(at.path('ran'))).toBe(false)
  })

  test('stays right when a command overwrites or prunes the objects of the project', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    rmSync(at.path('.git', 'objects'), { recursive: true })
    mkdirSync(at.path('.git', 'objects'))
    const after = await taken(trees)
    expect([after.id, held(at.folder, after)]).toEqual([before.id, { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }])
    expect(existsSync(join(at.folder, 'objects', 'info', 'alternates'))).toBe(false)
  })

  test('leaves everything in the repository of the user as it was', async () => {
    using at = project()
    write(at.root, { 'new.txt': 'n', 'a.txt': 'changed' })
    plainGit(at.root, ['add', 'new.txt'])
    const insides = () =>
      Object.fromEntries(
        readdirSync(at.path('.git'), { recursive: true, encoding: 'utf8' })
          .sort()
          .map((path) => [path, contentOf(at.path('.git', path))]),
      )
    const before = insides()
    await taken(at.open())
    expect(insides()).toEqual(before)
  })

  test('has neither what info/exclude names nor what the global ignore file names', async () => {
    using at = project()
    write(at.base, { 'home/.config/git/ignore': 'secret.global\n' })
    appendFileSync(at.path('.git', 'info', 'exclude'), 'secret.local\n')
    write(at.root, { 'secret.global': 's', 'secret.local': 's', 'kept.txt': 'k' })
    const tree = await taken(at.open())
    expect(Object.keys(held(at.folder, tree))).toEqual(['a.txt', 'kept.txt', 'src/b.txt'])
    expect(namesOf(tree)['ignored']).toEqual(['secret.global', 'secret.local'])
  })

  test('follows core.excludesFile of the user', async () => {
    using at = project()
    write(at.base, { 'home/.gitconfig': '[core]\n\texcludesFile = ~/mine\n', 'home/mine': 'secret\n' })
    write(at.root, { secret: 's' })
    expect(namesOf(await taken(at.open()))['ignored']).toEqual(['secret'])
  })

  test('has what is tracked and ignored, also when it comes later', async () => {
    using at = project({ '.gitignore': '*.log\n', 'a.txt': 'a' })
    write(at.root, { 'kept.log': 'k', 'gone.log': 'g', 'other.log': 'o' })
    plainGit(at.root, ['add', '-f', 'kept.log', 'gone.log'])
    rmSync(at.path('gone.log'))
    const trees = at.open()
    expect(Object.keys(held(at.folder, await taken(trees)))).toEqual(['.gitignore', 'a.txt', 'kept.log'])
    write(at.root, { 'gone.log': 'g' })
    expect(Object.keys(held(at.folder, await taken(trees)))).toContain('gone.log')
  })

  test('keeps a file that a rule ignores only since it was in a tree', async () => {
    using at = project()
    const trees = at.open()
    write(at.root, { 'hidden.txt': 'before' })
    const before = await taken(trees)
    write(at.root, { 'hidden.txt': 'after', '.gitignore': 'hidden.txt\n' })
    const after = await taken(trees)
    expect(await trees.changes(before.id, after.id)).toEqual([
      { path: '.gitignore', change: 'added' },
      { path: 'hidden.txt', change: 'modified' },
    ])
    expect((await taken(at.open())).id).toBe(after.id)
    writeFileSync(join(at.folder, 'index'), 'damaged')
    expect((await taken(at.open())).id).toBe(after.id)
  })

  test('has the workspace alone when the repository begins above it, and the rules from there', async () => {
    using at = temporaryTrees()
    write(at.base, { '.gitignore': '/project/made\n*.tmp\n', other: 'o' })
    write(at.root, { 'a.txt': 'a', made: 'm', 'x.tmp': 'x', 'sub/b.txt': 'b' })
    plainGit(at.base, ['init', '-q'])
    const trees = at.open()
    const tree = await taken(trees)
    expect(held(at.folder, tree)).toEqual({ 'a.txt': 'a', 'sub/b.txt': 'b' })
    expect(namesOf(tree)['ignored']).toEqual(['made', 'x.tmp'])
    rmSync(at.path('a.txt'))
    rmSync(at.path('sub'), { recursive: true })
    expect(held(at.folder, await taken(trees))).toEqual({})
  })

  test('has the workspace when the repository above ignores it', async () => {
    using at = temporaryTrees()
    write(at.base, { '.gitignore': 'project\n' })
    write(at.root, { 'a.txt': 'a' })
    plainGit(at.base, ['init', '-q'])
    expect(held(at.folder, await taken(at.open()))).toEqual({ 'a.txt': 'a' })
  })

  test('notices every edit of the same size that sets the time back, however soon it follows', async () => {
    using at = project()
    const trees = at.open()
    const edit = (text: string) => {
      writeFileSync(at.path('a.txt'), text)
      utimesSync(at.path('a.txt'), 1, 1)
    }
    const seen: string[] = []
    const rounds = times({ quick: 3, ci: 10 })
    for (let round = 0; round < rounds; round += 1) {
      edit(String.fromCharCode(97 + round))
      seen.push((await taken(trees)).id)
      // Touched, and the same as before: git finds that out by itself, and must not believe it for longer.
      edit(String.fromCharCode(97 + round))
      expect((await taken(trees)).id).toBe(seen.at(-1))
    }
    expect(new Set(seen).size).toBe(rounds)
  }, 120_000)
})

describe('what a tree leaves out is named', () => {
  test('repositories within it, with and without a commit, new ones too, without failing', async () => {
    using at = project()
    const trees = at.open()
    mkdirSync(at.path('empty-nested'))
    plainGit(at.path('empty-nested'), ['init', '-q'])
    write(at.root, { 'deep/in/x.txt': 'x', 'deep/in/nested/y.txt': 'y' })
    plainGit(at.path('deep/in/nested'), ['init', '-q'])
    plainGit(at.path('deep/in/nested'), ['add', '-A'])
    plainGit(at.path('deep/in/nested'), ['commit', '-qm', 'Y'])
    plainGit(at.root, ['worktree', 'add', '-q', 'tree'])
    write(at.root, { 'a.txt': 'changed' })
    const tree = await taken(trees)
    expect(held(at.folder, tree)).toEqual({ 'a.txt': 'changed', 'deep/in/x.txt': 'x', 'src/b.txt': 'b\n' })
    expect(namesOf(tree)['nested']).toEqual(['deep/in/nested/', 'empty-nested/', 'tree/'])
  })

  test('submodules', async () => {
    using at = project()
    using other = project()
    plainGit(at.root, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, 'sub'])
    const tree = await taken(at.open())
    expect(Object.keys(held(at.folder, tree))).toEqual(['.gitmodules', 'a.txt', 'src/b.txt'])
    expect(namesOf(tree)['nested']).toEqual(['sub/'])
  })

  test('but a repository that is made around files of a tree hides none of them', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    plainGit(at.path('src'), ['init', '-q'])
    write(at.root, { 'src/b.txt': 'changed' })
    const after = await taken(trees)
    expect(await trees.changes(before.id, after.id)).toEqual([{ path: 'src/b.txt', change: 'modified' }])
    expect(namesOf(after)['nested']).toEqual(['src/'])
  })

  test('large files, by their hash', async () => {
    using at = project()
    const trees = at.open({ limits: { largestFile: 1000 } })
    const small = await taken(trees)
    write(at.root, { 'big.bin': 'x'.repeat(1001), 'a.txt': 'y'.repeat(2000) })
    const one = await taken(trees)
    expect(Object.keys(held(at.folder, one))).toEqual(['src/b.txt'])
    expect(namesOf(one)['large']).toEqual(['a.txt', 'big.bin'])
    writeFileSync(at.path('big.bin'), 'z'.repeat(1001))
    const other = await taken(trees)
    expect([other.id === one.id, other.rest === one.rest]).toEqual([true, false])
    const plan = await trees.planRestore(other, small)
    expect(plan.steps.filter(({ action }) => action === 'keep')).toEqual([
      { path: 'a.txt', action: 'keep', reason: 'It is too large to be in a tree now.' },
      { path: 'big.bin', action: 'keep', reason: 'It is not in the tree (large).' },
    ])
  })

  test('a file of 2 GB, which is not stored', async () => {
    using at = project()
    writeFileSync(at.path('huge'), '')
    truncateSync(at.path('huge'), 2 * 1024 ** 3 + 1)
    expect(namesOf(await taken(at.open()))['large']).toEqual(['huge'])
  }, 120_000)

  test('empty folders, pipes, and names that git refuses', async () => {
    using at = project()
    mkdirSync(at.path('empty/er'), { recursive: true })
    execFileSync('mkfifo', [at.path('pipe')])
    rmSync(at.path('a.txt'))
    execFileSync('mkfifo', [at.path('a.txt')])
    write(at.root, { '.GIT/config': 'x' })
    symlinkSync('x', at.path('.gitmodules'))
    const tree = await taken(at.open())
    expect(Object.keys(held(at.folder, tree))).toEqual(['src/b.txt'])
    expect(namesOf(tree)).toEqual({
      empty: ['empty/er/'],
      special: ['a.txt', 'pipe'],
      unstorable: ['.GIT/config', '.gitmodules'],
    })
  })

  test('files and folders that cannot be read, and comes back when they can', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    rmSync(at.folder, { recursive: true })
    const asNobody = async (): Promise<TreeTaken> => {
      for (const path of [at.base, at.root]) chmodSync(path, 0o777)
      const child = fileURLToPath(new URL('../children/take-tree.ts', import.meta.url))
      const run = promisify(execFile)
      const args = ['--conditions=@loader/source', child, at.root, at.folder, git, 'as nobody']
      return JSON.parse((await run(process.execPath, args, { encoding: 'utf8' })).stdout)
    }
    expect(await asNobody()).toMatchObject({ kind: 'taken', tree: { id: before.id } })
    chmodSync(at.path('a.txt'), 0o000)
    chmodSync(at.path('src'), 0o000)
    const without = await asNobody()
    chmodSync(at.path('a.txt'), 0o644)
    chmodSync(at.path('src'), 0o755)
    expect(without).toMatchObject({
      tree: { leftOut: expect.arrayContaining([{ kind: 'unreadable', count: 2, names: ['a.txt', 'src/'] }]) },
    })
    expect(await asNobody()).toMatchObject({ kind: 'taken', tree: { id: before.id } })
  }, 120_000)
})

describe('there is no tree, and the reason is said,', () => {
  const whyOf = async (trees: { take(): Promise<TreeTaken> }) => {
    const answer = await trees.take()
    return answer.kind === 'refused' ? answer.why : 'taken'
  }

  test('without git', async () => {
    using at = project()
    expect(await whyOf(at.open({ git: undefined }))).toMatch(/no git on this machine/)
    expect(await whyOf(at.open({ git: '/nowhere/git' }))).toMatch(/git status: /)
  })

  test('when there is too much', async () => {
    using at = project()
    expect(await whyOf(at.open({ limits: { mostFiles: 1 } }))).toBe('there are more than 1 files')
    expect(await whyOf(at.open({ limits: { mostBytes: 3 } }))).toBe('its files weigh more than 3 bytes')
    expect(await whyOf(at.open())).toBe('taken')
  })

  test('when its place cannot be written', async () => {
    using at = project()
    writeFileSync(at.folder, 'a file')
    expect(await whyOf(at.open())).toMatch(/cannot be kept in .*side/)
  })

  test('when git fails on a file, and never the tree of before', async () => {
    using at = project()
    const failing = join(at.base, 'git')
    writeFileSync(
      failing,
      `#!/bin/sh\ncase "$*" in *update-index*) echo "disk on fire" >&2; exit 128;; esac\nexec ${git} "$@"\n`,
    )
    chmodSync(failing, 0o755)
    // Files as large as that are read by git.
    write(at.root, { 'large.txt': 'x'.repeat(2_000_000) })
    const trees = at.open({ git: failing })
    expect(await whyOf(trees)).toBe('git update-index: disk on fire')
    write(at.root, { 'c.txt': 'c' })
    expect(await whyOf(at.open())).toBe('taken')
  })

  test('when a part of it cannot be kept, and never the tree of before', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    write(at.root, { 'c.txt': 'c' })
    const { id } = await taken(at.open({ folder: join(at.base, 'other') }))
    const place = join(at.folder, 'objects', id.slice(0, 2))
    const kept = `${place}.kept`
    if (existsSync(place)) renameSync(place, kept)
    writeFileSync(place, 'not a folder')
    expect(await whyOf(trees)).toMatch(/already exists|not a folder|EEXIST/i)
    expect(await whyOf(trees)).not.toBe('taken')
    rmSync(place)
    if (existsSync(kept)) renameSync(kept, place)
    expect((await taken(trees)).id).toBe(id)
    expect(id).not.toBe(before.id)
  })
})

const folders = times({ quick: 2, ci: 200 })

test(`${folders * 100} files are a tree`, async () => {
  using at = temporaryTrees()
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(at.path(`${folder}`), { recursive: true })
    for (let file = 0; file < 100; file += 1) writeFileSync(at.path(`${folder}`, `${file}`), `${folder} ${file}`)
  }
  const trees = at.open()
  const before = await taken(trees)
  const picture = pictureOf(at.root)
  renameSync(at.path('1'), at.path('moved'))
  const after = await taken(trees)
  expect(await trees.changes(before.id, after.id)).toHaveLength(200)
  await trees.restore(await trees.planRestore(after, before))
  expect(pictureOf(at.root)).toEqual(picture)
}, 240_000)

function contentOf(path: string): string {
  const { ino, mtimeMs, mode } = statSync(path)
  return statSync(path).isDirectory() ? 'folder' : `${ino} ${mtimeMs} ${mode} ${readFileSync(path, 'latin1')}`
}
