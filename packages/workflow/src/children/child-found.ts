import type { SessionState } from '@loader/session-core'
import type { ChildSession } from '@loader/session-core/coding'

/** What is done about a child whose parent was cut off. */
export type ChildFound =
  /** It did nothing yet: it begins, under the id that was decided for it. */
  | { readonly do: 'begin' }
  | { readonly do: 'go_on' }
  /** Its turn has ended: its result is taken over. */
  | { readonly do: 'take_result' }
  | { readonly do: 'call_unknown'; readonly why: string }

/** What is done about a child, by what its own log says. `found` is null where there is no such session. */
export function childFound(
  parent: Pick<SessionState, 'id'>,
  child: ChildSession,
  found: SessionState | null,
): ChildFound {
  if (found === null) {
    if (child.opened === undefined) return { do: 'begin' }
    return { do: 'call_unknown', why: `Session ${child.id}, which worked on it, is not there any more.` }
  }
  if (found.parent?.id !== parent.id || found.parent.callId !== child.callId) {
    return { do: 'call_unknown', why: `Session ${child.id} is not one of this session.` }
  }
  if (found.turn !== null || found.queue.length > 0) return { do: 'go_on' }
  return found.lastTurn === null ? { do: 'begin' } : { do: 'take_result' }
}
