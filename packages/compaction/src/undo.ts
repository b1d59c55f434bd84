import { type EventInput, fold, isSessionEvent, type Recording, type SessionState } from '@loader/session-core'

/** The event that puts the folded messages back. Append it to the session. */
export type CompactionUndoneInput = Extract<EventInput, { type: 'context.compaction_undone' }>

/**
 * The event that takes the newest compaction back: the messages that its summary had replaced return to the window. Null
 * when there is none to take back, or when its summary has left the window since.
 */
export function undoCompaction(recording: Recording): CompactionUndoneInput | null {
  const state = fold(recording)
  const messageId = state?.compaction?.messageId
  if (state == null || messageId === undefined || !isInWindow(state, messageId)) return null
  const place = recording.findLastIndex(
    (event) => isSessionEvent(event) && event.type === 'context.compacted' && event.messageId === messageId,
  )
  const event = recording[place]
  if (event === undefined || !isSessionEvent(event) || event.type !== 'context.compacted') return null
  const messages = fold(recording.slice(0, place))?.messages.toArray() ?? []
  const end = event.firstKept === null ? messages.length : messages.findLastIndex(({ id }) => id === event.firstKept)
  return { type: 'context.compaction_undone', messageId, restored: messages.slice(0, end) }
}

function isInWindow({ messages }: SessionState, messageId: string): boolean {
  return messages.findLastIndex(({ id }) => id === messageId) >= 0
}
