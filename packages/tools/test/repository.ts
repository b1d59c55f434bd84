import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A repository with two commits and changes that are not committed, in a folder with others beside it. */
export interface Repository extends AsyncDisposable {
  /** The folder around it. */
  readonly top: string
  readonly root: string
  /** A program that leaves a mark when it is run, and what it leaves. */
  readonly trap: string
  readonly isSprung: () => boolean
  readonly write: (path: string, content: string) => Promise<void>
  /** Plain git, as anybody would run it. */
  readonly git: (...args: readonly string[]) => string
  /** Everything in `.git`, with times: reading must leave it alone. */
  readonly insides: () => Promise<readonly string[]>
}

export const secretLine = 'nobody-may-see-this'

/** Made once in a process, whatever tests run in it: a copy takes a tenth of the time. */
let template: Promise<string> | undefined

export async function repository(): Promise<Repository> {
  template ??= makeTemplate()
  const top = await mkdtemp(join(tmpdir(), 'loader-repository-'))
  const root = join(top, 'ws')
  const trap = join(top, 'trap')
  const mark = join(top, 'sprung')
  await cp(await template, top, { recursive: true, preserveTimestamps: true })
  await writeFile(trap, `#!/bin/sh\ntouch ${mark}\n`)
  await chmod(trap, 0o755)
  return {
    top,
    root,
    trap,
    write: (path, content) => writeIn(root, path, content),
    git: (...args) => plainGit(root, args),
    isSprung: () => existsSync(mark),
    insides: () => insidesOf(join(root, '.git')),
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true }),
  }
}

async function makeTemplate(): Promise<string> {
  const top = await mkdtemp(join(tmpdir(), 'loader-template-'))
  process.once('exit', () => rmSync(top, { recursive: true, force: true }))
  const root = join(top, 'ws')
  await writeIn(top, 'outside/f', `${secretLine}\n`)
  await writeIn(root, 'a.txt', 'one\n')
  await writeIn(root, 'src/b.txt', 'two\n')
  plainGit(root, ['init', '-q', '-b', 'main', '--template='])
  await mkdir(join(root, '.git/hooks'))
  plainGit(root, ['add', '.'])
  plainGit(root, ['commit', '-qm', 'First'])
  await writeIn(root, 'a.txt', 'one\nmore\n')
  plainGit(root, ['commit', '-qam', 'Second'])
  await writeIn(root, 'a.txt', 'one\nmore\nand more\n')
  return top
}

async function writeIn(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

const someone = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

export function plainGit(cwd: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, ...someone, GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', args, {
    cwd,
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

async function insidesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(
    names.sort().map(async (name) => {
      const { mode, size, mtimeMs } = await stat(join(folder, name))
      return `${name} ${mode} ${size} ${mtimeMs}`
    }),
  )
}
