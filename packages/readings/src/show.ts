import { fold, type Recording } from '@loader/session-core'
import { conversationOf } from './conversation.ts'
import { textIn, type Texts } from './words/texts.ts'
import { sessionNameOf } from './schemas/session.ts'
import type { ShowOutput } from './schemas/show.ts'

/** The conversation as it is now; or, if the recording ends at the event `at`, as it was after that event. */
export function showReading(
  recording: Recording,
  { at = null, texts = new Map() }: { readonly at?: number | null; readonly texts?: Texts } = {},
): ShowOutput | null {
  const state = fold(recording)
  if (state === null) return null
  const { turn, queue } = state
  const waiting = [...(turn?.pending ? [turn.pending] : []), ...queue]
  const partial = turn?.request?.partial ?? ''
  return {
    session: sessionNameOf(state),
    at,
    entries: conversationOf(recording, texts),
    arriving: partial === '' ? null : partial,
    waiting: waiting.map(({ inputId, text }) => ({ inputId, text: textIn(texts, text) })),
  }
}
