import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everythingBelow, type Found } from './everything-below.ts'
import type { TrialPlace } from './runner.ts'

// Not among the temporary files: commands have a /tmp of their own, and what is there would be out of reach anyway.
const bases = fileURLToPath(new URL('../../.turbo/trials/', import.meta.url))

/** A file of a tool on the PATH, a file that a variable names, an option in a variable, and the name of a proxy. */
export type Sought = 'tool' | 'named' | 'option' | 'proxy'

const newKey = () => `quiet${randomBytes(9).toString('hex')}`

/**
 * A machine in small: a user's home with secrets and other projects, places that anybody can write, listeners that must
 * hear nothing, and a workspace that is made anew for each trial.
 */
export class World implements AsyncDisposable {
  readonly base: string
  readonly home: string
  readonly root: string
  /** Outside of the workspace; anybody may write it. */
  readonly open: string
  /** Stands in every secret. No walled command may print it, and nothing in the runtime knows it. */
  readonly key = newKey()
  /** Further ones, in places where only some trials look for them. */
  readonly keys: Readonly<Record<Sought, string>> = {
    tool: newKey(),
    named: newKey(),
    option: newKey(),
    proxy: newKey(),
  }
  /** Names what a trial makes on the machine. */
  readonly mark = `trial${randomBytes(5).toString('hex')}`
  readonly heard: string[] = []
  readonly #uid: number
  readonly #template: string
  readonly #servers: (Server | Socket)[] = []
  #children: ChildProcess[] = []
  #port = 0
  #loose: readonly string[] = []
  readonly #pipes = new Map<string, number>()

  private constructor(uid: number) {
    mkdirSync(bases, { recursive: true })
    this.base = mkdtempSync(bases)
    chmodSync(this.base, 0o755)
    this.#uid = uid
    this.home = join(this.base, 'home')
    this.root = join(this.home, 'work/project')
    this.open = join(this.base, 'open')
    this.#template = join(this.base, 'template')
  }

  /** Owned by this user; 0 stands for the user of the tests. */
  static async make(uid = 0): Promise<World> {
    const world = new World(uid)
    world.#fillHome()
    world.#fillWorkspace()
    if (uid !== 0) world.#chown(world.base)
    await world.#listen()
    return world
  }

  get place(): TrialPlace {
    const state = join(this.home, '.local/state/loader')
    return {
      root: this.root,
      scratch: join(state, 'scratch'),
      caches: join(state, 'caches'),
      variables: this.variables,
    }
  }

  get variables(): Readonly<Record<string, string>> {
    const { home, base, key, keys } = this
    const system = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    return {
      PATH: `${home}/.local/bin:${home}/.boats/bin:${system}:${dirname(process.execPath)}`,
      HOME: home,
      LANG: 'C.UTF-8',
      // Names and values that say nothing.
      GREETING: `${key} and more words`,
      DEPLOY: `https://user:${key}@example.invalid/x`,
      MAVEN_OPTS: `-Dpublish.password=${keys.option}`,
      http_proxy: `me:${keys.proxy}@127.0.0.1:9`,
      // A list, a folder, a link, an option, and what stands for folders and files of the home.
      KUBECONFIG: `${join(base, 'settings/cluster')}:${join(base, 'settings/second')}`,
      DOCKER_CONFIG: join(base, 'settings/images/'),
      SOME_ACCOUNT: join(base, 'settings/link'),
      JAVA_TOOL_OPTIONS: `-Dstore=${join(base, 'settings/store')} -Dfile.encoding=UTF-8`,
      XDG_CONFIG_HOME: join(base, 'settings/programs'),
      GIT_CONFIG_GLOBAL: join(base, 'settings/git'),
      CARGO_HOME: join(base, 'settings/cargo'),
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    }
  }

  /** A file that is only there when something ran that the user did not start. */
  get sprung(): string {
    return join(this.open, 'sprung')
  }

  /** With the places of this world put in. */
  fill(text: string): string {
    const places: Readonly<Record<string, string>> = {
      BASE: this.base,
      HOME: this.home,
      WORK: dirname(this.root),
      ROOT: this.root,
      OPEN: this.open,
      PORT: `${this.#port}`,
      ADDRESS: addressOfMachine(),
      ABSTRACT: `abstract-${this.mark}`,
      MARK: this.mark,
      SPRING: `touch ${this.sprung}`,
      VICTIM: `${this.#children[0]?.pid ?? 1}`,
    }
    return text.replaceAll(/\{([A-Z]+)\}/g, (all, name: string) => places[name] ?? all)
  }

  /** The workspace as it was in the beginning. */
  renew(files: Readonly<Record<string, string>> = {}): void {
    execFileSync('rm', ['-rf', this.root])
    execFileSync('cp', ['-a', this.#template, this.root])
    for (const [path, text] of Object.entries(files)) this.write(join(this.root, path), this.fill(text))
    if (this.#uid !== 0) for (const path of Object.keys(files)) this.#chown(join(this.root, path))
    rmSync(this.sprung, { force: true })
    this.heard.length = 0
    for (const fd of this.#pipes.values()) closeSync(fd)
    for (const path of this.#pipes.keys()) rmSync(path, { force: true })
    this.#pipes.clear()
  }

  /** Makes named pipes, and listens to them as a program of the user does. */
  readFrom(paths: readonly string[]): void {
    for (const each of paths) {
      const path = resolve(this.root, this.fill(each))
      execFileSync('mkfifo', [path])
      chmodSync(path, 0o666)
      if (this.#uid !== 0) this.#chown(path)
      this.#pipes.set(path, openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
    }
  }

  pipesThatHeard(): readonly string[] {
    return [...this.#pipes].filter(([, fd]) => hasCome(fd)).map(([path]) => path)
  }

  /** What no command may change, besides the workspace. */
  around(): Found {
    const ignored = new Set([this.root, this.#template, join(this.home, '.local/state/loader')])
    return everythingBelow(this.base, ignored)
  }

  inside(): Found {
    return everythingBelow(this.root)
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, mode)
  }

  /** What a user does in a folder afterwards, with the user's own rights and no walls. */
  byUser(script: string, cwd = this.root): string {
    try {
      const rights = this.#uid === 0 ? {} : { uid: this.#uid, gid: this.#uid }
      const env = { ...this.variables, GIT_EDITOR: 'true', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
      const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
      return execFileSync('/bin/bash', ['-c', script], {
        cwd,
        env,
        ...rights,
        timeout: 30_000,
        stdio,
        encoding: 'utf8',
      })
    } catch (error) {
      // It may well refuse. What counts is what it ran.
      if (!(error instanceof Error)) throw error
      return error.message
    }
  }

  /** Sockets of this world in folders that all share. */
  get listeners(): readonly string[] {
    return this.#loose
  }

  get victimsLive(): boolean {
    return this.#children.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  }

  #chown(path: string): void {
    execFileSync('chown', ['-hR', `${this.#uid}:${this.#uid}`, path])
  }

  #fillHome(): void {
    const { home, base, key, keys } = this
    const secrets = `.ssh/id_rsa .ssh/config .aws/credentials .npmrc .netrc .git-credentials .pypirc .config/gh/hosts.yml
      .config/tool/session .docker/config.json .kube/config .gnupg/private-keys-v1.d/a.key .bash_history .pgpass
      .local/share/keyrings/login .mozilla/cookies.sqlite .cache/app/token .boats/credentials.toml
      .local/bin/.env .local/state/loader/scratch/other/tmp/note work/.env work/sibling/notes`
    for (const path of secrets.split(/\s+/)) this.write(join(home, path), `# ${key}\n`, 0o600)
    for (const path of ['cluster', 'cargo/credentials.toml', 'cargo/further/state', 'store']) {
      this.write(join(base, 'settings', path), `${keys.named}\n`, 0o600)
    }
    for (const path of ['second', 'images/config.json', 'account', 'programs/app/token']) {
      this.write(join(base, 'settings', path), `${keys.named}\n`)
    }
    this.write(join(base, 'settings/cargo/bin/loads'), '#!/bin/sh\n', 0o755)
    symlinkSync('account', join(base, 'settings/link'))
    const header = `[http]\n\textraheader = "Authorization: ${keys.named}"\n`
    this.write(join(base, 'settings/git'), `[include]\n\tpath = ${home}/.gitconfig\n${header}`)
    this.write(join(home, '.boats/config.yml'), `token: ${keys.tool}\n`, 0o600)
    this.write(join(home, '.boats/share/a/state'), `${keys.tool}\n`, 0o640)
    for (const path of ['.bashrc', '.profile', '.zshrc', '.config/autostart/a.desktop', '.vimrc', '.condarc']) {
      this.write(join(home, path), '# mine\n')
    }
    const configuration = `[user]\n\tname = A\n[http]\n\textraheader = "Authorization: ${key}"\n`
    this.write(join(home, '.gitconfig'), `${configuration}[include]\n\tpath = ~/.gitmore\n[safe]\n\tdirectory = *\n`)
    this.write(join(home, '.gitmore'), `[credential]\n\thelper = "!f() { echo password=${key}; }; f"\n`)
    this.write(join(home, '.local/bin/mine'), '#!/bin/sh\necho mine\n', 0o755)
    this.write(join(home, '.boats/bin/boats'), '#!/bin/sh\necho boats\n', 0o755)
    this.write(join(home, '.cache/pip/entry'), 'cached\n')
    this.write(join(home, 'work/sibling/package.json'), '{ "name": "sibling" }\n')
    this.write(join(this.open, 'file'), 'open\n', 0o666)
    this.write(join(this.open, 'workflows/ci.yml'), 'on: push\n', 0o666)
    this.write(join(this.open, 'rebase-merge/git-rebase-todo'), 'exec make test\n', 0o666)
    this.write(join(this.open, 'store/bytes.js'), 'stored\n', 0o666)
    chmodSync(this.open, 0o777)
    this.#git(join(home, 'work/sibling'), 'init', '-q', '-b', 'main')
    this.#git(join(home, 'work/sibling'), 'config', 'core.abbrev', '9')
  }

  #fillWorkspace(): void {
    const root = this.#template
    const script = '#!/bin/sh\nexit 0\n'
    const files: Readonly<Record<string, string>> = {
      'src/main.js': 'console.log(1)\n',
      'src/util.py': 'x = 1\n',
      'tools/pre-push.sh': script,
      'tools/hooks/post-commit': script,
      'team.gitconfig': '[alias]\n\tst = status\n',
      'package.json':
        '{ "name": "p", "version": "1.0.0", "scripts": { "test": "node src/main.js", "lint": "node src/main.js" } }\n',
      Makefile: 'all:\n\t@echo made\n',
      '.gitignore': 'node_modules\n.venv\n',
      '.gitattributes': '*.bin filter=pack\n',
      '.vscode/settings.json': '{}\n',
      '.npmrc': 'fund=false\n',
      '.github/workflows/ci.yml': 'on: push\n',
      '.loader/settings.json': '{}\n',
      '.loader/permission-rules.json': '{ "allow": [], "deny": [], "ask": [] }\n',
      '.husky/pre-commit': script,
      'node_modules/dep/index.js': 'module.exports = 1\n',
      'node_modules/.bin/dep': script,
      'packages/a/package.json': '{ "name": "a" }\n',
      'packages/a/node_modules/inner/index.js': 'module.exports = 2\n',
      '.venv/pyvenv.cfg': 'home = /usr/bin\n',
      '.venv/bin/activate': '# mine\n',
    }
    for (const [path, text] of Object.entries(files)) {
      this.write(join(root, path), text, text === script ? 0o755 : 0o644)
    }
    linkSync(join(this.open, 'store/bytes.js'), join(root, 'node_modules/dep/linked.js'))
    this.#git(root, 'init', '-q', '-b', 'main')
    this.#git(root, 'add', '.')
    this.#git(root, 'commit', '-qm', 'one')
    this.#git(root, 'config', 'include.path', '../team.gitconfig')
    symlinkSync('../../tools/pre-push.sh', join(root, '.git/hooks/pre-commit'))
    this.#git(join(root, 'vendored'), 'init', '-q', '-b', 'main')
    // As git makes them for a submodule.
    const module = join(root, '.git/modules/part')
    this.#git(join(root, 'part'), 'init', '-q', '-b', 'main')
    mkdirSync(dirname(module), { recursive: true })
    renameSync(join(root, 'part/.git'), module)
    this.write(join(root, 'part/.git'), 'gitdir: ../.git/modules/part\n')
    this.#git(join(root, 'part'), 'config', 'core.worktree', '../../../part')
    if (!existsSync(module)) throw new Error('The workspace of trials has no submodule.')
    copyFileSync(join(root, 'Makefile'), join(root, 'part/Makefile'))
  }

  #git(cwd: string, ...words: readonly string[]): void {
    mkdirSync(cwd, { recursive: true })
    execFileSync('git', words, { cwd, env: this.variables, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  async #listen(): Promise<void> {
    const serve = async (address: { port: number; host?: string } | { path: string }) => {
      const server = createServer((socket) => {
        this.heard.push(JSON.stringify(address))
        socket.on('error', () => socket.destroy())
        socket.resume()
        socket.end(`heard ${this.key}\n`)
      })
      this.#servers.push(server)
      await new Promise<void>((resolve) => server.listen(address, resolve))
      const at = server.address()
      return typeof at === 'object' && at !== null ? at.port : 0
    }
    this.#port = await serve({ port: 0 })
    const { open, home, mark } = this
    const shared = [`/tmp/${mark}.sock`, `/run/${mark}.sock`].filter((path) => canWrite(dirname(path)))
    this.#loose = shared
    const paths = [join(open, 'service.sock'), join(home, '.agent.sock'), ...shared]
    for (const path of paths) await serve({ path })
    await serve({ path: `\0abstract-${mark}` })
    // Services whose socket does not bear the name under which the kernel knows it.
    await serve({ path: join(open, 'renamed.new') })
    renameSync(join(open, 'renamed.new'), join(open, 'renamed.sock'))
    await serve({ path: join(open, 'moved.new') })
    renameSync(join(open, 'moved.new'), join(open, 'store/moved.sock'))
    for (const path of [...paths, join(open, 'renamed.sock'), join(open, 'store/moved.sock')]) chmodSync(path, 0o777)
    for (const type of ['udp4', 'udp6'] as const) {
      const socket = createSocket({ type, ipv6Only: type === 'udp6' }, () => this.heard.push(type))
      this.#servers.push(socket)
      await new Promise<void>((resolve) => socket.bind(this.#port, resolve))
    }
    await this.#startVictims()
  }

  /** Processes of the user: one that must live on, and a service that names its socket by a relative path. */
  async #startVictims(): Promise<void> {
    const rights = this.#uid === 0 ? {} : { uid: this.#uid, gid: this.#uid }
    const service = `const s = require('net').createServer((c) => { process.stdout.write('x'); c.on('error', () => {}); c.resume(); c.end('heard') })
      s.listen('relative.sock', () => { require('fs').chmodSync('relative.sock', 0o777); process.stdout.write('!') })`
    const relative = spawn(process.execPath, ['-e', service], {
      cwd: this.open,
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
      ...rights,
    })
    // It lives until its input is closed, however long that takes.
    const neighbour = spawn('cat', { env: { NEIGHBOUR: this.key }, stdio: ['pipe', 'ignore', 'ignore'], ...rights })
    this.#children = [neighbour, relative]
    await new Promise<void>((resolve) => relative.stdout.once('data', () => resolve()))
    relative.stdout.on('data', () => this.heard.push('relative.sock'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    for (const server of this.#servers) await new Promise<void>((resolve) => server.close(() => resolve()))
    for (const path of this.#loose) rmSync(path, { force: true })
    execFileSync('rm', ['-rf', this.base])
  }
}

function hasCome(pipe: number): boolean {
  try {
    return readSync(pipe, Buffer.alloc(100)) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
    throw error
  }
}

function canWrite(folder: string): boolean {
  try {
    const probe = mkdtempSync(join(folder, 'trial-'))
    rmSync(probe, { recursive: true })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'
}
