import { createHash } from 'node:crypto'
import type { Console } from '../console/console.ts'
import { nothingKnown } from './nothing-known.ts'
import { PartialMessages } from './partial-messages.ts'
import type { Printer, RunHead } from './printer.ts'
import { resultLine } from './result-line.ts'
import { RunRecord } from './run-record.ts'
import { RunUsage } from './run-usage.ts'
import { initLine, type StreamLine, jsonLinesOf, promptLine } from './stream-json-lines.ts'

export interface StreamJsonOptions {
  readonly what: 'every line' | 'result only'
  readonly partial: boolean
  readonly replayed: boolean
}

/**
 * The lines that wrappers of coding agents read: one `init`, one line for each block of an answer, one for each result
 * of a call, and finally exactly one `result`. With `result only`, just the last one.
 */
export function streamJsonPrinter({ stdout, version }: Console, options: StreamJsonOptions): Printer {
  let started = performance.now()
  let usage = new RunUsage()
  let record = new RunRecord()
  const partial = new PartialMessages()
  let head: RunHead = nothingKnown
  const write = (place: string, { type, subtype, ...rest }: StreamLine) => {
    const session_id = head.sessionId
    const names = { type, ...(subtype !== undefined && { subtype }), session_id, uuid: lineId(session_id, place) }
    stdout.write(`${JSON.stringify({ ...names, ...rest })}\n`)
  }
  const say = (place: string, lines: readonly StreamLine[]) => {
    if (options.what === 'every line') for (const [index, line] of lines.entries()) write(`${place}.${index}`, line)
  }
  return {
    begin(known) {
      head = known
      say(`init ${known.seq}`, [initLine(known, version)])
      if (options.replayed && known.task !== '') say(`input ${known.seq}`, [promptLine(known.task)])
    },
    event(event) {
      record.see(event)
      usage.see(event)
      if (options.partial) {
        for (const { place, line } of partial.linesOf(event, record, head.model)) say(place, [line])
      }
      if ('seq' in event)
        say(String(event.seq), jsonLinesOf(event, record, { model: head.model, replayed: options.replayed }))
    },
    end(end) {
      const durationMs = Math.round(performance.now() - started)
      write(`result ${Math.max(head.seq, record.lastSeq)}`, resultLine(end, { usage, record, durationMs }))
      // Where another task follows, its result is about that task alone.
      ;[started, usage, record] = [performance.now(), new RunUsage(), record.next()]
    },
  }
}

/** A UUID that is always the same for the same line of a session. */
function lineId(sessionId: string, place: string): string {
  const hex = createHash('sha256').update(`${sessionId}\n${place}`).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}
