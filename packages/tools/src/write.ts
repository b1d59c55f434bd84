import type { Tool, ToolAliases } from '@loader/session-core/coding'
import * as z from 'zod'
import { editorNames, file } from './calls/spellings.ts'
import { changingTool, type ChangePlan } from './files/changing-tool.ts'
import { isAllCrlf, linesInWords, splitLines } from './files/line-endings.ts'
import type { Files } from './files/located.ts'
import { loadText, type TextFile } from './files/load.ts'
import { unwritable } from '@loader/workspace'

const WriteInput = z.object({
  file_path: z.string().describe('the file, relative to the workspace or absolute'),
  content: z.string().describe('the whole content of the file'),
})
export type WriteInput = z.infer<typeof WriteInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: [
    'write_file',
    'create',
    'create_file',
    'write_to_file',
    'save_file',
    'new_file',
    'file_write',
    ...editorNames('create'),
  ],
  arguments: { file_path: file, content: ['contents', 'text', 'file_text', 'code_content', 'body'] },
  main: 'file_path',
}

/** The tool `write`: creates a file, or replaces its whole content. */
export function writeTool(files: Files): Tool<WriteInput> {
  return changingTool({
    files,
    name: 'write',
    title: 'Write a file',
    description:
      'Create a text file, or replace the whole content of one. Folders that are missing are made. ' +
      'To change a part of a file use edit. An existing file keeps its permissions, line endings and final newline.',
    input: WriteInput,
    aliases,
    rule: { names: ['Write', 'Edit'], takes: 'path' },
    plan: (input, sessionId) => plan({ ...files, sessionId }, input),
  })
}

async function plan(files: Files, { file_path, content }: WriteInput): Promise<ChangePlan> {
  const fault = unwritable(content)
  if (fault !== undefined)
    return { kind: 'invalid', message: `The content of ${file_path} cannot be written: ${fault}.` }
  const loaded = await loadText(files, file_path)
  if (loaded.kind === 'refused') return { kind: 'invalid', message: loaded.why }
  const { place } = loaded
  const before = loaded.kind === 'loaded' ? loaded.file : undefined
  const { text: after, kept } = inTheStyleOf(before, content)
  const lines = splitLines(after).length
  const bytesWritten = Buffer.byteLength(after)
  return {
    kind: 'planned',
    changes: [{ place, before, after }],
    text: [
      said(before, after, place.shown),
      `(${linesInWords(lines)}, ${bytesWritten} bytes).`,
      ...kept,
      ...otherNames(before),
    ].join(' '),
    metadata: {
      filePath: place.shown,
      kind: before === undefined ? 'create' : 'update',
      bytesWritten,
      lineCount: lines,
    },
  }
}

function said(before: TextFile | undefined, after: string, shown: string): string {
  if (before === undefined) return `Created ${shown}`
  return before.text === after ? `${shown} had this very content already` : `Replaced the content of ${shown}`
}

/** Keeps what a model cannot see of a file: its byte order mark, its line endings, its final newline. */
function inTheStyleOf(before: TextFile | undefined, content: string): { text: string; kept: string[] } {
  if (before === undefined) return { text: content, kept: [] }
  let text = content
  const kept: string[] = []
  if (isAllCrlf(before.text) && !text.includes('\r')) {
    text = text.replaceAll('\n', '\r\n')
    if (text !== content) kept.push('Its lines still end in CRLF.')
  }
  if (before.text.endsWith('\n') && text !== '' && !text.endsWith('\n')) {
    text += before.text.endsWith('\r\n') ? '\r\n' : '\n'
    kept.push('It still ends in a newline.')
  }
  if (before.text.startsWith('\ufeff') && !text.startsWith('\ufeff')) {
    text = `\ufeff${text}`
    kept.push('It still begins with a byte order mark.')
  }
  return { text, kept }
}

/** Replacing a file breaks its hard links: the other names keep the old content. */
export function otherNames(before: TextFile | undefined): string[] {
  if (before === undefined || before.version.links < 2) return []
  const others = before.version.links - 1
  return [`The old file has ${others} other name${others === 1 ? '' : 's'} (hard links), with the old content.`]
}
