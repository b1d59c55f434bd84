import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { printNotes } from '../screen/notes.ts'
import type { RunEnd } from '../output/printer.ts'

/**
 * Writes the answer into the file of --output-last-message; nothing, when there is none, so that nobody takes the answer
 * of an earlier run for it. The run is not lost when that fails, but it failed.
 */
export function keepAnswer(end: RunEnd, given: Given, console: Console): RunEnd {
  const file = given.value('output-last-message')
  if (file === undefined) return end
  try {
    writeFileSync(resolve(console.folder, file), end.kind === 'finished' ? end.result.response : '')
    return end
  } catch (error) {
    printNotes(console, [`The answer could not be written into ${file}: ${errorText(error)}`])
    return end.code === 'ok' ? { ...end, code: 'failure' } : end
  }
}
