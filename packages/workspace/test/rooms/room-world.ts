import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const fixed = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

/** A project in a folder that everybody can reach, with all that a room has to deal with. */
export class RoomWorld implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'rooms-')))
  readonly home = join(this.base, 'home')
  readonly root = join(this.home, 'project')
  readonly state = join(this.home, '.local/state/loader/project')

  constructor() {
    chmodSync(this.base, 0o755)
    mkdirSync(this.root, { recursive: true })
    for (const [path, text] of Object.entries(files)) this.write(path, text)
    chmodSync(this.path('run.sh'), 0o755)
    symlinkSync('src/a.txt', this.path('link'))
    this.write('../store/linked.js', 'stored\n')
    linkSync(join(this.home, 'store/linked.js'), this.path('node_modules/dep/linked.js'))
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: this.root, env: { ...process.env, ...fixed } })
    execFileSync('git', ['add', '-A'], { cwd: this.root, env: { ...process.env, ...fixed } })
    execFileSync('git', ['commit', '-qm', 'one'], { cwd: this.root, env: { ...process.env, ...fixed } })
  }

  get variables(): Readonly<Record<string, string>> {
    return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: this.home, LANG: 'C.UTF-8' }
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8')
  }

  /** Gives all of it to a user. */
  giveTo(uid: number): void {
    if (uid === 0) return
    execFileSync('chown', ['-hR', `${uid}:${uid}`, this.base])
    chownSync(this.base, uid, uid)
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}

const files: Readonly<Record<string, string>> = {
  'src/a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'run.sh': '#!/bin/sh\necho ran\n',
  Makefile: 'out: src/a.txt\n\tcat src/a.txt > out\n\techo made\n',
  '.gitignore': 'node_modules\n.env\ndist\nout\n__pycache__\n',
  '.env': 'SETTING=1\n',
  'dist/built.txt': 'built\n',
  'node_modules/dep/index.js': 'module.exports = 1\n',
}
