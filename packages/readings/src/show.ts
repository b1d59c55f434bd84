import { fold, type History, isChild } from '@loader/session-core'
import { conversationOf } from './conversation.ts'
import { textIn, type Texts } from './words/texts.ts'
import { sessionNameOf } from './words/session-name.ts'
import type { ShowOutput } from './schemas/show.ts'

/** The conversation as it is now; or, if the history ends at the event `at`, as it was after that event. */
export function showReading(
  history: History,
  { at = null, texts = new Map() }: { readonly at?: number | null; readonly texts?: Texts } = {},
): ShowOutput | null {
  const state = fold(history)
  if (state === null) return null
  const { turn, queue } = state
  const waiting = [...(turn?.pending ? [turn.pending] : []), ...queue]
  const partial = turn?.request?.partial ?? ''
  return {
    session: sessionNameOf(state),
    at,
    entries: conversationOf(history, texts),
    arriving: partial === '' ? null : partial,
    waiting: waiting.map(({ inputId, text }) => ({ inputId, text: textIn(texts, text) })),
    ...(state.children && state.children.length > 0 && { children: [...state.children] }),
    ...(state.parent !== undefined && isChild(state) && { parent: state.parent }),
  }
}
