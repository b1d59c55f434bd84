import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { ObjectStore } from '../../src/git/object-store.ts'
import { plainGit } from '../plain-git.ts'

function repository() {
  const root = mkdtempSync(join(tmpdir(), 'objects-'))
  plainGit(root, ['init', '-q'])
  return {
    root,
    folder: join(root, '.git'),
    packs: join(root, '.git/objects/pack'),
    git: (...args: readonly string[]) => plainGit(root, args),
    bytes: (...args: readonly string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 1e9 }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

type Repository = ReturnType<typeof repository>

/** Versions of files, many of them alike, so that packs hold them as differences. */
function commitVersions({ root, git }: Repository, versions: number): void {
  const lines = Array.from({ length: 400 }, () => randomBytes(12).toString('hex'))
  writeFileSync(join(root, 'nothing'), '')
  writeFileSync(join(root, 'bytes'), randomBytes(70_000))
  for (let version = 0; version < versions; version += 1) {
    lines.splice((version * 37) % 300, version % 5, `line ${version}`, ...lines.slice(0, version % 3))
    writeFileSync(join(root, 'text'), lines.join('\n'))
    writeFileSync(join(root, 'large'), `${lines.join('\n')}\n`.repeat(20 + version))
    git('add', '-A')
    git('commit', '-qm', `${version}`)
  }
}

/** Ids of all objects but for commits, with their type. */
function objectsOf({ git }: Repository): [id: string, type: string][] {
  const lines = git('cat-file', '--batch-check', '--batch-all-objects').trim().split('\n')
  return lines.map((line) => line.split(' ')).flatMap(([id = '', type = '']) => (type === 'commit' ? [] : [[id, type]]))
}

function expectAllRead(at: Repository, store = new ObjectStore(at.folder)): void {
  for (const [id, type] of objectsOf(at)) {
    expect(store.has(id)).toBe(true)
    const read = store.read(id)
    expect([id, read?.type]).toEqual([id, type])
    expect([id, at.bytes('cat-file', type, id).equals(read?.content ?? Buffer.alloc(0))]).toEqual([id, true])
  }
}

const forms = [
  { form: 'in files of their own', args: undefined },
  { form: 'in a pack', args: [] },
  { form: 'in a pack whose differences name what they differ from', args: ['-c', 'repack.useDeltaBaseOffset=false'] },
  { form: 'in a pack without differences', args: ['-c', 'pack.window=0'] },
  { form: 'in several packs', args: ['-c', 'pack.packSizeLimit=1m'] },
]

describe('objects are read as git reads them', () => {
  test.each(forms)('$form', ({ args }) => {
    using at = repository()
    commitVersions(at, times({ quick: 6, ci: 25 }))
    if (args !== undefined) at.git(...args, 'repack', '-adfq', '--depth=50')
    expectAllRead(at)
  })

  test('also when they are packed, come, and go while a store is open', () => {
    using at = repository()
    commitVersions(at, 2)
    const store = new ObjectStore(at.folder)
    expectAllRead(at, store)
    at.git('repack', '-adfq')
    at.git('prune-packed')
    expectAllRead(at, store)
    const old = objectsOf(at)
    commitVersions(at, 1)
    at.git('repack', '-adfq')
    expectAllRead(at, store)
    for (const name of readdirSync(at.packs)) rmSync(join(at.packs, name))
    for (const [id] of old) expect([store.has(id), store.read(id)]).toEqual([false, undefined])
  })

  test('and what is damaged is not there', () => {
    using at = repository()
    commitVersions(at, 3)
    const ids = objectsOf(at)
    at.git('repack', '-adfq')
    const [pack = ''] = readdirSync(at.packs).filter((name) => name.endsWith('.pack'))
    const path = join(at.packs, pack)
    chmodSync(path, 0o600)
    const bytes = readFileSync(path)
    for (let round = 0; round < times({ quick: 20, ci: 400 }); round += 1) {
      const other = Buffer.from(bytes)
      for (let count = 0; count < 20; count += 1)
        other[12 + ((round * 7919 + count * 104_729) % (other.length - 12))] = round
      writeFileSync(path, other)
      const store = new ObjectStore(at.folder)
      for (const [id, type] of ids) expect([undefined, type]).toContain(store.read(id)?.type)
    }
    truncateSync(path, 100)
    for (const [id] of ids) expect(() => new ObjectStore(at.folder).read(id)).not.toThrow()
    const [index = ''] = readdirSync(at.packs).filter((name) => name.endsWith('.idx'))
    chmodSync(join(at.packs, index), 0o600)
    truncateSync(join(at.packs, index), 500)
    for (const [id] of ids) expect(new ObjectStore(at.folder).has(id)).toBe(false)
  })
})

describe('objects that are kept', () => {
  test('are those of git, whoever writes them at the same time', async () => {
    using at = repository()
    const contents = [Buffer.alloc(0), Buffer.from('a\n'), randomBytes(100_000), Buffer.from('a\n')]
    const objects = contents.map((content) => ({ type: 'blob' as const, content }))
    const all = await Promise.all([1, 2, 3].map(() => new ObjectStore(at.folder).keep(objects)))
    for (const ids of all) {
      for (const [index, content] of contents.entries())
        expect(at.bytes('cat-file', 'blob', ids[index] ?? '').equals(content)).toBe(true)
    }
    expect(at.git('fsck', '--full', '--strict')).not.toMatch(/error|corrupt/)
    expect(readdirSync(join(at.folder, 'objects'), { recursive: true, encoding: 'utf8' }).join()).not.toContain('tmp')
  })

  test('and were there already are young, so that nobody prunes them', async () => {
    using at = repository()
    const store = new ObjectStore(at.folder)
    const object = { type: 'blob' as const, content: Buffer.from('a\n') }
    const [id = ''] = await store.keep([object])
    const path = join(at.folder, 'objects', id.slice(0, 2), id.slice(2))
    utimesSync(path, 1000, 1000)
    await store.keep([object])
    expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000_000)
    // In a pack that may go they are kept for themselves as well.
    plainGit(at.root, ['pack-objects', '-q', join(at.packs, 'pack')], `${id}\n`)
    rmSync(path)
    expect(store.has(id)).toBe(true)
    await store.keep([object])
    for (const name of readdirSync(at.packs)) rmSync(join(at.packs, name))
    expect(store.read(id)?.content.toString()).toBe('a\n')
  })
})
