import type { FilePart, QuotedFile } from '@loader/session-core'
import { basename } from 'node:path'
import type { LineStyle } from '../screen/event-lines.ts'
import { fileWords } from '../screen/file-words.ts'
import { hanging } from '../screen/hanging.ts'
import { quotedLines } from './said.ts'

/** What goes with a message. */
export interface Attached {
  readonly files?: readonly FilePart[] | undefined
  readonly quoted?: readonly QuotedFile[] | undefined
}

/** A line for each file below what was said: an image with its size, and of the others what the model is told. */
export function attachedLines({ files = [], quoted = [] }: Attached, look: LineStyle): string[] {
  const { columns, paint } = look
  const names = new Set(files.map(({ name }) => name))
  const dim = (line: string) => paint('dim', line)
  return [
    ...files.flatMap((file) => hanging('  ', 2, fileWords(file), { columns, paint: dim })),
    ...quotedLines(
      quoted.filter(({ file }) => !names.has(basename(file))),
      look,
    ),
  ]
}
