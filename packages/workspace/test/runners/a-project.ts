import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type KitOptions, type RunnerReport, readReports, writeKit } from '../../src/index.ts'

const require = createRequire(import.meta.url)

export type Files = Readonly<Record<string, string>>

export interface Ran {
  readonly reports: readonly RunnerReport[]
  readonly exitCode: number | null
  readonly output: string
}

export interface AProject {
  readonly root: string
  readonly add: (files: Files) => void
  readonly run: (command: string, options?: Pick<KitOptions, 'canary'>) => Promise<Ran>
}

const installed = {
  vitest: 'vitest.mjs',
  jest: 'bin/jest.js',
  mocha: 'bin/mocha.js',
  eslint: 'bin/eslint.js',
  typescript: 'bin/tsc',
} as const

export type Installed = keyof typeof installed

/** A folder with files in it, and with packages as a package manager would have installed them. */
export function aProject(files: Files, ...packages: readonly Installed[]): AProject {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'runners-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const root = join(home, 'a project')
  const add = (more: Files) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      // A link to what is installed must not be written through.
      if (path.includes('.bin/')) rmSync(join(root, path), { force: true })
      writeFileSync(join(root, path), text, { mode: path.includes('.bin/') ? 0o755 : 0o644 })
    }
  }
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  for (const name of packages) {
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), join(root, 'node_modules', name))
    const bin = name === 'typescript' ? 'tsc' : name
    symlinkSync(join('..', name, installed[name]), join(root, 'node_modules/.bin', bin))
  }
  add(files)
  let runs = 0
  return {
    root,
    add,
    run: async (command, options = {}) => {
      runs += 1
      const [kit, reports] = [join(home, `kit ${runs}`), join(home, `reports ${runs}`)]
      const variables = await writeKit({ kit, reports, variables: plainVariables(root), ...options })
      const ended = await ran(command, root, variables)
      return { ...ended, reports: await readReports(reports, root) }
    },
  }
}

/** Without those of the run of vitest that this is. */
function plainVariables(root: string): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'GOPATH', 'GOCACHE', 'GOROOT']
  const kept = names.flatMap((it) => (process.env[it] === undefined ? [] : [[it, process.env[it]] as const]))
  const path = (process.env['PATH'] ?? '').split(':').filter((it) => !it.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules/.bin'), dirname(process.execPath), ...path].join(':'),
    CI: '1',
    NO_COLOR: '1',
    GOFLAGS: '-mod=mod',
    GO111MODULE: 'on',
    CARGO_NET_OFFLINE: 'true',
  }
}

function ran(command: string, cwd: string, env: Readonly<Record<string, string | undefined>>) {
  return new Promise<Omit<Ran, 'reports'>>((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output }))
  })
}

/** `outcome name`, in order of names. */
export function told({ reports }: Ran): readonly string[] {
  return reports.flatMap((it) => it.results.map(({ name, outcome }) => `${outcome} ${name}`)).toSorted()
}
