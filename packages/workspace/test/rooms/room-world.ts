import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { roomsHome } from '../../src/rooms/room-folders.ts'
import { plainGit } from '../plain-git.ts'

/** Where the repository of a project is: nowhere, in it, above it, or in another place that knows it for a work tree. */
export type Repository = 'none' | 'own' | 'above' | 'linked'

/** A project in a folder that everybody can reach, with all that a room has to deal with. */
export class RoomWorld implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'rooms-')))
  readonly home = join(this.base, 'home')
  readonly root: string
  readonly #runs: number
  readonly #owns: number

  /** `runs` and `owns` are users; 0 stands for that of the tests. */
  constructor({ runs = 0, owns = 0, name = 'project', repository = 'own' as Repository } = {}) {
    this.#runs = runs
    this.#owns = owns
    this.root = join(this.home, repository === 'above' ? 'whole' : '.', name)
    chmodSync(this.base, 0o755)
    mkdirSync(this.root, { recursive: true })
    for (const [path, text] of Object.entries(files)) this.write(path, text)
    chmodSync(this.path('run.sh'), 0o755)
    symlinkSync('src/a.txt', this.path('link'))
    mkdirSync(this.path('empty'))
    mkdirSync(join(this.home, 'store'))
    writeFileSync(join(this.home, 'store/linked.js'), 'stored\n')
    linkSync(join(this.home, 'store/linked.js'), this.path('node_modules/dep/linked.js'))
    this.#makeRepository(repository)
    if (owns !== 0) {
      execFileSync('chown', ['-hR', `${owns}:${owns}`, this.base])
    }
    this.beginAnew()
  }

  /** Of the user who runs commands, and closed to others. */
  get state(): string {
    return join(this.base, 'state/project')
  }

  /** Takes away all that was ever kept of the workspace. */
  beginAnew(): void {
    const isOther = this.#runs === 0 && this.#owns !== 0
    if (isOther) rmSync(dirname(this.roomsFolder), { recursive: true, force: true })
    rmSync(dirname(this.state), { recursive: true, force: true })
    mkdirSync(this.state, { recursive: true, mode: 0o700 })
    for (const path of [dirname(this.state), this.state]) chownSync(path, this.#runs, this.#runs)
  }

  /** Where rooms lie. */
  get roomsFolder(): string {
    const isOther = this.#runs === 0 && this.#owns !== 0
    return join(roomsHome(this.state, { uid: this.#owns, gid: this.#owns, isOther }), 'rooms')
  }

  #makeRepository(repository: Repository): void {
    if (repository === 'none') return
    const top = repository === 'own' ? this.root : dirname(this.root)
    plainGit(top, ['init', '-q', '-b', 'main'])
    plainGit(top, ['add', '-A'])
    plainGit(top, ['commit', '-qm', 'one'])
    if (repository !== 'linked') return
    // The work tree of another repository takes the place of the folder.
    plainGit(top, ['worktree', 'add', '-q', '--no-checkout', join(this.base, 'linked')])
    renameSync(join(this.base, 'linked/.git'), this.path('.git'))
    plainGit(top, ['worktree', 'repair', this.root])
    plainGit(this.root, ['reset', '-q'])
    plainGit(this.root, ['add', '-A'])
  }

  get variables(): Readonly<Record<string, string>> {
    return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: this.home, LANG: 'C.UTF-8' }
  }

  git(...words: readonly string[]): string {
    return plainGit(this.root, ['-c', 'safe.directory=*', ...words])
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  /** Everything of the user, with content, rights, times and numbers of links. */
  picture(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {}
    note(this.home, found)
    return found
  }

  /** What rooms have left behind. */
  left(): readonly string[] {
    return existsSync(this.roomsFolder) ? readdirSync(this.roomsFolder) : []
  }

  [Symbol.dispose](): void {
    this.beginAnew()
    rmSync(this.base, { recursive: true, force: true })
  }
}

function note(path: string, found: Record<string, string>): void {
  const stats = lstatSync(path)
  const about = `${stats.mode.toString(8)} ${stats.uid} ${stats.nlink} ${stats.mtimeMs}`
  if (stats.isSymbolicLink()) found[path] = `${about} ${readlinkSync(path)}`
  else if (stats.isFile()) found[path] = `${about} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  else {
    found[path] = about
    for (const name of readdirSync(path)) note(join(path, name), found)
  }
}

const files: Readonly<Record<string, string>> = {
  'src/a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'run.sh': '#!/bin/sh\necho ran\n',
  Makefile: 'out: src/a.txt\n\t@cat src/a.txt > out\n\t@echo made\n',
  '.gitignore': 'node_modules\n.env\ndist\nout\n__pycache__\n',
  '.env': 'SETTING=1\n',
  'dist/built.txt': 'built\n',
  'dist/deep/more.txt': 'more\n',
  'node_modules/dep/index.js': 'module.exports = 1\n',
  'packages/p/node_modules/q/index.js': 'module.exports = 2\n',
  'packages/p/main.js': 'p\n',
}
