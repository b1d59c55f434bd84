import { type AnswerPart, callsOf, type Request, textOf } from '@loader/session-core'
import { compactionMarker } from './summary-message.ts'

/** Whether the text of a model can be used as a summary. */
export type SummaryReading =
  | { readonly outcome: 'written'; readonly summary: string }
  | { readonly outcome: 'refused'; readonly reason: string }

const whole: ReadonlySet<Request['finishReason']> = new Set([undefined, 'stop', 'tool-calls', 'other'])

/** Reads the answer to a request for a summary. Only a complete text answer may replace messages. */
export function readSummary(request: Request): SummaryReading {
  const { status, finishReason, answer = [], error } = request
  if (status === 'failed')
    return refused(`the model failed (${error?.kind ?? 'other'}): ${error?.message ?? 'no reason'}`)
  if (status === 'interrupted') return refused('the request was cut off')
  if (status === 'asked') return refused('the model has not answered')
  if (!whole.has(finishReason)) return refused(`the answer is not whole (${finishReason})`)
  return wordsIn(answer)
}

function wordsIn(answer: readonly AnswerPart[]): SummaryReading {
  if (callsOf(answer).length > 0) return refused('the model called a tool')
  const summary = textOf(answer).replaceAll(compactionMarker, '').trim()
  return summary === '' ? refused('the answer is empty') : { outcome: 'written', summary }
}

function refused(reason: string): SummaryReading {
  return { outcome: 'refused', reason: `No summary was written: ${reason}.` }
}
