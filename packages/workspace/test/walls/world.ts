import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { createSocket, type Socket } from 'node:dgram'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WallsPlace } from '@loader/workspace'

const abbreviating = '\tabbrev = 10\n'
const bases = fileURLToPath(new URL('../../.turbo/walls/', import.meta.url))

/** A machine in small: a home with secrets, files of others, a workspace, and listeners that must hear nothing. */
export class World implements AsyncDisposable {
  readonly base: string
  readonly home: string
  readonly root: string
  readonly outside: string
  /** Stands in every secret; must never be printed. */
  readonly secret = `s3cr3t${randomBytes(12).toString('hex')}`
  /** In the words of processes that would outlive their command. */
  readonly mark = `mark${randomBytes(6).toString('hex')}`
  readonly heard: string[] = []
  readonly #servers: (Server | Socket)[] = []
  #neighbour: ChildProcess | undefined
  #port = 0
  #pipe: number | undefined
  readonly #uid: number

  private constructor(uid: number, name: string) {
    mkdirSync(bases, { recursive: true })
    this.#uid = uid
    this.base = mkdtempSync(bases)
    chmodSync(this.base, 0o755)
    this.home = join(this.base, 'home')
    this.root = join(this.home, name)
    this.outside = join(this.base, 'outside')
  }

  /** Owned by this user; 0 stands for the user of the tests. */
  static async make(uid: number, name = 'project'): Promise<World> {
    const world = new World(uid, name)
    world.#fillHome()
    world.#fillWorkspace()
    if (uid !== 0) {
      own(world.base, uid)
      world.git(world.root, 'status')
      own(join(world.root, '.git/index'), uid)
    }
    await world.#listen()
    return world
  }

  /** Reads, as a program of the user does, from a pipe in the workspace. */
  get hasHeardInPipe(): boolean {
    try {
      return this.#pipe !== undefined && readSync(this.#pipe, Buffer.alloc(100)) > 0
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
      throw error
    }
  }

  get place(): WallsPlace {
    return {
      root: this.root,
      session: join(this.home, '.local/state/loader/session'),
      caches: join(this.home, '.local/state/loader/caches'),
      variables: this.variables,
    }
  }

  get variables(): Readonly<Record<string, string>> {
    return {
      PATH: `${this.home}/.tool/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: this.home,
      LANG: 'C.UTF-8',
      SOME_API_KEY: this.secret,
      OPAQUE: this.secret,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    }
  }

  get pwned(): string {
    return join(this.outside, 'open', 'pwned')
  }

  /** With the places of this world put in. */
  fill(program: string): string {
    const places: Readonly<Record<string, string>> = {
      BASE: this.base,
      HOME: this.home,
      ROOT: this.root,
      OUT: join(this.outside, 'open'),
      PORT: `${this.#port}`,
      SOCK: join(this.outside, 'service.sock'),
      WSSOCK: join(this.root, 'dev.sock'),
      ABS: `abstract-${this.mark}`,
      MARK: this.mark,
      PWN: `touch ${this.pwned}`,
      PID: `${this.#neighbour?.pid ?? 1}`,
    }
    return program.replaceAll(/\{([A-Z]+)\}/g, (all, name: string) => places[name] ?? all)
  }

  git(cwd: string, ...words: readonly string[]): string {
    return execFileSync('git', ['-c', 'safe.directory=*', '-c', 'maintenance.auto=false', ...words], {
      cwd,
      env: this.variables,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, mode)
  }

  /** Everything that no command in `work` may change, by path. */
  snapshot(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {}
    const ignored = new Set([this.root, join(this.home, '.local/state/loader'), join(this.root, 'dev.sock')])
    note(this.base, ignored, found)
    for (const path of guardedHere) note(join(this.root, path), new Set(), found)
    return found
  }

  /** What in the workspace would run with the rights of its owner, whoever starts it. */
  ownersRights(): readonly string[] {
    const found: Record<string, string> = {}
    note(this.root, new Set(), found)
    return Object.keys(found).filter((path) => (Number(found[path]?.split(' ', 1)[0]) & 0o4000) !== 0)
  }

  /** The workspace too. */
  everything(): Readonly<Record<string, string>> {
    const found: Record<string, string> = { ...this.snapshot() }
    note(this.root, new Set(), found)
    return found
  }

  /** Does what a user does afterwards: looks at every repository, and commits. */
  useAfterwards(): void {
    if (!existsSync(this.root)) return
    // Where a program has removed a repository, git must not find the one around this world.
    const variables = { ...this.variables, GIT_CEILING_DIRECTORIES: dirname(this.root) }
    for (const folder of foldersBelow(this.root)) {
      const isRepository =
        existsSync(join(folder, '.git')) || ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
      if (!isRepository) continue
      // The second is an alias in the configuration of the user, which that of a repository overrules.
      for (const word of ['status', 'st'])
        spawnQuietly('git', ['-c', 'safe.directory=*', word], folder, {
          ...variables,
          GIT_CEILING_DIRECTORIES: dirname(folder),
        })
    }
    if (existsSync(join(this.root, '.git/rebase-merge'))) {
      spawnQuietly('git', ['-c', 'safe.directory=*', 'rebase', '--continue'], this.root, variables)
    }
    spawnQuietly(
      'git',
      ['-c', 'safe.directory=*', 'commit', '--allow-empty', '-qm', 'afterwards'],
      this.root,
      variables,
    )
  }

  #fillHome(): void {
    const { home, secret } = this
    const secrets = [
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.npmrc',
      '.netrc',
      '.git-credentials',
      '.config/gh/hosts.yml',
      '.tool/credentials.toml',
      '.docker/config.json',
      '.bash_history',
      'notes.txt',
      '.cache/other/token',
      '.local/share/keyrings/k',
    ]
    for (const path of secrets) this.write(join(home, path), `${secret}\n`, 0o600)
    this.write(join(home, '.bashrc'), '# profile\n')
    this.write(join(home, '.profile'), '# profile\n')
    this.write(
      join(home, '.gitconfig'),
      `[include]\n\tpath = ~/.gitmore\n[http]\n\textraheader = ${secret}\n[core]\n\tpager = cat\n`,
    )
    this.write(join(home, '.gitmore'), '[alias]\n\tst = status\n')
    this.write(
      join(home, '.tool/bin/greet'),
      '#!/bin/sh\necho "hello from $(cat "$(dirname "$0")/../lib/name")"\n',
      0o755,
    )
    this.write(join(home, '.tool/lib/name'), 'tool\n')
    this.write(join(home, '.npm/_cacache/entry'), 'cached\n')
    this.write(join(this.outside, 'open/file'), 'outside\n', 0o666)
    chmodSync(join(this.outside, 'open'), 0o777)
    this.write(join(this.outside, 'program'), '#!/bin/sh\nexit 0\n', 0o777)
    this.write(join(home, 'other/file'), 'other project\n')
    this.write(join(home, '.local/state/loader/other-session/log'), `${secret}\n`)
  }

  #fillWorkspace(): void {
    const { root } = this
    const files: Readonly<Record<string, string>> = {
      'src/a.txt': 'a\n',
      '.vscode/settings.json': '{}\n',
      '.npmrc': 'fund=false\n',
      '.github/workflows/ci.yml': 'on: push\n',
      '.loader/settings.json': '{}\n',
      'hooks-real/pre-commit': '#!/bin/sh\nexit 0\n',
      'node_modules/dep/index.js': 'module.exports = 1\n',
      Makefile: 'all:\n\t@echo made\n',
      'package.json': '{ "name": "p", "version": "1.0.0", "scripts": { "hello": "echo hello" } }\n',
      '.gitignore': 'node_modules\n',
    }
    for (const [path, text] of Object.entries(files))
      this.write(join(root, path), text, path.includes('pre-commit') ? 0o755 : 0o644)
    symlinkSync('hooks-real', join(root, '.husky'))
    this.git(root, 'init', '-q', '-b', 'main')
    appendFileSync(join(root, '.git/config'), abbreviating)
    const inner = join(root, 'nested/deep')
    this.write(join(inner, 'file'), '1\n')
    this.git(inner, 'init', '-q')
    appendFileSync(join(inner, '.git/config'), abbreviating)
    this.git(
      root,
      'add',
      'src',
      'Makefile',
      'package.json',
      '.vscode',
      '.npmrc',
      '.gitignore',
      'hooks-real',
      '.husky',
      '.github',
    )
    this.git(root, 'commit', '-qm', 'one')
    // What pnpm does: a package shares its bytes with a store outside.
    this.write(join(this.outside, 'store/bytes.js'), 'stored\n', 0o666)
    linkSync(join(this.outside, 'store/bytes.js'), join(root, 'node_modules/dep/linked.js'))
  }

  async #listen(): Promise<void> {
    const hear = (what: string) => this.heard.push(what)
    const serve = async (address: { port: number; host: string } | { path: string }) => {
      const server = createServer((socket) => {
        hear(JSON.stringify(address))
        socket.on('error', () => undefined)
        socket.resume()
        socket.end('heard\n')
      })
      this.#servers.push(server)
      await new Promise<void>((resolve) => server.listen(address, resolve))
      const at = server.address()
      return typeof at === 'object' && at !== null ? at.port : 0
    }
    this.#port = await serve({ port: 0, host: '0.0.0.0' })
    for (const name of ['service.sock', '../home/.agent.sock']) await serve({ path: join(this.outside, name) })
    await serve({ path: join(this.root, 'dev.sock') })
    await serve({ path: `\0abstract-${this.mark}` })
    for (const path of [
      join(this.outside, 'service.sock'),
      join(this.root, 'dev.sock'),
      join(this.home, '.agent.sock'),
    ])
      chmodSync(path, 0o777)
    const pipe = join(this.root, 'dev.pipe')
    execFileSync('mkfifo', ['-m', '666', pipe])
    this.#pipe = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    if (this.#uid !== 0) for (const path of [join(this.root, 'dev.sock'), pipe]) chownSync(path, this.#uid, this.#uid)
    const udp = createSocket('udp4', () => hear('udp'))
    this.#servers.push(udp)
    await new Promise<void>((resolve) => udp.bind(this.#port, resolve))
    this.#neighbour = spawn('sleep', ['600'], {
      env: { NEIGHBOUR: this.secret },
      stdio: 'ignore',
      ...(this.#uid === 0 ? {} : { uid: this.#uid, gid: this.#uid }),
    })
  }

  /** Where root keeps what belongs to a session in the workspace of another user. */
  keptForOwner(path: string): string {
    const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
    return join(tmpdir(), `loader-${this.#uid}-${name}`)
  }

  get neighbourLives(): boolean {
    return this.#neighbour?.exitCode === null && this.#neighbour.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#neighbour?.kill('SIGKILL')
    if (this.#pipe !== undefined) closeSync(this.#pipe)
    for (const server of this.#servers) await new Promise<void>((resolve) => server.close(() => resolve()))
    for (const path of [this.place.session, this.place.caches]) {
      rmSync(this.keptForOwner(path), { recursive: true, force: true })
    }
    rmSync(this.base, { recursive: true, force: true })
  }
}

const guardedHere = [
  '.git/hooks',
  '.git/config',
  '.git/config.worktree',
  '.git/commondir',
  '.vscode',
  '.npmrc',
  '.github/workflows',
  '.loader',
  '.husky',
  'hooks-real',
  '.envrc',
  '.mcp.json',
  '.claude',
  '.agents',
  '.idea',
  '.devcontainer',
  '.yarnrc.yml',
  'node_modules',
  'nested/deep/.git/config',
  'nested/deep/.git/hooks',
  '.gitlab-ci.yml',
]

function own(path: string, uid: number): void {
  execFileSync('chown', ['-hR', `${uid}:${uid}`, path])
  chownSync(path, uid, uid)
}

function note(path: string, ignored: ReadonlySet<string>, found: Record<string, string>): void {
  if (ignored.has(path)) return
  const stats = statsOf(path)
  if (stats === undefined) return
  if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(path)}`
  else if (stats.isFile())
    found[path] = `${stats.mode & 0o7777} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  else if (stats.isDirectory()) {
    found[path] = 'folder'
    for (const name of readdirSync(path)) note(join(path, name), ignored, found)
  } else found[path] = 'special'
}

/** Of a link itself; nothing where there is none, or where a folder above has become a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

function foldersBelow(path: string): readonly string[] {
  const inner = readdirSync(path, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  )
  return [path, ...inner.flatMap(({ name }) => foldersBelow(join(path, name)))]
}

function spawnQuietly(
  program: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): void {
  try {
    execFileSync(program, words, { cwd, env, stdio: 'ignore', timeout: 20_000 })
  } catch (error) {
    // It may well refuse; what counts is what it ran.
    if (!(error instanceof Error)) throw error
  }
}
