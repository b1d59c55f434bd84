import type { StoredEvent } from './events/event.ts'
import { checkedRead } from './ports/checked-claim.ts'
import type { ReadOptions, SessionStore } from './ports/store.ts'
import { fold } from './reduce/reduce.ts'
import type { SessionState } from './state/state.ts'
import { LoaderError } from './words/errors.ts'
import { assertSessionId } from './words/ids.ts'

/**
 * The state and the events of a session, without claiming it. A damaged session is refused, unless the caller asks for
 * gaps to be marked.
 */
export async function readSession(
  store: SessionStore,
  id: string,
  options: Pick<ReadOptions, 'gaps'> = {},
): Promise<{ readonly state: SessionState; readonly history: readonly StoredEvent[] }> {
  assertSessionId(id)
  const history: StoredEvent[] = []
  for await (const event of checkedRead(store, id, options)) history.push(event)
  const state = fold(history)
  if (state === null) throw unreadable(id)
  return { state, history }
}

export function unreadable(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Session ${id} has no readable event. What is stored was left as it is; restore it from a backup to use it.`,
  )
}
