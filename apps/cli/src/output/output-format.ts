import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { eventsPrinter } from './events-printer.ts'
import { formatOf } from './format-of.ts'
import { OncePrinter, type Printer } from './printer.ts'
import { streamJsonPrinter } from './stream-json-printer.ts'
import { textPrinter } from './text-printer.ts'

export interface OutputOptions {
  readonly format: string | undefined
  /** With stream-json: include deltas. */
  readonly partial: boolean
  /** With stream-json: include messages of the user. */
  readonly replayed: boolean
  /** With text: report progress on standard error. */
  readonly verbose: boolean
}

export function printerFor(given: Given, console: Console): OncePrinter {
  return new OncePrinter(
    printerOf(console, {
      format: formatOf(given),
      partial: given.has('include-partial-messages'),
      replayed: given.has('replay-user-messages'),
      verbose: given.has('verbose'),
    }),
  )
}

export function printerOf(console: Console, options: OutputOptions): Printer {
  switch (options.format) {
    case 'stream-json':
      return streamJsonPrinter(console, { ...options, what: 'every line' })
    case 'json':
      return streamJsonPrinter(console, { ...options, what: 'result only' })
    case 'events':
      return eventsPrinter(console)
    default:
      return textPrinter(console, options)
  }
}
