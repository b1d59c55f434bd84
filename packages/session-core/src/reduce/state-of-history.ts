import type { StoredEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { LoaderError } from '../words/errors.ts'
import { fold } from './reduce.ts'

/** The state that a whole history folds to; refused where an event cannot follow, or the events are of another session. */
export function stateOfHistory(id: string, events: readonly StoredEvent[]): SessionState {
  const state = fold(events)
  if (state === null) throw new LoaderError('invalid_event', `There is no event to make session ${id} of.`)
  if (state.id.toLowerCase() === id.toLowerCase()) return state
  throw new LoaderError(
    'invalid_event',
    `The events are those of session ${state.id}, so they cannot make session ${id}.`,
  )
}
