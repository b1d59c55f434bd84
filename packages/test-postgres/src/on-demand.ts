import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../.turbo/on-demand', import.meta.url))

/**
 * Packages that only a long test or a comparison needs, so they are in no lock file of the workspace. They are installed
 * from the registry at the first request, and kept. Returns the folder with the modules.
 */
export function installOnDemand(name: string, dependencies: Readonly<Record<string, string>>): string {
  const place = join(cache, name)
  const modules = join(place, 'node_modules')
  if (existsSync(place)) return modules
  mkdirSync(dirname(place), { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--silent']
  const { status, stderr, error } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`${name} could not be installed from the registry: ${error?.message ?? stderr}`)
  }
  try {
    renameSync(folder, place)
  } catch (failure) {
    // Another run was faster.
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(place)) throw failure
  }
  return modules
}
