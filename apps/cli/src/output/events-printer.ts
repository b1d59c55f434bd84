import { LoaderError } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { exitNumber } from '../console/exit-codes.ts'
import type { Printer } from './printer.ts'

/**
 * Prints our own events, one JSON object per line, between a first line about the session and a last one about the end.
 */
export function eventsPrinter({ stdout, version }: Console): Printer {
  let sessionId = ''
  const line = (value: object) => void stdout.write(`${JSON.stringify(value)}\n`)
  return {
    begin({ task: _task, ...head }) {
      ;({ sessionId } = head)
      line({ type: 'run.started', ...head, version })
    },
    event(event) {
      if (!event.type.startsWith('delta.')) line(event)
    },
    end(end) {
      const { code, resume } = end
      const about = {
        type: 'run.finished',
        sessionId,
        exitCode: exitNumber(code),
        ...(resume !== undefined && { resume }),
      }
      if (end.kind === 'failed') {
        const named = LoaderError.is(end.error) ? end.error.code : code
        return line({ ...about, error: { code: named, message: errorText(end.error) } })
      }
      const { reason, verdict, judgement, text, usage } = end.result
      const { changed = null, beside } = end.result.end ?? {}
      const why = end.why ?? null
      return line({ ...about, reason, why, verdict, judgement, changed, beside, text, usage })
    },
  }
}
