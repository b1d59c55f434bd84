import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const app = resolve(import.meta.dirname, '../../..')
const packages = resolve(app, '../../packages')

/**
 * The built command. Where `dist` is older than the sources it was made of, it is built again elsewhere: whoever is
 * using `dist` goes on undisturbed.
 */
export function builtLoader(): string {
  const sources = newest([
    join(app, 'src'),
    join(app, 'tsup.config.ts'),
    join(app, 'scripts/join-chunks.ts'),
    join(app, '../web/src'),
    ...sourcesOfPackages(),
  ])
  const built = join(app, 'dist', 'loader.js')
  if (existsSync(built) && statSync(built).mtimeMs >= sources) return built
  const fresh = join(app, 'node_modules', '.cache', `loader-${Math.round(sources)}`)
  if (!existsSync(fresh)) build(fresh)
  return join(fresh, 'dist', 'loader.js')
}

/** Built next to it and renamed, so that another process that builds at the same time is in nobody's way. */
function build(into: string): void {
  const place = `${into}-${process.pid}`
  mkdirSync(place, { recursive: true })
  execFileSync(join(app, 'node_modules', '.bin', 'tsup'), ['--silent', '--out-dir', join(place, 'dist')], { cwd: app })
  cpSync(join(app, 'package.json'), join(place, 'package.json'))
  try {
    renameSync(place, into)
  } catch (error) {
    if (!existsSync(into)) throw error
    rmSync(place, { recursive: true })
  }
}

function sourcesOfPackages(): string[] {
  return readdirSync(packages)
    .map((name) => join(packages, name, 'src'))
    .filter(existsSync)
}

function newest(paths: readonly string[]): number {
  const times = paths.map((path) => {
    const stats = statSync(path)
    if (!stats.isDirectory()) return stats.mtimeMs
    return newest(readdirSync(path).map((name) => join(path, name)))
  })
  return Math.max(0, ...times)
}
