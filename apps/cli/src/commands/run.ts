import type { Program } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { type Console, isInteractive } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import type { SessionRow, SessionStore } from '@loader/session-core'
import { canDraw } from '../console/can-draw.ts'
import { paintFor } from '../screen/paint.ts'
import { failed } from '../output/failed.ts'
import { placesOfRun } from '../run/places-of-run.ts'
import type { ModelsOffered } from '../run/ask-model.ts'
import { begin } from '../run/begin.ts'
import type { Beginning, Begun } from '../run/beginning.ts'
import { onCrash } from '../run/crash.ts'
import { runHeadless } from '../run/headless.ts'
import { noModel } from '../run/no-model.ts'
import { wayBack } from '../run/way-back.ts'
import { askWhich } from '../sessions/ask-which.ts'
import type { UsageError } from '../arguments/usage-error.ts'
import { nothingKnown } from '../output/nothing-known.ts'
import { formatOf } from '../output/format-of.ts'
import { printerOf } from '../output/output-format.ts'
import { OncePrinter } from '../output/printer.ts'

/** Runs a task or, in a terminal, the interactive interface. */
export async function run(given: Given, console: Console, program: Program): Promise<ExitCode> {
  if (given.has('print') || formatOf(given) !== undefined || !isInteractive(console)) return runHeadless(given, console)
  const places = placesOfRun(given, console)
  const onNote = (note: string) => printNotes(console, [note])
  const asking = { askWhich: whichSession.bind(undefined, given, console), onNote }
  const beginning = { given, console, places, piped: '', audience: 'user', ...asking } as const
  const begun = await begunWithModel(beginning)
  await using agent = begun.agent
  const crash = onCrash((error) => {
    failed(error, given, console)
    if (agent.session.state === null || given.has('ephemeral')) return
    const back = wayBack(given, begun.places, agent.session.id, begun.address)
    onNote(back.kind === 'resume' ? `Go on with: ${back.command}` : back.why)
  })
  try {
    const { runInteractive } = await import('../interactive/run-interactive.ts')
    return await runInteractive(begun, program)
  } finally {
    crash.stop()
  }
}

/** Asks which of these sessions is meant, with a list to search where the terminal can draw one. */
async function whichSession(
  given: Given,
  console: Console,
  question: string,
  rows: readonly SessionRow[],
  store: SessionStore,
) {
  if (!canDraw(console)) return askWhich(console, question, rows)
  const { chooseSessionAlone } = await import('../interactive/choose-alone.ts')
  return chooseSessionAlone(question, rows, store, { console, paint: paintFor(given, console) })
}

/** Where no model was chosen yet, one is asked for. */
async function begunWithModel(beginning: Beginning): Promise<Begun> {
  const first = await begin(beginning)
  if (first.kind === 'begun') return first
  const { console, places } = beginning
  const { askModel } = await import('../run/ask-model.ts')
  const chooseModel = async (models: ModelsOffered) => {
    const { chooseModelAlone } = await import('../interactive/choose-alone.ts')
    return chooseModelAlone(models, { console, paint: paintFor(beginning.given, console) })
  }
  const model = await askModel(console, places, canDraw(console) ? chooseModel : undefined)
  const next = model === undefined ? first : await begin({ ...beginning, model })
  if (next.kind === 'begun') return next
  throw await noModel(console, places)
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
  if (words.includes('--json')) return 'json'
  const at = words.findIndex((word) => /^--output-?format(=|$)/i.test(word))
  const value = words[at]?.split('=')[1] ?? words[at + 1]
  return ['json', 'stream-json', 'events'].find((format) => format === value)
}
