import type { Signal } from '@loader/session-core'
import type { Examination, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'
import { folder } from './calls/spellings.ts'
import { childVariables, type ProcessOptions, programOnPath, realRoot } from '@loader/workspace'
import { type LinePattern, linePattern } from './search/line-pattern.ts'
import { type LineHits, type LineSearch, searchLines } from './search/search-lines.ts'
import { searchPlace, type SearchPlace } from './search/search-place.ts'

const longestSearchMs = 30_000

const GrepInput = z.object({
  pattern: z.string().describe('a regular expression for lines, in the dialect of JavaScript; (?i) ignores case'),
  path: z.string().default('.').describe('the folder or file to search, relative to the workspace'),
  include: z.string().optional().describe('only files with such names, for example "*.ts" or "*.{css,html}"'),
  context: z.int().min(0).max(20).default(0).describe('how many lines to show around each match'),
  max_results: z.int().min(1).max(1000).default(50).describe('how many matching lines to show'),
  ignore_case: z.boolean().default(false).describe('whether capital letters match small ones'),
})
export type GrepInput = z.infer<typeof GrepInput>

/** Where the tool `grep` searches, and with which program. */
export interface GrepOptions extends Pick<ProcessOptions, 'variables'> {
  readonly root: string
  /** The path of ripgrep; null means to do without it. Absent means the first `rg` on the PATH. */
  readonly ripgrep?: string | null
  /** A search without ripgrep ends after this many files and folders. */
  readonly mostEntries?: number
}

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: [
    'search',
    'grep_search',
    'rg',
    'ripgrep',
    'search_files',
    'search_code',
    'search_text',
    'content_search',
    'search_file_content',
  ],
  arguments: {
    pattern: ['query', 'regex', 'search', 'search_pattern', 'search_term', 'text', 'regexp'],
    path: [...folder, 'file', 'file_path'],
    include: ['include_pattern', 'glob', 'file_pattern', 'includes', 'files'],
    context: ['context_lines', '-C', 'lines_of_context'],
    max_results: ['limit', 'head_limit', 'max', 'max_matches', 'max_count'],
    ignore_case: ['case_insensitive', '-i', 'insensitive'],
  },
  main: 'pattern',
}

/** Searches in files. With ripgrep it is faster; the results are the same. */
export function grepTool({ root, ...options }: GrepOptions): Tool<GrepInput> {
  return {
    name: 'grep',
    title: 'Search in files',
    description:
      'Search the lines of files with a regular expression. Shows each file with its matching lines, marked and ' +
      'numbered. Files that .gitignore names, installed packages and binary files are left out.',
    input: GrepInput,
    aliases,
    rule: { names: ['Grep'], takes: 'path' },
    effect: 'probe',
    examine: async (input) => examine(root, input),
    async run({ input, paths }, { signal }) {
      const search = searchOf(root, input)
      if (typeof search === 'string') return { outcome: 'failed', text: search }
      if (search.place.path !== paths[0]?.path) {
        return { outcome: 'failed', text: `${input.path} leads somewhere else than when it was looked at.` }
      }
      return resultOf(await searchLines(request(root, search, input, { ...options, signal })), input)
    },
  }
}

type GrepChoices = Omit<GrepOptions, 'root'> & { readonly signal: Signal | undefined }

interface Checked {
  readonly pattern: LinePattern
  readonly place: SearchPlace
}

function examine(root: string, input: GrepInput): Examination<GrepInput> {
  const search = searchOf(root, input)
  if (typeof search === 'string') return { valid: false, message: search }
  const { path, inside } = search.place
  return { valid: true, input, effect: 'probe', paths: [{ path, inside }], intent: [] }
}

function searchOf(root: string, input: GrepInput): Checked | string {
  const pattern = linePattern(input.pattern, { ignoreCase: input.ignore_case })
  if (typeof pattern === 'string') return pattern
  const place = searchPlace(root, input.path)
  return typeof place === 'string' ? place : { pattern, place }
}

function request(root: string, { pattern, place }: Checked, input: GrepInput, options: GrepChoices): LineSearch {
  const top = realRoot(root)
  const variables = childVariables(options)
  const { ripgrep = programOnPath('rg', variables, top), mostEntries = 200_000 } = options
  return {
    top,
    place,
    pattern,
    include: input.include,
    context: input.context,
    mostMatches: input.max_results,
    mostEntries,
    ripgrep: ripgrep ?? undefined,
    variables,
    timeoutMs: longestSearchMs,
    signal: options.signal,
  }
}

function resultOf({ lines, matches, files, end }: LineHits, { pattern, include }: GrepInput): ToolResult {
  const summary = matches === 1 ? '1 match' : `${matches} matches`
  const metadata = { matches, files, truncated: end !== 'complete', summary }
  const where = include === undefined ? '' : ` in files that ${include} includes`
  const none =
    matches === 0 && end === 'complete'
      ? `No line matches ${pattern}${where}. Ignored files, installed packages and binary files were not searched.`
      : ''
  const notes = [none, endNote(end, matches)].filter((note) => note !== '').map((note) => `(${note})`)
  const text = [...lines, ...(lines.length > 0 && notes.length > 0 ? [''] : []), ...notes].join('\n')
  if (end === 'cancelled') return { outcome: 'interrupted', text, metadata }
  return { outcome: end === 'too_long' || end === 'timed_out' ? 'failed' : 'ok', text, metadata }
}

function endNote(end: LineHits['end'], matches: number): string {
  switch (end) {
    case 'complete':
      return ''
    case 'enough':
      return `These are the first ${matches} matching lines; there may be more. Narrow the pattern, path or include.`
    case 'too_many_entries':
      return 'Not everything was searched: there are too many files. Name a folder to search in.'
    case 'too_long':
      return 'Matching takes too long. Use a simpler expression: repeated groups such as (a+)+ can take for ever.'
    case 'timed_out':
      return `It was stopped after ${longestSearchMs / 1000} s. Name a folder to search in.`
    case 'cancelled':
      return 'It was cancelled.'
    default:
      return end satisfies never
  }
}
