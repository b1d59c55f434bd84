import { type Recording, stateAt, summarize } from '@loader/session-core'
import { conversationOf, inLines, type ShowOutput, textIn, type Texts } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { blobsNamedIn, chooseSession, type ChosenSession, fullText } from '../sessions/chosen-session.ts'
import { conversationLines } from '../views/conversation-lines.ts'
import { sessionHead } from '../views/session-head.ts'

/** The conversation, as it is or as it was after an event. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const at = wholeNumber(given, 'at')
  const recording = upTo(chosen, at)
  const texts = given.has('full') ? await fullTexts(chosen, recording) : new Map<string, string>()
  const output = outputOf(chosen, recording, at ?? null, texts)
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console) }
  const extent = given.has('full') ? 'full' : 'short'
  const said = conversationLines(output.entries, { ...options, extent })
  printLines(console, [
    ...sessionHead(chosen.row, { ...options, now: Date.now() }),
    ...(said.length === 0 ? [] : ['', ...said]),
    ...openLines(output, options.paint),
  ])
  return 'ok'
}

function upTo({ recording, row }: ChosenSession, at: number | undefined): Recording {
  if (at === undefined) return recording
  const last = recording.at(-1)?.seq ?? 0
  if (at <= last) return recording.filter(({ seq }) => seq <= at)
  throw new UsageError(`Session ${row.id} has no event ${at}: its events end at ${last}.`, 'show')
}

async function fullTexts(chosen: ChosenSession, recording: Recording): Promise<Texts> {
  const texts = new Map<string, string>()
  for (const blob of blobsNamedIn(recording)) {
    texts.set(blob, await fullText(chosen, { blob, bytes: 0, excerpt: '' }))
  }
  return texts
}

function outputOf({ row }: ChosenSession, recording: Recording, at: number | null, texts: Texts): ShowOutput {
  const state = stateAt(recording, recording.at(-1)?.seq ?? 0)
  const { turn = null, queue = [] } = state ?? {}
  const waiting = [...(turn?.pending ? [turn.pending] : []), ...queue]
  const partial = turn?.request?.partial ?? ''
  return {
    session: { id: row.id, title: state ? summarize(state).title : row.title, seq: recording.at(-1)?.seq ?? 0 },
    at,
    entries: conversationOf(recording, texts),
    arriving: partial === '' ? null : partial,
    waiting: waiting.map(({ inputId, text }) => ({ inputId, text: textIn(texts, text) })),
  }
}

function openLines({ arriving, waiting }: ShowOutput, paint: Paint): string[] {
  return [
    ...(arriving === null ? [] : ['', paint('yellow', 'Arriving'), ...inLines(arriving).map((line) => `  ${line}`)]),
    ...waiting.flatMap(({ text }) => ['', paint('cyan', 'You, waiting'), ...inLines(text).map((line) => `  ${line}`)]),
  ]
}
