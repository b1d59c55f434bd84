import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import { type Folder, openFolder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'
import { breather } from './breather.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { isNeverListed } from './names.ts'

/** One folder: its path relative to the workspace, and its entries by name. */
export interface ListedFolder {
  readonly path: string
  /** Open until the walk continues. */
  readonly folder: Folder
  /** Every entry except folders, in order: files, symbolic links, and entries that can be neither read nor searched. */
  readonly files: readonly string[]
}

export interface WalkOptions {
  /** A real path. */
  readonly root: string
  /** The folder to start in, relative to the root; empty for the root itself. */
  readonly start: string
  /** Absent means that nothing is ignored. */
  readonly rules?: IgnoreRules | undefined
  /** Names of folders to skip. */
  readonly skipped: ReadonlySet<string>
  /** Whether to skip a folder because of the entries beside it. */
  readonly isOutput?: (name: string, besides: ReadonlySet<string>) => boolean
  readonly mostEntries: number
  readonly signal?: Signal | undefined
}

/** What a walk has found so far; may be read while it runs. */
export interface WalkReport {
  entries: number
  /** Why it ended early. */
  cut?: string
  /** Folders that could not be read. */
  readonly unreadable: string[]
}

const deepest = 100

/**
 * Walks a tree folder by folder: first the files of a folder, then its folders by name. Symbolic links are listed and
 * never followed. Memory holds only the names of the folders beside the current path.
 */
export async function* walkFolders(options: WalkOptions, report: WalkReport): AsyncGenerator<ListedFolder, undefined> {
  const rest = breather()
  const pending = [options.start]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (options.signal?.aborted) return void (report.cut = 'it was cancelled')
    if (report.entries >= options.mostEntries) return void (report.cut = `more than ${options.mostEntries} entries`)
    using folder = hold(join(options.root, path))
    const entries = folder === undefined ? undefined : entriesOf(folder)
    if (folder === undefined || entries === undefined || path.split('/').length > deepest) {
      report.unreadable.push(path)
      continue
    }
    report.entries += entries.length
    const known = entries.filter(({ name }) => !isNeverListed(name))
    const files = known.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
    yield { path, folder, files: files.filter((name) => !options.rules?.ignoresFile(within(path, name))).sort() }
    const folders = known.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    pending.push(...wanted(path, folders, files, options).sort().reverse())
    await rest()
  }
}

/** The path of a name in a folder, with forward slashes; an empty folder is the root. */
export function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Compares paths of files in the order of `walkFolders`. */
export function byFolder(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  const common = a.findIndex((name, index) => name !== b[index])
  if (common < 0) return a.length - b.length
  const isFile = [common === a.length - 1, common === b.length - 1]
  if (isFile[0] !== isFile[1]) return isFile[0] ? -1 : 1
  return (a[common] ?? '') < (b[common] ?? '') ? -1 : 1
}

function wanted(
  path: string,
  folders: readonly string[],
  files: readonly string[],
  { rules, skipped, isOutput }: WalkOptions,
): string[] {
  const besides = new Set(files)
  return folders
    .filter((name) => !skipped.has(name) && !isOutput?.(name, besides))
    .map((name) => within(path, name))
    .filter((folder) => !rules?.ignoresFolder(folder))
}

/** Opens a folder; undefined when it is gone or has been replaced by something else. */
export function hold(path: string): Folder | undefined {
  try {
    return openFolder(path)
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

function entriesOf(folder: Folder): Dirent[] | undefined {
  try {
    return readdirSync(folder.at('.'), { withFileTypes: true })
  } catch (error) {
    if (LoaderError.is(error) || codeOf(error) !== undefined) return undefined
    throw error
  }
}
