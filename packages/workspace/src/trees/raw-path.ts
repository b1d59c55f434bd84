import { isUtf8 } from 'node:buffer'
import { isGitFolder, isLoaderFolder } from '../paths/folder-names.ts'
import { isTemporaryName } from '../files/temporary.ts'

/**
 * A path as git lists it: relative to the work tree, with forward slashes, one character per byte. Every possible file
 * name survives in it, and it can be a key.
 */
export type RawPath = string

export function rawPath(path: string): RawPath {
  return Buffer.from(path, 'utf8').toString('latin1')
}

/** The path for people; bytes that are not UTF-8 are escaped. */
export function shownRawPath(path: RawPath): string {
  const bytes = Buffer.from(path, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return path.replace(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
}

/** A list in which git ends every path with a NUL. */
export function splitAtNul(text: string): string[] {
  const parts = text.split('\0')
  if (parts.at(-1) === '') parts.pop()
  return parts
}

/** Loader's own settings and records, and temporary files, are in no tree. */
export function isNeverKept(path: RawPath): boolean {
  return path.split('/').some((name) => isLoaderFolder(name) || isTemporaryName(name))
}

/** Git refuses to store names that could be taken for a repository, and a link named like its list of submodules. */
export function isUnstorable(path: RawPath, kind: 'file' | 'link'): boolean {
  const names = path.split('/')
  return names.some(isGitFolder) || (kind === 'link' && /^\.gitmodules$/i.test(names.at(-1) ?? ''))
}

/**
 * A path among those of a tree that leads out of its folder, into a repository, or through a file or link; undefined where
 * there is none, as in every tree that was taken. Trees of other machines can hold anything.
 */
export function harmfulPath(paths: ReadonlySet<RawPath>): RawPath | undefined {
  for (const path of paths) {
    const names = path.split('/')
    if (names.some((name) => name === '' || name === '.' || name === '..' || isGitFolder(name))) return path
    if (foldersAbove(path).some((folder) => paths.has(folder))) return path
  }
  return undefined
}

/** Whether a path is the folder or lies in it. */
export function isInside(folder: RawPath, path: RawPath): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** All folders that a path lies in, the innermost first. */
export function foldersAbove(path: RawPath): RawPath[] {
  const folders: RawPath[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end))
  return folders
}
