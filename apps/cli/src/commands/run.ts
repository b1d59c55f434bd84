import type { Program } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { type Console, isInteractive } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { runInteractive } from '../interactive/run-interactive.ts'
import { failed } from '../output/failed.ts'
import { placesOfRun } from '../run/places-of-run.ts'
import { begin } from '../run/begin.ts'
import { onCrash } from '../run/crash.ts'
import { runHeadless } from '../run/headless.ts'
import { noModel } from '../run/no-model.ts'
import { wayBack } from '../run/way-back.ts'
import { askWhich } from '../sessions/ask-which.ts'
import type { UsageError } from '../arguments/usage-error.ts'
import { nothingKnown } from '../output/nothing-known.ts'
import { printerOf } from '../output/output-format.ts'
import { OncePrinter } from '../output/printer.ts'

/** Runs a task or, in a terminal, the interactive interface. */
export async function run(given: Given, console: Console, program: Program): Promise<ExitCode> {
  if (given.has('print') || given.has('output-format') || !isInteractive(console)) return runHeadless(given, console)
  const places = placesOfRun(given, console)
  const onNote = (note: string) => printNotes(console, [note])
  const asking = { askWhich: askWhich.bind(undefined, console), onNote }
  const begun = await begin({ given, console, places, piped: '', audience: 'user', ...asking })
  if (begun.kind === 'no_model') throw await noModel(console, places)
  await using agent = begun.agent
  const crash = onCrash((error) => {
    failed(error, given, console)
    if (agent.session.state === null || given.has('ephemeral')) return
    const back = wayBack(given, begun.places, agent.session.id, begun.address)
    onNote(back.kind === 'resume' ? `Go on with: ${back.command}` : back.why)
  })
  try {
    return await runInteractive(begun, program)
  } finally {
    crash.stop()
  }
}

/**
 * Prints the first and last event for a run with an invalid command line, in the requested format. It belongs to this
 * module because it shares the printers of a run, and many small files load more slowly.
 */
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
