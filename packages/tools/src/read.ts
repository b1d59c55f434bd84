import * as z from 'zod'
import type { Examination, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import type { JsonObject } from '@loader/session-core'
import { editorNames, file } from './calls/spellings.ts'
import { bare, isAllCrlf, linesInWords, splitLines } from './files/line-endings.ts'
import { type Loaded, loadText } from './files/load.ts'
import { readMedia } from './media/read-media.ts'
import { missingFile } from './files/missing-file.ts'
import { type Files, locate } from './files/located.ts'
import { isList } from './calls/is-list.ts'

const defaultLimit = 500
/** Longer lines are cut to this length. */
const longestLine = 2000
/** The longest result in characters, however many lines were requested. */
const longestText = 256 * 1024

const ReadInput = z.object({
  file_path: z.string().describe('the file, relative to the workspace or absolute'),
  offset: z.int().min(1).default(1).describe('the first line to read, counted from 1'),
  limit: z.int().min(1).default(defaultLimit).describe('how many lines to read'),
})
export type ReadInput = z.infer<typeof ReadInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['read_file', 'view', 'view_file', 'open_file', 'cat', 'get_file', 'file_read', ...editorNames('view')],
  arguments: {
    file_path: file,
    offset: ['start_line', 'line', 'from_line', 'line_start'],
    limit: ['max_lines', 'num_lines', 'line_count', 'lines'],
  },
  main: 'file_path',
  adapt: withRange,
}

/** The tool `read`: shows a text file with line numbers, and images and PDF files to models that can take them. */
export function readTool(files: Files): Tool<ReadInput> {
  return {
    name: 'read',
    title: 'Read a file',
    description:
      'Read a text file, an image or a PDF file. Lines come numbered; the numbers and the tab behind them are not part of the file. ' +
      `Reads ${defaultLimit} lines from offset on unless limit says otherwise. Use glob to look for files, and grep to search in them.`,
    input: ReadInput,
    aliases,
    rule: { names: ['Read'], takes: 'path' },
    effect: 'probe',
    examine: async (input, { sessionId }) => examine({ ...files, sessionId, reach: 'look' }, input),
    async run({ input, paths }, { sessionId, model, signal }) {
      const where = { ...files, sessionId, reach: 'look' } as const
      const loaded = await loadText(where, input.file_path)
      // Images are refused as text; a PDF file may be made of nothing else.
      if (loaded.kind === 'refused' || (loaded.kind === 'loaded' && loaded.file.text.startsWith('%PDF-'))) {
        const media = await readMedia(where, input.file_path, { path: paths[0]?.path, model, signal })
        if (media?.kind === 'result') return media.result
        if (media?.kind === 'text') return withNote(page(media.text, media.shown, input), media.note)
      }
      if (loaded.kind !== 'loaded') return { outcome: 'failed', text: whyNot(files.root, loaded) }
      if (loaded.place.path !== paths[0]?.path) {
        return { outcome: 'failed', text: `${input.file_path} leads somewhere else than when it was looked at.` }
      }
      return page(loaded.file.text, loaded.place.shown, input)
    },
  }
}

async function examine(files: Files, input: ReadInput): Promise<Examination<ReadInput>> {
  const place = await locate(files, input.file_path)
  if (place.kind === 'refused') return { valid: false, message: place.why }
  if (place.entry === 'folder') {
    return {
      valid: false,
      message: `${place.shown} is a folder. Use glob with the pattern "${place.shown}/*" to list it.`,
    }
  }
  if (place.entry === 'absent') return { valid: false, message: missingFile(files.root, place) }
  const { path, inside, access } = place
  return { valid: true, input, effect: 'probe', paths: [{ path, inside, ...(access && { access }) }], intent: [] }
}

function whyNot(root: string, loaded: Exclude<Loaded, { kind: 'loaded' }>): string {
  return loaded.kind === 'refused' ? loaded.why : missingFile(root, loaded.place)
}

function page(text: string, shown: string, { offset, limit }: ReadInput): ToolResult {
  const lines = splitLines(text.startsWith('\ufeff') ? text.slice(1) : text)
  const metadata = { filePath: shown, lineCount: lines.length, offset, limit, summary: linesInWords(lines.length) }
  if (lines.length === 0) return { outcome: 'ok', text: `(${shown} is empty.)`, metadata }
  if (offset > lines.length) {
    return {
      outcome: 'failed',
      text: `${shown} has ${linesInWords(lines.length)}; there is no line ${offset}.`,
      metadata,
    }
  }
  const numbered = numberedLines(lines.slice(offset - 1, offset - 1 + limit), offset)
  const rest = lines.length - (offset - 1) - numbered.length
  const notes = [
    ...(rest > 0 ? [`(${linesInWords(rest)} more. Go on with offset ${offset + numbered.length}.)`] : []),
    ...(isAllCrlf(text) ? ['(The lines end in CRLF, which edits keep.)'] : []),
  ]
  return { outcome: 'ok', text: [...numbered, ...notes].join('\n'), metadata }
}

function withNote(result: ToolResult, note: string): ToolResult {
  return { ...result, text: `(${note})\n${result.text}` }
}

function numberedLines(lines: readonly string[], first: number): string[] {
  const numbered: string[] = []
  let length = 0
  for (const [index, line] of lines.entries()) {
    const text = `${String(first + index).padStart(4)}\t${shortened(bare(line))}`
    length += text.length + 1
    if (length > longestText && numbered.length > 0) break
    numbered.push(text)
  }
  return numbered
}

function shortened(line: string): string {
  if (line.length <= longestLine) return line
  return `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters in this line)`
}

/** `view_range: [first, last]`, or a first and a last line. */
function withRange(input: JsonObject): JsonObject {
  const range = input['view_range'] ?? input['line_range']
  const [first, last] = isList(range) ? range : [input['offset'], input['end_line']]
  if (typeof first !== 'number' || typeof last !== 'number') return input
  const limit = last >= first ? { limit: last - first + 1 } : {}
  return { ...input, offset: first, ...limit }
}
