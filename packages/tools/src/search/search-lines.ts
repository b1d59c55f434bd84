import { basename, join } from 'node:path'
import type { Signal } from '@loader/session-core'
import {
  breather,
  folderOf,
  hold,
  type IgnoreRules,
  isNeverListed,
  type ListedFolder,
  type ChildVariables,
  walkFolders,
  type WalkReport,
  within,
} from '@loader/workspace'
import { inclusion } from './file-pattern.ts'
import type { LinePattern } from './line-pattern.ts'
import { type FileMatches, matchesInFile, mostFileBytes } from './matches.ts'
import { candidatesByRipgrep } from './ripgrep.ts'
import { scopeOf, type SearchPlace } from './search-place.ts'

export interface LineSearch {
  /** Real path of the workspace. */
  readonly top: string
  readonly place: SearchPlace
  readonly pattern: LinePattern
  readonly include: string | undefined
  readonly context: number
  readonly mostMatches: number
  readonly mostEntries: number
  /** The path of ripgrep; undefined to do without it. */
  readonly ripgrep: string | undefined
  readonly variables: ChildVariables
  readonly timeoutMs: number
  readonly signal: Signal | undefined
}

/** The result of a search so far. */
export interface LineHits {
  readonly lines: string[]
  matches: number
  files: number
  /** The length of the shown lines, in characters. */
  length: number
  /** Why it ended; only with `complete` after the last file. */
  end: 'complete' | 'enough' | 'too_many_entries' | 'too_long' | 'timed_out' | 'cancelled'
}

const longestText = 30_000
/** Ripgrep blocks on a pipe in place of a `.gitignore`; after this time the files are read one by one. */
const longestRipgrepMs = 10_000

/** Searches file by file, in the order of a walk, until there are enough results. They do not depend on ripgrep. */
export async function searchLines(search: LineSearch): Promise<LineHits> {
  const hits: LineHits = { lines: [], matches: 0, files: 0, length: 0, end: 'complete' }
  let deadline: number | undefined
  for await (const listed of filesOf(search, hits)) {
    deadline ??= performance.now() + search.timeoutMs
    searchFolder(search, listed, hits, deadline)
    if (hits.end !== 'complete') break
  }
  if (search.signal?.aborted) hits.end = 'cancelled'
  return hits
}

function searchFolder(
  search: LineSearch,
  { path, folder, files }: ListedFolder,
  hits: LineHits,
  deadline: number,
): void {
  const included = includedOf(search, path, files)
  if (included === undefined) return void (hits.end = 'too_long')
  for (const name of included) {
    if (performance.now() > deadline) return void (hits.end = 'timed_out')
    const most = search.mostMatches - hits.matches
    const found = matchesInFile(folder, name, search.pattern, { context: search.context, most })
    if (found.kind === 'too_long') return void (hits.end = 'too_long')
    if (found.kind === 'found') add(hits, within(path, name), found)
    if (hits.matches >= search.mostMatches) hits.end = 'enough'
    if (hits.end !== 'complete') return
  }
}

function add(hits: LineHits, path: string, found: Extract<FileMatches, { kind: 'found' }>): void {
  if (hits.lines.length > 0) hits.lines.push('')
  hits.files += 1
  hits.matches += found.count
  for (const line of [path, ...found.lines]) {
    hits.length += line.length + 1
    if (hits.length > longestText) return void (hits.end = 'enough')
    hits.lines.push(line)
  }
}

function includedOf({ place, include }: LineSearch, folder: string, files: readonly string[]) {
  if (include === undefined || place.entry === 'file') return files
  const belowStart = place.relative === '' ? folder : folder.slice(place.relative.length + 1)
  return inclusion(include)(files.map((name) => within(belowStart, name)))?.map((path) => basename(path))
}

async function* filesOf(search: LineSearch, hits: LineHits): AsyncGenerator<ListedFolder, undefined> {
  const { top, place } = search
  const scope = scopeOf(top, place)
  if (place.entry === 'file') return yield* filesByFolder(top, [place.relative], undefined)
  const program = search.ripgrep
  const timeoutMs = Math.min(longestRipgrepMs, search.timeoutMs)
  const request = { ...search, program: program ?? '', scope, mostFileBytes, timeoutMs }
  const candidates = program === undefined ? undefined : await candidatesByRipgrep(request)
  if (candidates !== undefined) return yield* filesByFolder(top, candidates, scope.rules)
  const report: WalkReport = { entries: 0, unreadable: [] }
  yield* walkFolders({ ...search, root: top, start: place.relative, ...scope }, report)
  if (report.cut !== undefined) hits.end = 'too_many_entries'
  return undefined
}

/** The files with these paths, folder by folder, without ignored ones. */
async function* filesByFolder(
  top: string,
  paths: readonly string[],
  rules: IgnoreRules | undefined,
): AsyncGenerator<ListedFolder, undefined> {
  const rest = breather()
  for (let first = 0; first < paths.length;) {
    const path = folderOf(paths[first] ?? '')
    let end = first + 1
    while (end < paths.length && folderOf(paths[end] ?? '') === path) end += 1
    const names = paths.slice(first, end).map((file) => file.slice(path === '' ? 0 : path.length + 1))
    first = end
    if (path.split('/').some(isNeverListed)) continue
    using folder = hold(join(top, path))
    const files = names.filter((name) => !isNeverListed(name) && !rules?.ignoresFile(within(path, name)))
    if (folder !== undefined && files.length > 0) yield { path, folder, files }
    await rest()
  }
}
