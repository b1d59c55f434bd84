import type { JsonValue } from '@loader/session-core'
import { Counts, jsonLines } from './json-lines.ts'
import { parsedArguments } from './parsed-arguments.ts'
import { type SourceFile, wholeText } from './source-file.ts'

/** The one JSON document that a file is; undefined for one of lines, which is not read as a whole. */
export function documentIn(file: SourceFile): JsonValue | undefined {
  return isOfLines(file) || !beginsAsObject(file) ? undefined : parsedArguments(wholeText(file))
}

/** Whether its first line is a JSON object by itself, and another one follows. */
function isOfLines(file: SourceFile): boolean {
  const counts = new Counts()
  let objects = 0
  for (const _line of jsonLines(file, counts)) {
    objects += 1
    if (counts.read > objects) return false
    if (objects === 2) return true
  }
  return false
}

function beginsAsObject(file: SourceFile): boolean {
  for (const chunk of file.chunks()) return /^\ufeff?\s*\{/.test(Buffer.from(chunk).toString('utf8'))
  return false
}
