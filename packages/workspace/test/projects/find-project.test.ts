import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { keepProject } from '../../src/index.ts'
import { plainGit } from '../plain-git.ts'
import { playground, repository } from './known-by.ts'

const hasBirthTime = statSync(import.meta.dirname, { bigint: true }).birthtimeNs > 0n

describe('a project', () => {
  test('is kept in the state folder under its name, for its user alone', async () => {
    await using at = await playground()
    mkdirSync(at.path('My app'))
    const { folders, root, standing } = at.find('My app')
    expect({ root, standing }).toEqual({ root: realpathSync(at.path('My app')), standing: { kind: 'new' } })
    expect(folders.folder).toMatch(/state\/projects\/My-app-[\da-f]{10}$/)
    expect(existsSync(at.path('state'))).toBe(false)
    at.work('My app', 'one')
    expect(statSync(folders.folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folders.folder, 'project.json')).mode & 0o777).toBe(0o600)
    expect(at.find('My app')).toMatchObject({ standing: { kind: 'known' }, folders: { sessions: folders.sessions } })
  })

  test('has a place for trees, caches, and what a session needs while it works', async () => {
    await using at = await playground()
    const { folders } = at.find('app')
    const { folder, trees, caches } = folders
    expect([trees, caches, folders.scratch('ses_1')]).toEqual([
      join(folder, 'files.git'),
      join(folder, 'caches'),
      join(folder, 'scratch', 'ses_1'),
    ])
    expect(() => folders.scratch('../../elsewhere')).toThrow(/session id/i)
  })

  test('does not share its place with another one of the same name', async () => {
    await using at = await playground()
    mkdirSync(at.path('a/app'), { recursive: true })
    mkdirSync(at.path('b/app'), { recursive: true })
    at.work('a/app', 'one')
    at.work('b/app', 'two')
    expect([at.sessions('a/app'), at.sessions('b/app')]).toEqual([['one'], ['two']])
  })

  test('is the same by every path that leads to it', async () => {
    await using at = await playground()
    mkdirSync(at.path('app'))
    symlinkSync(at.path('app'), at.path('link'))
    at.work('link', 'one')
    expect(at.sessions('app')).toEqual(['one'])
  })

  test('that is removed loses nothing, and finds its sessions when it is made anew', async () => {
    await using at = await playground()
    repository(at.path('app'), 'app')
    at.work('app', 'one')
    plainGit(at.path('app'), ['clean', '-xdf'])
    rmSync(at.path('app'), { recursive: true })
    expect(at.known()).toMatchObject([{ isThere: false, root: realpathSync(at.path()) + '/app' }])
    mkdirSync(at.path('app'))
    expect(at.sessions('app')).toEqual(['one'])
  })

  test('is not touched by looking', async () => {
    await using at = await playground()
    mkdirSync(at.path('app'))
    at.work('app', 'one')
    const before = await at.top.files()
    at.find('app')
    at.known()
    expect(await at.top.files()).toEqual(before)
  })
})

describe('a project that has moved', () => {
  test.runIf(hasBirthTime)(
    needing(!hasBirthTime && 'this file system does not tell when a file was made', 'is known by its folder'),
    async () => {
      await using at = await playground()
      mkdirSync(at.path('app'))
      at.work('app', 'one')
      const from = realpathSync(at.path('app'))
      renameSync(at.path('app'), at.path('new'))
      expect(at.find('new').standing).toEqual({ kind: 'moved', from })
      expect(at.sessions('new')).toEqual(['one'])
      at.work('new', 'two')
      expect(at.find('new').standing).toEqual({ kind: 'known' })
      expect(at.sessions('new')).toEqual(['one', 'two'])
      expect(at.known()).toMatchObject([{ isThere: true, root: realpathSync(at.path('new')) }])
    },
  )

  test.runIf(hasBirthTime)(
    needing(
      !hasBirthTime && 'this file system does not tell when a file was made',
      'is known also when a parent of it was moved',
    ),
    async () => {
      await using at = await playground()
      mkdirSync(at.path('work/app'), { recursive: true })
      at.work('work/app', 'one')
      renameSync(at.path('work'), at.path('older'))
      expect(at.sessions('older/app')).toEqual(['one'])
    },
  )

  test('to another disk is known by the first commit of its history', async () => {
    await using at = await playground()
    repository(at.path('app'))
    at.work('app', 'one')
    plainGit(at.path('app'), ['commit', '--quiet', '--allow-empty', '--message', 'more'])
    cpSync(at.path('app'), at.path('new'), { recursive: true })
    rmSync(at.path('app'), { recursive: true })
    expect(at.find('new').standing.kind).toBe('moved')
    expect(at.sessions('new')).toEqual(['one'])
  })

  test.runIf(hasBirthTime)(
    needing(
      !hasBirthTime && 'this file system does not tell when a file was made',
      'leaves its old path to another project',
    ),
    async () => {
      await using at = await playground()
      mkdirSync(at.path('app'))
      at.work('app', 'one')
      renameSync(at.path('app'), at.path('new'))
      at.work('new', 'two')
      mkdirSync(at.path('app'))
      expect(at.find('app').standing).toEqual({ kind: 'new' })
      at.work('app', 'three')
      expect([at.sessions('app'), at.sessions('new')]).toEqual([['three'], ['one', 'two']])
      expect(at.known()).toHaveLength(2)
    },
  )

  test.runIf(hasBirthTime)(
    needing(
      !hasBirthTime && 'this file system does not tell when a file was made',
      'loses nothing to a project that took its path before it was opened again',
    ),
    async () => {
      await using at = await playground()
      mkdirSync(at.path('app'))
      at.work('app', 'one')
      renameSync(at.path('app'), at.path('new'))
      mkdirSync(at.path('app'))
      at.work('app', 'two')
      expect(at.sessions('new')).toContain('one')
    },
  )

  test.runIf(hasBirthTime)(
    needing(!hasBirthTime && 'this file system does not tell when a file was made', 'and back again is where it was'),
    async () => {
      await using at = await playground()
      mkdirSync(at.path('app'))
      at.work('app', 'one')
      renameSync(at.path('app'), at.path('new'))
      at.work('new', 'two')
      renameSync(at.path('new'), at.path('app'))
      at.work('app', 'three')
      expect(at.sessions('app')).toEqual(['one', 'three', 'two'])
      expect(at.known()).toHaveLength(1)
    },
  )
})

describe('a copy of a project', () => {
  test('takes nothing of the original', async () => {
    await using at = await playground()
    repository(at.path('app'))
    at.work('app', 'one')
    cpSync(at.path('app'), at.path('copy'), { recursive: true })
    expect(at.find('copy').standing).toEqual({ kind: 'new' })
    at.work('copy', 'two')
    expect([at.sessions('app'), at.sessions('copy')]).toEqual([['one'], ['two']])
  })

  test('takes nothing of another copy that is gone while the original is there', async () => {
    await using at = await playground()
    repository(at.path('app'))
    at.work('app', 'one')
    plainGit(at.path(), ['clone', '--quiet', 'app', 'clone'])
    at.work('clone', 'two')
    rmSync(at.path('clone'), { recursive: true })
    plainGit(at.path(), ['clone', '--quiet', 'app', 'another'])
    expect(at.find('another').standing).toEqual({ kind: 'new' })
  })

  test('is no worktree: that has a place of its own', async () => {
    await using at = await playground()
    repository(at.path('app'))
    plainGit(at.path('app'), ['worktree', 'add', '--quiet', '../tree'])
    at.work('tree', 'one')
    rmSync(at.path('tree'), { recursive: true })
    plainGit(at.path('app'), ['worktree', 'prune'])
    plainGit(at.path('app'), ['worktree', 'add', '--quiet', '../other-tree'])
    expect(at.find('other-tree').standing).toEqual({ kind: 'new' })
  })
})

describe('another project', () => {
  test('at the path of one that is gone begins anew, and the one before stays known', async () => {
    await using at = await playground()
    repository(at.path('app'), 'first')
    at.work('app', 'one')
    rmSync(at.path('app'), { recursive: true })
    mkdirSync(at.path('taken'))
    repository(at.path('app'), 'second')
    expect(at.find('app').standing).toEqual({ kind: 'new' })
    at.work('app', 'two')
    expect(at.sessions('app')).toEqual(['two'])
    expect(new Set(at.known().map(({ isThere }) => isThere))).toEqual(new Set([false, true]))
  })

  test('that gets the number of a folder which was removed is not taken for it', async () => {
    await using at = await playground()
    for (let round = 0; round < 20; round += 1) {
      const name = `project-${round}`
      mkdirSync(at.path(name))
      expect(at.find(name).standing).toEqual({ kind: 'new' })
      at.work(name, 'one')
      rmSync(at.path(name), { recursive: true })
    }
  })
})

describe('project.json', () => {
  test('says how to recognise the project, and keeps what a newer version has added', async () => {
    await using at = await playground()
    repository(at.path('app'))
    const { folders } = at.work('app', 'one')
    const file = join(folders.folder, 'project.json')
    const written = JSON.parse(readFileSync(file, 'utf8'))
    expect(written).toMatchObject({
      format: 1,
      places: [{ root: realpathSync(at.path('app')), inode: `${statSync(at.path('app')).ino}` }],
      firstCommit: plainGit(at.path('app'), ['rev-parse', 'HEAD']).trim(),
    })
    writeFileSync(file, JSON.stringify({ ...written, added: 'later' }))
    rmSync(at.path('app'), { recursive: true })
    mkdirSync(at.path('app'))
    at.work('app', 'two')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ added: 'later', places: [{}, {}] })
  })

  test('learns of the first commit when there is one', async () => {
    await using at = await playground()
    mkdirSync(at.path('app'))
    const { folders } = at.work('app', 'one')
    repository(at.path('app'))
    at.work('app', 'two')
    expect(readFileSync(join(folders.folder, 'project.json'), 'utf8')).toContain('"firstCommit"')
  })

  test.for(['', '{', '[]', '{"format":2,"somewhere":"else"}'])(
    'that says %j is left alone, and its sessions are found by the path',
    async (content) => {
      await using at = await playground()
      mkdirSync(at.path('app'))
      const { folders } = at.work('app', 'one')
      writeFileSync(join(folders.folder, 'project.json'), content)
      expect(at.sessions('app')).toEqual(['one'])
      at.work('app', 'two')
      expect(at.sessions('app')).toEqual(['one', 'two'])
      expect(readFileSync(join(folders.folder, 'project.json'), 'utf8')).toBe(content)
      expect(at.known()).toMatchObject([{ root: undefined, folders: { folder: folders.folder } }])
    },
  )

  test('that is missing is written again', async () => {
    await using at = await playground()
    mkdirSync(at.path('app'))
    const { folders } = at.work('app', 'one')
    rmSync(join(folders.folder, 'project.json'))
    at.work('app', 'two')
    expect(at.known()).toMatchObject([{ isThere: true }])
    expect(at.sessions('app')).toEqual(['one', 'two'])
  })

  test('is written once when two processes begin in the same moment', async () => {
    await using at = await playground()
    mkdirSync(at.path('app'))
    const [one, other] = [at.find('app'), at.find('app')]
    keepProject(one, at.options)
    keepProject(other, at.options)
    expect(at.known()).toHaveLength(1)
  })
})

test('a state folder that cannot be written is named, with what to set', async () => {
  await using at = await playground()
  mkdirSync(at.path('app'))
  const project = at.find('app')
  writeFileSync(at.path('state'), 'a file')
  expect(() => keepProject(project, at.options)).toThrow(/state\/projects\/app-.*Set LOADER_STATE/)
})

test.runIf(process.getuid?.() !== 0)(
  needing(
    process.getuid?.() === 0 && 'root can read it',
    'a state folder that cannot be read is named, with what to set',
  ),
  async () => {
    await using at = await playground()
    mkdirSync(at.path('state/projects'), { recursive: true })
    chmodSync(at.path('state/projects'), 0)
    expect(() => at.known()).toThrow(/Set LOADER_STATE/)
    chmodSync(at.path('state/projects'), 0o700)
  },
)

test('the name of a folder is readable whatever a project is called', async () => {
  await using at = await playground()
  const names = ['日本', '..', 'con.x', 'a b/../c', '-rf', 'x'.repeat(200), 'emoji 🎉 party']
  const folders = names.map((name) => basename(at.find(`p/${name}`).folders.folder))
  for (const folder of folders) expect(folder).toMatch(/^[A-Za-z0-9_][\w-]{0,39}-[\da-f]{10}$/)
  expect(new Set(folders).size).toBe(names.length)
})
