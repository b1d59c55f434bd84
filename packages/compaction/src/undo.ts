import { type EventInput, fold, isSessionEvent, type History, type SessionState } from '@loader/session-core'

/** The event that restores the folded messages. Append it to the session. */
export type CompactionUndoneInput = Extract<EventInput, { type: 'context.compaction_undone' }>

/**
 * Makes the event that undoes the latest compaction: the messages replaced by its summary return to the window. Null if
 * there is none to undo, or if its summary has left the window since.
 */
export function undoCompaction(history: History): CompactionUndoneInput | null {
  const state = fold(history)
  const messageId = state?.compaction?.messageId
  if (state == null || messageId === undefined || !isInWindow(state, messageId)) return null
  const place = history.findLastIndex(
    (event) => isSessionEvent(event) && event.type === 'context.compacted' && event.messageId === messageId,
  )
  const event = history[place]
  if (event === undefined || !isSessionEvent(event) || event.type !== 'context.compacted') return null
  const messages = fold(history.slice(0, place))?.messages.toArray() ?? []
  const end = event.firstKept === null ? messages.length : messages.findLastIndex(({ id }) => id === event.firstKept)
  return { type: 'context.compaction_undone', messageId, restored: messages.slice(0, end) }
}

function isInWindow({ messages }: SessionState, messageId: string): boolean {
  return messages.findLastIndex(({ id }) => id === messageId) >= 0
}
