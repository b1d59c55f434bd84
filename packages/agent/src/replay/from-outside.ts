import { type EventType, isSessionEvent, type SessionState, type StoredEvent } from '@loader/session-core'

const outside: ReadonlySet<string> = new Set<EventType>([
  'session.opened',
  'session.titled',
  'session.imported',
  'session.forked',
  'session.rewound',
  'custom.recorded',
  'policy.applied',
  'input.queued',
  'input.withdrawn',
  // The answer comes whole: how it arrived is up to the connection.
  'answer.progressed',
  'context.compaction_undone',
])

/** Whether an event is nothing that the loop does: it came to the session from outside, and comes again at its place. */
export function isFromOutside(event: StoredEvent, { turn }: Pick<SessionState, 'turn'>): boolean {
  if (!isSessionEvent(event)) return true
  if (event.type === 'workflow.decided') return isWishForMode(event.entry)
  // Hooks around a session run between turns.
  if (event.type === 'hook.finished') return turn === null
  // So do looks after files went back.
  if (event.type === 'workspace.observed') return turn === null
  // The user accepts between turns, and what follows from that comes with it.
  if (event.type === 'checks.accepted' || event.type === 'before.moved') return turn === null
  return outside.has(event.type)
}

/** The mode that a user set, as opposed to one that the runtime has found in the task. */
function isWishForMode(entry: {
  readonly reasonCode: string
  readonly decisionKind?: string | undefined
  readonly routeScore?: number | undefined
}): boolean {
  return entry.reasonCode === 'explicit_request' && entry.decisionKind === 'requested' && entry.routeScore === undefined
}
