import { isTemporaryName } from '../files/temporary.ts'
import { isGitFolder, isLoaderFolder } from '../paths/folder-names.ts'

/** Never a part of the workspace: records of sessions, the insides of git, files that are just being written. */
export function isNeverListed(name: string): boolean {
  return isLoaderFolder(name) || isGitFolder(name) || isTemporaryName(name)
}

/** Folders that tools fill with what others wrote or what can be made again. They hold no work of the user. */
export const installedFolders: ReadonlySet<string> = new Set([
  '.bundle',
  '.eggs',
  '.gradle',
  '.hg',
  '.mypy_cache',
  '.next',
  '.nox',
  '.nuxt',
  '.nyc_output',
  '.parcel-cache',
  '.pnpm-store',
  '.pytest_cache',
  '.ruff_cache',
  '.svelte-kit',
  '.svn',
  '.terraform',
  '.tox',
  '.turbo',
  '.venv',
  '.yarn',
  '__pycache__',
  'bower_components',
  'node_modules',
  'venv',
])

/**
 * Folders into which package managers put what others wrote: rooms have them as they are, so an inventory says what changed
 * there. Caches and build output are not among them; no room has those of the work.
 */
export const packageFolders: ReadonlySet<string> = new Set([
  '.bundle',
  '.eggs',
  '.nox',
  '.pnpm-store',
  '.tox',
  '.venv',
  '.yarn',
  'bower_components',
  'node_modules',
  'site-packages',
  'vendor',
  'venv',
])

const outputs: Readonly<Record<string, readonly string[]>> = {
  build: ['build.gradle', 'build.gradle.kts', 'package.json', 'pyproject.toml', 'setup.py'],
  coverage: ['package.json', 'pyproject.toml'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  htmlcov: ['pyproject.toml', 'setup.py'],
  out: ['package.json'],
  target: ['Cargo.toml', 'build.sbt', 'pom.xml'],
}

/** Whether a folder is what tools make of the project in it, which only what lies beside it can tell. */
export function isBuildOutput(name: string, besides: ReadonlySet<string>): boolean {
  return name.endsWith('.egg-info') || (outputs[name] ?? []).some((marker) => besides.has(marker))
}
