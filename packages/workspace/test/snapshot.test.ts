import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { chmod, link, lutimes, rename, rm, symlink, truncate, unlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { openWorkspace } from '../src/index.ts'
import { plainGit } from './plain-git.ts'

const files = { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', '.gitignore': 'ignored/\n*.log\n' }

const kinds = [
  { name: 'with git', prepare: (root: string) => plainGit(root, ['init', '-q']), git: {} },
  {
    name: 'with git, everything committed',
    prepare: (root: string) => {
      plainGit(root, ['init', '-q'])
      plainGit(root, ['add', '.'])
      plainGit(root, ['commit', '-qm', 'All'])
    },
    git: {},
  },
  { name: 'without git', prepare: () => undefined, git: { git: null } },
] as const

describe.each(kinds)('a snapshot $name', ({ prepare, git }) => {
  const open = async () => {
    const workspace = await temporaryWorkspace({ files })
    prepare(workspace.root)
    const opened = openWorkspace({ root: workspace.root, ...git })
    return { workspace, take: () => opened.snapshot(), [Symbol.asyncDispose]: () => workspace.dispose() }
  }

  test('has every file that counts, by path', async () => {
    await using at = await open()
    const { files: found, fingerprint } = await at.take()
    expect([...found.keys()]).toEqual(['.gitignore', 'a.txt', 'src/b.txt', 'src/deep/c.txt'])
    expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('is the same as long as nothing changes, also for somebody who looks for the first time', async () => {
    await using at = await open()
    const { fingerprint } = await at.take()
    await utimes(at.workspace.path('a.txt'), 1, 1)
    expect((await at.take()).fingerprint).toBe(fingerprint)
    expect((await openWorkspace({ root: at.workspace.root, ...git }).snapshot()).fingerprint).toBe(fingerprint)
  })

  type Change = readonly [about: string, change: (workspace: TemporaryWorkspace) => unknown, paths: readonly string[]]
  const changes: readonly Change[] = [
    ['a byte', (it) => it.write('a.txt', 'A\n'), ['a.txt']],
    ['a byte in a folder', (it) => it.write('src/deep/c.txt', 'd\n'), ['src/deep/c.txt']],
    ['the last line break', (it) => it.write('a.txt', 'a'), ['a.txt']],
    ['the mode', (it) => chmod(it.path('a.txt'), 0o755), ['a.txt']],
    ['the right of others to read', (it) => chmod(it.path('a.txt'), 0o640), ['a.txt']],
    ['the name', (it) => rename(it.path('a.txt'), it.path('z.txt')), ['a.txt', 'z.txt']],
    ['the case of the name', (it) => rename(it.path('a.txt'), it.path('A.txt')), ['A.txt', 'a.txt']],
    ['a new file', (it) => it.write('src/new.txt', ''), ['src/new.txt']],
    ['a new hidden file', (it) => it.write('.env', 'x'), ['.env']],
    ['a file that is gone', (it) => unlink(it.path('src/b.txt')), ['src/b.txt']],
    ['a folder that is gone', (it) => rm(it.path('src'), { recursive: true }), ['src/b.txt', 'src/deep/c.txt']],
    ['a new link', (it) => symlink('a.txt', it.path('link')), ['link']],
    ['another name for a file', (it) => link(it.path('a.txt'), it.path('b.txt')), ['b.txt']],
    [
      'a link in the place of a file with the same content',
      async (it) => {
        await rename(it.path('a.txt'), it.path('.a.log'))
        await symlink('.a.log', it.path('a.txt'))
      },
      ['a.txt'],
    ],
    [
      'a link in the place of a folder with the same content',
      async (it) => {
        await rename(it.path('src'), it.path('src.log'))
        await symlink('src.log', it.path('src'))
      },
      ['src', 'src/b.txt', 'src/deep/c.txt'],
    ],
    ['what is ignored', (it) => it.write('.gitignore', 'ignored/\n*.log\nx\n'), ['.gitignore']],
  ]

  test.each(changes)('notices %s', async (_, change, paths) => {
    await using at = await open()
    const before = await at.take()
    await change(at.workspace)
    const after = await at.take()
    const all = [...new Set([...before.files.keys(), ...after.files.keys()])]
    expect(all.filter((path) => before.files.get(path) !== after.files.get(path)).sort()).toEqual(paths)
    expect(after.fingerprint).not.toBe(before.fingerprint)
    expect((await openWorkspace({ root: at.workspace.root, ...git }).snapshot()).fingerprint).toBe(after.fingerprint)
  })

  test('notices where a link leads to', async () => {
    await using at = await open()
    await symlink('a.txt', at.workspace.path('link'))
    const before = await at.take()
    await unlink(at.workspace.path('link'))
    await symlink('src', at.workspace.path('link'))
    await lutimes(at.workspace.path('link'), 1, 1)
    expect((await at.take()).fingerprint).not.toBe(before.fingerprint)
  })

  test('notices an edit of the same size that sets the times back', async () => {
    await using at = await open()
    const path = at.workspace.path('a.txt')
    await utimes(path, 1_000_000, 1_000_000)
    const before = await at.take()
    await writeFile(path, 'z\n')
    await utimes(path, 1_000_000, 1_000_000)
    expect((await at.take()).fingerprint).not.toBe(before.fingerprint)
  })

  test('notices every one of many edits right after each other', async () => {
    await using at = await open()
    const seen = new Set<string>()
    const edits = times({ quick: 20, ci: 60, long: 600 })
    for (let round = 0; round < edits; round += 1) {
      await writeFile(at.workspace.path('a.txt'), `${String(round).padStart(4, '0')}\n`)
      seen.add((await at.take()).fingerprint)
    }
    expect(seen.size).toBe(edits)
  })

  test('does not count what is ignored, nor records of sessions, nor files that are being written', async () => {
    await using at = await open()
    const { fingerprint } = await at.take()
    for (const path of ['ignored/x', 'src/y.log', '.loader/sessions/a.json', 'src/.loader/b', '.LOADER/c']) {
      await at.workspace.write(path, 'anything')
    }
    await at.workspace.write(`src/.b.txt.${process.pid}-abc-1.loader-tmp`, 'half')
    expect((await at.take()).fingerprint).toBe(fingerprint)
  })

  test('counts the files of a repository within, and its own rules', async () => {
    await using at = await open()
    await at.workspace.write('sub/.gitignore', 'own.txt\n')
    await at.workspace.write('sub/x.log', 'outer rules end here')
    await at.workspace.write('sub/own.txt', 'x')
    plainGit(at.workspace.path('sub'), ['init', '-q'])
    const { files: found } = await at.take()
    expect([...found.keys()].filter((path) => path.startsWith('sub'))).toEqual(['sub/.gitignore', 'sub/x.log'])
  })

  test('does not wait for pipes, sockets or circles of links', async () => {
    await using at = await open()
    execFileSync('mkfifo', [at.workspace.path('pipe')])
    const server = createServer().listen(at.workspace.path('socket'))
    await once(server, 'listening')
    await symlink('.', at.workspace.path('circle'))
    await symlink('/dev/zero', at.workspace.path('endless'))
    const { files: found } = await at.take()
    expect(found.get('circle')).toMatch(/^link:/)
    expect(found.get('endless')).toMatch(/^link:/)
    expect([undefined, 'special:pipe']).toContain(found.get('pipe'))
    server.close()
  })

  test('has files whose names are no text', async () => {
    await using at = await open()
    const odd = Buffer.concat([Buffer.from(`${at.workspace.root}/src/`), Buffer.from([0x61, 0xff, 0x62])])
    await writeFile(odd, 'one')
    const before = await at.take()
    expect(before.files.has('src/a\\xffb')).toBe(true)
    await writeFile(odd, 'two')
    expect((await at.take()).fingerprint).not.toBe(before.fingerprint)
  })

  test('reads large files in pieces', async () => {
    await using at = await open()
    await writeFile(at.workspace.path('large'), 'x'.repeat(3_000_000))
    const before = await at.take()
    await truncate(at.workspace.path('large'), 2_999_999)
    expect((await at.take()).files.get('large')).not.toBe(before.files.get('large'))
  })

  test('is given up when it is cancelled', async () => {
    await using at = await open()
    const opened = openWorkspace({ root: at.workspace.root, ...git })
    await expect(opened.snapshot({ signal: AbortSignal.abort(new Error('Enough.')) })).rejects.toThrow('Enough.')
  })
})

describe('a snapshot', () => {
  test('is the same with and without git, where there is nothing but files and rules', async () => {
    await using workspace = await temporaryWorkspace({
      files: { ...files, 'src/.gitignore': '!x.log\n/deep/\n', 'src/x.log': '', 'y.log': '', 'Ä ö/é': '' },
    })
    plainGit(workspace.root, ['init', '-q'])
    const withGit = await openWorkspace({ root: workspace.root }).snapshot()
    expect(await openWorkspace({ root: workspace.root, git: null }).snapshot()).toEqual(withGit)
    expect(withGit.files.has('src/x.log')).toBe(true)
  })

  test('counts a tracked file that is ignored as well', async () => {
    await using workspace = await temporaryWorkspace({ files: { ...files, 'kept.log': '1' } })
    plainGit(workspace.root, ['init', '-q'])
    plainGit(workspace.root, ['add', '-f', 'kept.log'])
    const opened = openWorkspace({ root: workspace.root })
    const before = await opened.snapshot()
    await workspace.write('kept.log', '2')
    expect((await opened.snapshot()).fingerprint).not.toBe(before.fingerprint)
  })

  test('without git leaves out what is installed, and what is made beside the files that say how', async () => {
    await using workspace = await temporaryWorkspace({
      files: {
        'node_modules/x': '',
        'pkg/node_modules/x': '',
        '.venv/x': '',
        'lib/__pycache__/x': '',
        'dist/x': '',
        'package.json': '{}',
        'src/dist/kept': '',
        'src/build/kept': '',
        'rust/Cargo.toml': '',
        'rust/target/x': '',
        'target/kept': '',
      },
    })
    const { files: found } = await openWorkspace({ root: workspace.root }).snapshot()
    expect([...found.keys()]).toEqual([
      'package.json',
      'rust/Cargo.toml',
      'src/build/kept',
      'src/dist/kept',
      'target/kept',
    ])
  })

  test('of a workspace that the repository around it ignores has its files all the same', async () => {
    await using around = await temporaryWorkspace({ files: { '.gitignore': 'scratch/\n', 'scratch/ws/a': '', b: '' } })
    plainGit(around.root, ['init', '-q'])
    const { files: found } = await openWorkspace({ root: around.path('scratch/ws') }).snapshot()
    expect([...found.keys()]).toEqual(['a'])
  })

  test('of a part of a repository has the files of that part', async () => {
    await using around = await temporaryWorkspace({
      files: { '.gitignore': '*.log\n', 'ws/a': '', 'ws/b.log': '', c: '' },
    })
    plainGit(around.root, ['init', '-q'])
    const { files: found } = await openWorkspace({ root: around.path('ws') }).snapshot()
    expect([...found.keys()]).toEqual(['a'])
  })

  test('leaves the index of git alone', async () => {
    await using workspace = await temporaryWorkspace({ files })
    plainGit(workspace.root, ['init', '-q'])
    plainGit(workspace.root, ['add', '.'])
    await utimes(workspace.path('a.txt'), 1, 1)
    const facts = () => {
      const { ino, mtimeNs, size } = lstatSync(workspace.path('.git/index'), { bigint: true })
      return [ino, mtimeNs, size]
    }
    const before = facts()
    await openWorkspace({ root: workspace.root }).snapshot()
    expect(facts()).toEqual(before)
  })

  test('of a file in conflict has it once', async () => {
    await using workspace = await temporaryWorkspace({ files })
    const git = (...args: string[]) => plainGit(workspace.root, args)
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-qm', 'All')
    git('checkout', '-qb', 'side')
    await workspace.write('a.txt', 'side\n')
    git('commit', '-qam', 'Side')
    git('checkout', '-q', 'main')
    await workspace.write('a.txt', 'main\n')
    git('commit', '-qam', 'Main')
    expect(() => git('merge', 'side')).toThrow('Command failed')
    expect((await openWorkspace({ root: workspace.root }).snapshot()).files.size).toBe(4)
  })

  test('without git does not hang on a pipe in the place of a .gitignore', async () => {
    await using workspace = await temporaryWorkspace({ files: { a: '' } })
    execFileSync('mkfifo', [workspace.path('.gitignore')])
    const { files: found } = await openWorkspace({ root: workspace.root, git: null }).snapshot()
    expect(found.get('.gitignore')).toBe('special:pipe')
  })

  test('tells of what it cannot read instead of leaving it out', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'locked.txt': 'x', 'open.txt': 'y', 'closed/z': '' } })
    await chmod(workspace.path('locked.txt'), 0o000)
    await chmod(workspace.path('closed'), 0o000)
    await chmod(workspace.root, 0o755)
    const told = await toldToOthers(workspace.root)
    await chmod(workspace.path('closed'), 0o755)
    expect(told['locked.txt']).toMatch(/^unreadable:EACCES:0000:1:/)
    expect(told['closed/']).toBe('unreadable')
    expect(told['open.txt']).toMatch(/^0644:/)
  })
})

/** What a process sees that is not the superuser's: that one may read everything. */
async function toldToOthers(root: string): Promise<Record<string, string>> {
  const program = fileURLToPath(new URL('children/take-snapshot.ts', import.meta.url))
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
  const { stdout } = await promisify(execFile)(process.execPath, [...options, program, root])
  return JSON.parse(stdout)
}
