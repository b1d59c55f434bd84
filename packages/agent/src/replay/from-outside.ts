import { type EventType, isSessionEvent, type SessionState, type StoredEvent } from '@loader/session-core'

const outside: ReadonlySet<string> = new Set<EventType>([
  'session.opened',
  'session.titled',
  'session.imported',
  'session.forked',
  'session.rewound',
  'custom.recorded',
  'policy.applied',
  // Packs are bytes of a machine, and which folder a session is in is no decision.
  'workspace.saved',
  'workspace.prepared',
  'input.queued',
  'input.withdrawn',
  // An answer is replayed whole; its deltas depended on the connection.
  'answer.progressed',
  'context.compaction_undone',
  // Commands that go on start, listen and end when they do.
  'background.started',
  'background.listened',
  'background.ended',
  'port.published',
  // So do background hooks.
  'hook.started',
  'hook.ended',
  // Child sessions have logs of their own.
  'child.assigned',
  'child.opened',
  'child.finished',
  'child.merged',
])

/** Whether an event came to the session from outside the loop, so that the replay inserts it at its place. */
export function isFromOutside(event: StoredEvent, { turn }: Pick<SessionState, 'turn'>): boolean {
  if (!isSessionEvent(event)) return true
  if (event.type === 'workflow.decided') return isWishForMode(event.entry)
  // Hooks that run between turns belong to the session, not to the loop.
  if (event.type === 'hook.finished') return turn === null
  // Observations between turns follow a rewind of files.
  if (event.type === 'workspace.observed') return turn === null
  // The user accepts between turns, and the events that follow from it come with it.
  if (event.type === 'checks.accepted' || event.type === 'before.moved') return turn === null
  return outside.has(event.type)
}

/** Whether the user set the mode, not the router. */
function isWishForMode(entry: {
  readonly reasonCode: string
  readonly decisionKind?: string | undefined
  readonly routeScore?: number | undefined
}): boolean {
  return entry.reasonCode === 'explicit_request' && entry.decisionKind === 'requested' && entry.routeScore === undefined
}
