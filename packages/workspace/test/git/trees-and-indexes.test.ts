import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { looksOf, noLooks, readIndex, writeIndex } from '../../src/git/index-file.ts'
import { blobId } from '../../src/git/object-id.ts'
import { buildTree, type FolderEntries, parseFolder } from '../../src/git/tree-object.ts'
import { plainGit } from '../plain-git.ts'

function project() {
  const root = mkdtempSync(join(tmpdir(), 'indexes-'))
  plainGit(root, ['init', '-q'])
  return {
    root,
    index: join(root, '.git/index'),
    git: (...args: readonly string[]) => plainGit(root, args),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

const parts = ['a', 'a.b', 'a-b', 'a0', 'b', 'é', 'ÿ', ' ', 'z'.repeat(200)]

/** Paths none of which is a folder of another; others for each seed. */
function somePaths(seed: number): string[] {
  let state = seed * 7919 + 1
  const below = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most
  const names = () => Array.from({ length: 1 + below(4) }, () => parts[below(parts.length)] ?? '')
  const paths = new Set(Array.from({ length: 60 }, () => names().join('/')))
  return [...paths].filter((path) => ![...paths].some((other) => other.startsWith(`${path}/`)))
}

const latin1 = (path: string) => Buffer.from(path).toString('latin1')

describe('a tree and an index', () => {
  test('are what git makes of the same files', () => {
    for (let round = 0; round < times({ quick: 3, ci: 30 }); round += 1) {
      using at = project()
      const paths = somePaths(round)
      for (const [place, path] of paths.entries()) {
        mkdirSync(dirname(join(at.root, path)), { recursive: true })
        if (place % 7 === 0) symlinkSync(`to ${place}`, join(at.root, path))
        else writeFileSync(join(at.root, path), `${place % 5}`, { mode: place % 3 === 0 ? 0o755 : 0o644 })
      }
      at.git('add', '-A')
      const tree = at.git('write-tree').trim()
      const entries = readIndex(at.index) ?? new Map()
      expect(new Set(entries.keys())).toEqual(new Set(paths.map(latin1)))
      const built = buildTree(entries)
      expect(built.at(-1)?.id).toBe(tree)
      const plain = (names: FolderEntries) => new Map(names.map(([name, { mode, blob }]) => [name, `${mode} ${blob}`]))
      for (const { content, entries: names } of built) expect(plain(parseFolder(content))).toEqual(plain(names))
      // The looks that we note are those that git notes.
      for (const [path, { looks, mode }] of entries) {
        const stats = lstatSync(join(at.root, Buffer.from(path, 'latin1').toString()), { bigint: true })
        expect([path, looksOf(stats, mode).toString('hex')]).toEqual([path, looks.toString('hex')])
      }
      const listed = at.git('ls-files', '-s', '-z', '--debug')
      writeIndex(at.index, new Map([...entries].reverse()))
      expect(at.git('ls-files', '-s', '-z', '--debug')).toBe(listed)
      expect(at.git('write-tree').trim()).toBe(tree)
      expect(at.git('fsck', '--full')).not.toMatch(/error/)
      expect(readIndex(at.index)).toEqual(entries)
    }
  })

  test('without looks are read again by git', () => {
    using at = project()
    writeFileSync(join(at.root, 'a'), 'now')
    const blob = blobId(Buffer.from('before'))
    writeIndex(at.index, new Map([['a', { mode: '100644', blob, looks: noLooks('100644') }]]))
    expect(at.git('diff-files', '--name-only').trim()).toBe('a')
    const same = blobId(Buffer.from('now'))
    writeIndex(at.index, new Map([['a', { mode: '100644', blob: same, looks: noLooks('100644') }]]))
    expect(at.git('status', '--porcelain')).toBe('A  a\n')
  })

  test('of names that are longer than an index can count', () => {
    using at = project()
    const path = Array.from({ length: 30 }, (_, place) => `${place}`.repeat(100)).join('/')
    writeIndex(at.index, new Map([[path, { mode: '100644', blob: blobId(Buffer.alloc(0)), looks: noLooks('100644') }]]))
    expect(at.git('ls-files', '-z')).toBe(`${path}\0`)
    expect([...(readIndex(at.index) ?? new Map()).keys()]).toEqual([path])
  })

  test('that are damaged are said to be', () => {
    using at = project()
    expect(readIndex(at.index)).toBeUndefined()
    for (const text of ['', 'DIRC', 'DIRC\0\0\0\x02\0\0\0\x09'.padEnd(100, 'x')]) {
      writeFileSync(at.index, text, 'latin1')
      expect(() => readIndex(at.index)).toThrow(/damaged/)
    }
  })
})
