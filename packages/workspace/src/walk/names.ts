import { isTemporaryName } from '../files/temporary.ts'
import { isGitFolder, isLoaderFolder } from '../paths/folder-names.ts'

/** Names that are never listed: records of sessions, git's own folders, temporary files. */
export function isNeverListed(name: string): boolean {
  return isLoaderFolder(name) || isGitFolder(name) || isTemporaryName(name)
}

/** Folders that tools fill with third-party or generated files. They contain no work of the user. */
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
 * Folders into which package managers install packages. Rooms use them as they are, so inventories record their
 * changes. Caches and build output are not listed: rooms never have the workspace's own.
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

/** Whether a folder is build output, judged by the files beside it. */
export function isBuildOutput(name: string, besides: ReadonlySet<string>): boolean {
  const markers = Object.hasOwn(outputs, name) ? (outputs[name] ?? []) : []
  return name.endsWith('.egg-info') || markers.some((marker) => besides.has(marker))
}
