import type { Console } from '../console/console.ts'
import { lineId } from './line-id.ts'
import { nothingKnown } from './nothing-known.ts'
import { PartialMessages } from './partial-messages.ts'
import type { Printer, RunHead } from './printer.ts'
import { resultLine } from './result-line.ts'
import { RunRecord } from './run-record.ts'
import { RunUsage } from './run-usage.ts'
import { initLine, type Line, linesOf, promptLine } from './stream-json-lines.ts'

export interface StreamJsonOptions {
  readonly what: 'every line' | 'result only'
  readonly partial: boolean
  readonly replayed: boolean
}

/**
 * The lines that wrappers of coding agents read: one `init`, one line for each block of an answer, one for each result
 * of a call, and exactly one `result`, last. With `result only`, that one alone.
 */
export function streamJsonPrinter({ stdout, version }: Console, options: StreamJsonOptions): Printer {
  const started = performance.now()
  const usage = new RunUsage()
  const record = new RunRecord()
  const partial = new PartialMessages()
  let head: RunHead = nothingKnown
  const write = (place: string, { type, subtype, ...rest }: Line) => {
    const session_id = head.sessionId
    const names = { type, ...(subtype !== undefined && { subtype }), session_id, uuid: lineId(session_id, place) }
    stdout.write(`${JSON.stringify({ ...names, ...rest })}\n`)
  }
  const say = (place: string, lines: readonly Line[]) => {
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
      usage.see(event, head.model)
      if (options.partial) {
        for (const { place, line } of partial.linesOf(event, record, head.model)) say(place, [line])
      }
      if ('seq' in event)
        say(String(event.seq), linesOf(event, record, { model: head.model, replayed: options.replayed }))
    },
    end(end) {
      const durationMs = Math.round(performance.now() - started)
      write(`result ${Math.max(head.seq, record.lastSeq)}`, resultLine(end, { usage, record, durationMs }))
    },
  }
}
