import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { plainGit } from '../plain-git.ts'
import { pictureOf } from '../trees/picture.ts'
import { type Machine, travellingSession } from './machines.ts'

/** What lies in a folder, by paths within it. */
function files({ root }: Machine, without: readonly string[] = []): Record<string, string> {
  const all = [...pictureOf(root)].map(([path, what]) => [path.slice(root.length + 1), what] as const)
  return Object.fromEntries(
    all.filter(([path]) => !without.some((name) => path === name || path.startsWith(`${name}/`))),
  )
}

const everything = {
  'src/a.ts': 'export const a = 1\n',
  'src/b.ts': 'export const b = 2\n',
  'docs/dos.txt': 'one\r\ntwo\r\n',
  'docs/plain.md': '# A\n',
  '.gitattributes': '*.txt text eol=crlf\n*.bin filter=shout\n',
  '.gitignore': 'dist/\n.env*\n*.log\n',
  'data.bin': 'abc\n',
  'kept.log': 'tracked and ignored\n',
}

/** A project with all that is strange about files, perhaps with a remote that has its first commit. */
function makeProject({ root, variables }: Machine, remote: string | undefined): void {
  for (const [path, text] of Object.entries(everything)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  plainGit(root, ['init', '-q', '-b', 'main'])
  plainGit(root, ['config', 'filter.shout.clean', 'tr a-z A-Z'])
  plainGit(root, ['config', 'filter.shout.smudge', 'tr A-Z a-z'])
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(root, 'run.sh'), 0o755)
  symlinkSync('src/a.ts', join(root, 'link'))
  plainGit(root, ['add', '-A'])
  plainGit(root, ['add', '-f', 'kept.log'])
  plainGit(root, ['commit', '-q', '-m', 'first'])
  if (remote !== undefined) {
    plainGit(root, ['clone', '-q', '--bare', root, remote])
    plainGit(remote, ['config', 'uploadpack.allowFilter', 'true'])
    plainGit(root, ['remote', 'add', 'origin', remote])
    plainGit(root, ['fetch', '-q', 'origin'])
  }
  mkdirSync(join(root, 'nested'))
  plainGit(join(root, 'nested'), ['init', '-q'])
  writeFileSync(join(root, 'nested', 'inside'), 'inside\n')
  mkdirSync(join(root, 'empty', 'folder'), { recursive: true })
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist', 'out.js'), 'built\n')
  writeFileSync(join(root, '.env'), 'TOKEN=x\n')
  writeFileSync(join(root, 'large'), '')
  truncateSync(join(root, 'large'), 200 * 1024 * 1024)
  void variables
}

test('what was changed of a file that the remote has comes to an empty machine, and to a clone', async () => {
  await using travel = await travellingSession()
  const [first, second, third] = [travel.machine('one'), travel.machine('two'), travel.machine('three')]
  const remote = join(travel.base, 'remote.git')
  const lines = Array.from({ length: 400 }, (_unused, index) => `line ${index} of a file that is worth a delta\n`)
  mkdirSync(join(first.root, 'src'), { recursive: true })
  writeFileSync(join(first.root, 'src', 'long.txt'), lines.join(''))
  makeProject(first, remote)
  await travel.save(first)
  writeFileSync(join(first.root, 'src', 'long.txt'), lines.with(200, 'changed\n').join(''))
  const { bytes } = await travel.save(first)
  // Only with what the remote has can the file be made of so little.
  expect(bytes).toBeLessThan(2000)
  const left = ['.git', 'dist', '.env', 'large', 'nested']
  expect(files(await travel.go(second), left)).toEqual(files(first, left))
  plainGit(travel.base, ['clone', '-q', remote, third.root])
  expect(files(await travel.go(third), left)).toEqual(files(first, left))
})

describe.each(sample(['with a remote', 'without a remote'], { quick: 1 }))('a session whose project is %s', (kind) => {
  test(
    'has the same files on the next machine, names what was left out, and comes back',
    { timeout: 120_000 },
    async () => {
      await using travel = await travellingSession()
      const [first, second, third] = [travel.machine('one'), travel.machine('two'), travel.machine('three')]
      makeProject(first, kind === 'with a remote' ? join(travel.base, 'remote.git') : undefined)
      const left = ['nested', 'large', 'dist', '.env']
      await travel.save(first)
      writeFileSync(join(first.root, 'src/a.ts'), 'export const a = 3\n')
      rmSync(join(first.root, 'docs/plain.md'))
      writeFileSync(join(first.root, 'docs/new.txt'), 'mixed\r\nends\n')
      const { tree } = await travel.save(first)

      const there = await travel.go(second)
      expect(there).toMatchObject({
        kind: 'prepared',
        how: kind === 'with a remote' ? 'cloned' : 'unpacked',
        tree: tree.id,
      })
      expect(files(there)).toEqual(files(first, left))
      expect(statSync(join(there.root, 'run.sh')).mode & 0o100).toBe(0o100)
      expect(there.kind === 'prepared' && there.missing.map(({ kind: what, names }) => [what, ...names])).toEqual([
        ['ignored', '.env', 'dist/'],
        ['large', 'large'],
        ['nested', 'nested/'],
      ])
      const head = (at: Machine) => plainGit(at.root, ['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'])
      expect(head(there)).toBe(head(first))

      // Work and a commit on the second machine, then on to a third, and back to the first.
      appendFileSync(join(there.root, 'src/b.ts'), '// more\n')
      plainGit(there.root, ['add', 'src'])
      plainGit(there.root, ['commit', '-q', '-m', 'second'])
      const after = await travel.save(there)
      const further = await travel.go(third)
      expect(files(further)).toEqual(files(there))
      expect(plainGit(further.root, ['log', '--format=%s'])).toBe('second\nfirst\n')
      const back = await travel.go(first)
      expect(back).toMatchObject({ kind: 'prepared', how: 'updated', kept: [] })
      expect(files(first, left)).toEqual(files(there))
      expect(await travel.treeOf(first)).toBe(after.tree.id)
      expect(readFileSync(join(first.root, '.env'), 'utf8')).toBe('TOKEN=x\n')
      expect(head(first)).toBe(head(there))
      // Where it was last nothing is prepared, whatever lies there.
      appendFileSync(join(first.root, 'src/b.ts'), '// by the user\n')
      expect((await travel.go(first)).kind).toBe('here')
    },
  )
})

test.each(['without a remote', 'with a remote that is behind'])(
  'a project that is a part of its repository has the rest of it around, %s: no commit would delete that',
  async (how) => {
    await using journey = await travellingSession()
    const [one, two] = [journey.machine('one'), journey.machine('two')]
    const top = one.root
    const commit = (path: string, text: string) => {
      mkdirSync(join(top, path, '..'), { recursive: true })
      writeFileSync(join(top, path), text)
      plainGit(top, ['add', '-A'])
      plainGit(top, ['commit', '-q', '-m', path])
    }
    mkdirSync(top)
    plainGit(top, ['init', '-q', '-b', 'main'])
    commit('other/b.txt', 'one\n')
    commit('packages/[a]/a.txt', 'a\n')
    if (how === 'with a remote that is behind') {
      plainGit(top, ['clone', '-q', '--bare', top, join(journey.base, 'remote')])
      plainGit(top, ['remote', 'add', 'origin', join(journey.base, 'remote')])
      plainGit(top, ['fetch', '-q', 'origin'])
    }
    commit('other/b.txt', 'two\n')
    writeFileSync(join(top, 'packages/[a]/a.txt'), 'changed\n')
    await journey.save({ ...one, root: join(top, 'packages/[a]') })
    const there = await journey.go(two)
    expect(there).toMatchObject({ kind: 'prepared', root: join(two.root, 'packages/[a]'), missing: [] })
    expect(readFileSync(join(two.root, 'other/b.txt'), 'utf8')).toBe('two\n')
    expect(plainGit(two.root, ['status', '--porcelain'])).toBe(' M "packages/[a]/a.txt"\n'.replaceAll('"', ''))
  },
)

test('what git leaves of a repository within the project, and what it had begun, is named as left out', async () => {
  await using journey = await travellingSession()
  const [one, two] = [journey.machine('one'), journey.machine('two')]
  const inner = join(journey.base, 'inner')
  for (const [root, file] of [
    [inner, 'inner.txt'],
    [one.root, 'a.txt'],
  ] as const) {
    mkdirSync(root)
    writeFileSync(join(root, file), 'one\n')
    plainGit(root, ['init', '-q', '-b', 'main'])
    plainGit(root, ['add', '-A'])
    plainGit(root, ['commit', '-q', '-m', 'first'])
  }
  plainGit(one.root, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'lib'])
  plainGit(one.root, ['commit', '-q', '-am', 'with lib'])
  plainGit(one.root, ['clone', '-q', '--bare', one.root, join(journey.base, 'remote')])
  plainGit(one.root, ['remote', 'add', 'origin', join(journey.base, 'remote')])
  plainGit(one.root, ['fetch', '-q', 'origin'])
  appendFileSync(join(one.root, 'lib', 'inner.txt'), 'changed\n')
  await journey.save(one)
  writeFileSync(join(one.root, '.git', 'MERGE_HEAD'), `${plainGit(one.root, ['rev-parse', 'HEAD'])}`)
  writeFileSync(join(one.root, '.git', 'info', 'exclude'), 'late.log\n')
  writeFileSync(join(one.root, 'late.log'), 'ignored, and not there at the first save\n')
  await journey.save(one)
  const prepared = await journey.go(two)
  expect(existsSync(join(two.root, 'lib'))).toBe(true)
  expect(prepared).toMatchObject({
    kind: 'prepared',
    missing: [
      { kind: 'ignored', names: ['late.log'] },
      { kind: 'nested', names: ['lib/'] },
      { kind: 'unfinished', names: ['merge'] },
    ],
  })
})

describe('a folder that the session does not know', () => {
  test('is left as it is, and what differs is named', async () => {
    await using travel = await travellingSession()
    const [first, second] = [travel.machine('one'), travel.machine('two')]
    mkdirSync(first.root)
    writeFileSync(join(first.root, 'a'), 'a')
    await travel.save(first)
    const there = await travel.go(second)
    writeFileSync(join(there.root, 'a'), 'there')
    await travel.save(there)
    writeFileSync(join(first.root, 'mine'), 'not known')
    await expect(travel.go(first)).rejects.toMatchObject({ code: 'workspace_differs', message: /mine/ })
    expect(files(first)).toEqual({ a: 'file a', mine: 'file not known' })
    // A worker that owns the folder has it made anew.
    expect(await travel.go(first, { replace: true })).toMatchObject({ kind: 'prepared' })
    expect(files(first)).toEqual({ a: 'file there' })
    expect(existsSync(join(first.root, 'mine'))).toBe(false)
  })
})

describe('ignored files that the settings name', () => {
  test('go along, are brought up to date, and never replace those of somebody else', async () => {
    await using travel = await travellingSession()
    const [first, second] = [travel.machine('one'), travel.machine('two')]
    mkdirSync(join(first.root, 'node_modules/x'), { recursive: true })
    plainGit(first.root, ['init', '-q'])
    for (const [path, text] of Object.entries({
      '.gitignore': '.env*\nnode_modules/\ncache/\n',
      '.env': 'A=1\n',
      '.env.local': 'B=1\n',
      'node_modules/x/.env': 'not meant\n',
    })) {
      writeFileSync(join(first.root, path), text)
    }
    const carry = ['.env*', 'cache/**']
    const { saved } = await travel.save(first, carry)
    expect(saved?.carried?.count).toBe(2)
    expect(saved?.leftOut.map(({ kind, names }) => [kind, ...names])).toEqual([['ignored', 'node_modules/']])
    const there = await travel.go(second)
    expect(there).toMatchObject({ missing: [{ kind: 'ignored', names: ['node_modules/'] }], kept: [] })
    expect(files(there, ['.gitignore'])).toEqual({ '.env': 'file A=1\n', '.env.local': 'file B=1\n' })
    mkdirSync(join(there.root, 'cache'))
    writeFileSync(join(there.root, 'cache/c'), 'c')
    writeFileSync(join(there.root, '.env'), 'A=2\n')
    await travel.save(there, carry)
    writeFileSync(join(first.root, '.env.local'), 'B=mine\n')
    const back = await travel.go(first)
    expect(back).toMatchObject({ kind: 'prepared', kept: ['.env.local'] })
    expect(files(first, ['.gitignore', 'node_modules'])).toEqual({
      '.env': 'file A=2\n',
      '.env.local': 'file B=mine\n',
      'cache/c': 'file c',
    })
  })
})

describe('what a store says of files', () => {
  test('that lead out of the folder, or into a repository, makes none', async () => {
    for (const [name, emptyFolder] of [
      ['..', ''],
      ['.git', ''],
      ['.GIT', ''],
      ['a/../b', ''],
      ['.loader', ''],
      ['a', '../out/'],
      ['through a link', ''],
    ] as const) {
      await using travel = await travellingSession()
      const [first, second] = [travel.machine('one'), travel.machine('two')]
      mkdirSync(first.root)
      writeFileSync(join(first.root, 'a'), 'a')
      await travel.save(first)
      const tree = await travel.saveForged(first, name, emptyFolder)
      expect(tree).toMatch(/^[0-9a-f]{40}$/)
      await expect(travel.go(second)).rejects.toMatchObject({ code: 'workspace_differs' })
      expect(readdirSync(second.root)).toEqual([])
      expect(existsSync(join(second.root, '../out'))).toBe(false)
      expect(existsSync(join(travel.base, 'file'))).toBe(false)
    }
  })

  test('without the packs, as in a copy to be passed on, is told apart from files that differ', async () => {
    await using travel = await travellingSession()
    const [first, second] = [travel.machine('one'), travel.machine('two')]
    mkdirSync(first.root)
    writeFileSync(join(first.root, 'a'), 'a')
    await travel.save(first, [], 'without its pack')
    await expect(travel.go(second)).rejects.toMatchObject({ message: expect.stringContaining('left out of this copy') })
  })
})
