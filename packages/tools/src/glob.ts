import { lstatSync } from 'node:fs'
import { isAbsolute, posix } from 'node:path'
import type { JsonObject, Signal } from '@loader/session-core'
import type { Examination, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'
import { folder } from './calls/spellings.ts'
import { type Folder, realRoot, walkFolders, type WalkReport, within } from '@loader/workspace'
import { type FilePattern, filePattern } from './search/file-pattern.ts'
import { scopeOf, searchPlace, type SearchPlace } from './search/search-place.ts'

const usuallyShown = 100

const GlobInput = z.object({
  pattern: z.string().describe('such as "src/**/*.ts"; * stays within a name, ** goes through folders'),
  path: z.string().default('.').describe('the folder that the pattern begins in, relative to the workspace'),
  max_results: z.int().min(1).max(1000).default(usuallyShown).describe('how many files to show'),
})
export type GlobInput = z.infer<typeof GlobInput>

/** Where the tool `glob` looks, and how long. */
export interface GlobOptions {
  readonly root: string
  /** The search ends after this many files and folders. */
  readonly mostEntries?: number
}

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['find_files', 'glob_files', 'file_search', 'find', 'search_files_by_name', 'glob_search'],
  arguments: {
    pattern: ['glob', 'glob_pattern', 'query', 'name', 'file_pattern'],
    path: folder,
    max_results: ['limit', 'head_limit', 'max'],
  },
  main: 'pattern',
  adapt: withPattern,
}

/** Called by an alias without a pattern, it lists a folder. */
function withPattern(input: JsonObject, calledBy: 'name' | 'alias'): JsonObject {
  return calledBy === 'name' || input['pattern'] !== undefined ? input : { ...input, pattern: '*' }
}

/** Finds files by their names. */
export function globTool({ root, mostEntries = 200_000 }: GlobOptions): Tool<GlobInput> {
  return {
    name: 'glob',
    title: 'Find files',
    description:
      `Find files by name, newest first, ${usuallyShown} unless max_results says otherwise. Files that .gitignore names and installed packages are ` +
      'left out, unless path leads into such a folder.',
    input: GlobInput,
    aliases,
    rule: { names: ['Glob'], takes: 'path' },
    effect: 'probe',
    examine: async (input) => examine(root, input),
    async run({ input, paths }, { signal }) {
      const search = searchOf(root, input)
      if (typeof search === 'string') return { outcome: 'failed', text: search }
      if (search.place.path !== paths[0]?.path) {
        return { outcome: 'failed', text: `${input.path} leads somewhere else than when it was looked at.` }
      }
      return find(realRoot(root), search, input, mostEntries, signal)
    },
  }
}

interface Search {
  readonly pattern: FilePattern
  readonly place: SearchPlace
}

function examine(root: string, input: GlobInput): Examination<GlobInput> {
  const search = searchOf(root, input)
  if (typeof search === 'string') return { valid: false, message: search }
  const { path, inside } = search.place
  return { valid: true, input, effect: 'probe', paths: [{ path, inside }], intent: [] }
}

function searchOf(root: string, { pattern: text, path }: GlobInput): Search | string {
  const pattern = filePattern(text)
  if (typeof pattern === 'string') return pattern
  const place = searchPlace(root, isAbsolute(pattern.folder) ? pattern.folder : posix.join(path, pattern.folder))
  if (typeof place === 'string') return place
  return place.entry === 'folder' ? { pattern, place } : `${place.relative} is a file. Name the folder to look in.`
}

interface Found {
  readonly path: string
  readonly modified: number
}

async function find(
  top: string,
  { pattern, place }: Search,
  input: GlobInput,
  mostEntries: number,
  signal: Signal | undefined,
): Promise<ToolResult> {
  const report: WalkReport = { entries: 0, unreadable: [] }
  const newest = new Newest(input.max_results)
  const options = { root: top, start: place.relative, ...scopeOf(top, place), mostEntries, signal }
  for await (const { path, folder, files } of walkFolders(options, report)) {
    const candidates = files.map((name) => within(belowStart(place, path), name))
    const matching = pattern.matching(candidates)
    if (matching === undefined) {
      return { outcome: 'failed', text: `Matching ${input.pattern} takes too long. Use fewer wildcards.` }
    }
    for (const found of matching) newest.add(path, folder, posix.basename(found))
  }
  if (signal?.aborted) return { outcome: 'interrupted', text: 'It was cancelled.' }
  return resultOf(newest, report, input)
}

function belowStart({ relative }: SearchPlace, path: string): string {
  return relative === '' ? path : path.slice(relative.length + 1)
}

/** Keeps only the newest of any number of files. */
class Newest {
  count = 0
  readonly #most: number
  #found: Found[] = []

  constructor(most: number) {
    this.#most = most
  }

  add(path: string, folder: Folder, name: string): void {
    const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) return
    this.count += 1
    this.#found.push({ path: within(path, name), modified: stats.mtimeMs })
    if (this.#found.length >= this.#most * 4) this.#found = this.paths()
  }

  paths(): Found[] {
    return this.#found.toSorted(newestFirst).slice(0, this.#most)
  }
}

function newestFirst(one: Found, other: Found): number {
  return other.modified - one.modified || (one.path < other.path ? -1 : 1)
}

function resultOf(newest: Newest, { cut, entries, unreadable }: WalkReport, { pattern }: GlobInput): ToolResult {
  const shown = newest.paths()
  const notes = [
    shown.length === 0 ? `No file matches ${pattern}. Ignored files and installed packages were not looked at.` : '',
    newest.count > shown.length ? `These are the newest ${shown.length} of ${newest.count} files.` : '',
    cut === undefined ? '' : `Not everything was looked at: ${cut}. Name a folder to begin in.`,
    unreadable.length === 0 ? '' : `${unreadable.length} folders could not be read.`,
  ].filter((note) => note !== '')
  return {
    outcome: 'ok',
    text: [...shown.map(({ path }) => path), ...notes.map((note) => `(${note})`)].join('\n'),
    metadata: {
      count: newest.count,
      shown: shown.length,
      entries,
      truncated: cut !== undefined || newest.count > shown.length,
      summary: newest.count === 1 ? '1 file' : `${newest.count} files`,
    },
  }
}
