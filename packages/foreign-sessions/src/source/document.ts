import type { JsonValue } from '@loader/session-core'
import { readDocument } from './document-parts.ts'
import { parsedArguments } from './parsed-arguments.ts'
import { type SourceFile, wholeText } from './source-file.ts'

/** The JSON document of a file; undefined for a file of lines, which is not read as a whole. */
export function documentIn(file: SourceFile): JsonValue | undefined {
  return readDocument(file, () => true) ? parsedArguments(wholeText(file)) : undefined
}
