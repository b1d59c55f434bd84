import type { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { nothingKnown } from './nothing-known.ts'
import { printerOf } from './output-format.ts'
import { OncePrinter } from './printer.ts'

/** The first and the last event of a run whose command line cannot be understood, in the form that was asked for. */
export function printRefusal(error: UsageError, words: readonly string[], console: Console): void {
  const format = formatIn(words)
  if (format === undefined) return
  const printer = new OncePrinter(printerOf(console, { format, partial: false, replayed: false, verbose: false }))
  printer.begin({ ...nothingKnown, folder: console.folder })
  printer.end({ kind: 'failed', error, code: 'usage' })
}

function formatIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^--output-?format(=|$)/i.test(word))
  const value = words[at]?.split('=')[1] ?? words[at + 1]
  return ['json', 'stream-json', 'events'].find((format) => format === value)
}
