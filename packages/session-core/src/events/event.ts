import * as z from 'zod/mini'
import { LoaderError } from '../words/errors.ts'
import type { Immutable } from '../words/immutable.ts'
import { isJsonObject } from '../words/json.ts'
import { parseInEnglish } from '../words/parse-in-english.ts'
import { Timestamp } from '../words/time.ts'
import { backgroundEvents } from './background.ts'
import { callEvents } from './calls.ts'
import { childEvents } from './children.ts'
import { typeOf } from './define.ts'
import { modelEvents } from './model.ts'
import { sessionEvents } from './session.ts'
import { turnEvents } from './turn.ts'
import { workflowEvents } from './workflow.ts'
import { described, lazyObject, positive } from '../words/schema.ts'

export const SessionEvent = /* @__PURE__ */ z.discriminatedUnion('type', /* @__PURE__ */ allEvents())
/** A fact about a session: named in the past tense, numbered, timed, never changed. */
export type SessionEvent = Immutable<z.infer<typeof SessionEvent>>

/** The names of all events of this version, such as `tool.finished`. */
export type EventType = SessionEvent['type']

/** One kind of event by its name: `EventOf<'tool.finished'>`. */
export type EventOf<Type extends EventType> = Extract<SessionEvent, { type: Type }>

/** An event of a newer version. It keeps its place and its content. */
export const ForeignEvent = /* @__PURE__ */ lazyObject(() => ({
  type: z.string().check(z.regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/)),
  seq: positive,
  at: Timestamp,
  critical: described(z.optional(z.boolean()), 'a program that does not know this event must not continue the session'),
}))
export type ForeignEvent = Immutable<z.infer<typeof ForeignEvent>>

/** What a store holds: the events of this version, and those of newer ones. */
export type StoredEvent = SessionEvent | ForeignEvent

/** All events of a session, in order, as they were read. */
export type History = readonly StoredEvent[]

type WithoutPlace<Event> = Event extends unknown ? Omit<Event, 'seq' | 'at'> : never

/** An event before it has a seq and a time. */
export type EventInput = WithoutPlace<SessionEvent>

const schemas = /* @__PURE__ */ schemasByType()

// Written out, so that a program that reads events which were checked before, as the page does, needs no schema.
const known = {
  'session.opened': true,
  'session.claimed': true,
  'session.titled': true,
  'session.imported': true,
  'session.forked': true,
  'event.lost': true,
  'session.rewound': true,
  'custom.recorded': true,
  'policy.applied': true,
  'permission.rule_added': true,
  'input.queued': true,
  'turn.started': true,
  'input.taken': true,
  'input.withdrawn': true,
  'stop.requested': true,
  'turn.finished': true,
  'prompt.rendered': true,
  'model.asked': true,
  'answer.progressed': true,
  'model.answered': true,
  'model.failed': true,
  'model.interrupted': true,
  'calls.recovered': true,
  'wait.started': true,
  'wait.finished': true,
  'call.examined': true,
  'permission.decided': true,
  'question.asked': true,
  'question.answered': true,
  'hook.finished': true,
  'hook.started': true,
  'hook.ended': true,
  'tool.started': true,
  'tool.finished': true,
  'background.started': true,
  'background.listened': true,
  'background.ended': true,
  'port.published': true,
  'child.assigned': true,
  'child.opened': true,
  'child.finished': true,
  'child.merged': true,
  'workflow.decided': true,
  'brief.written': true,
  'plan.written': true,
  'goal.defined': true,
  'ledger.updated': true,
  'todos.updated': true,
  'workspace.observed': true,
  'workspace.saved': true,
  'workspace.prepared': true,
  'verification.started': true,
  'before.moved': true,
  'check.started': true,
  'check.finished': true,
  'checks.accepted': true,
  'statement.made': true,
  'context.compacted': true,
  'context.compaction_failed': true,
  'context.compaction_undone': true,
} as const satisfies Readonly<Record<EventType, true>>

/** Every event name of this version, for programs that list or filter events. */
export const eventTypes: readonly EventType[] = /* @__PURE__ */ Object.keys(known) as EventType[]

/** Whether this version understands the event. Check it before reading fields of a `StoredEvent`. */
export function isSessionEvent(event: StoredEvent): event is SessionEvent {
  return Object.hasOwn(known, event.type)
}

/**
 * The value as an event, or an error that names the field. The value itself is returned, not a copy without the keys
 * that this version does not know: those belong to the program that wrote them.
 */
export function parseEvent(value: unknown): StoredEvent {
  const type = isJsonObject(value) ? value['type'] : undefined
  const schema = (typeof type === 'string' ? schemas.get(type) : undefined) ?? ForeignEvent
  const result = parseInEnglish(schema, value)
  if (!result.success) throw new LoaderError('invalid_event', explain(value, result.error))
  return value as StoredEvent
}

function allEvents() {
  return [
    ...sessionEvents,
    ...turnEvents,
    ...modelEvents,
    ...callEvents,
    ...backgroundEvents,
    ...childEvents,
    ...workflowEvents,
  ] as const
}

function schemasByType(): ReadonlyMap<string, z.ZodMiniObject> {
  return new Map(allEvents().map((schema) => [typeOf(schema), schema]))
}

function explain(value: unknown, error: z.core.$ZodError): string {
  const [issue] = error.issues
  const { type, seq } = isJsonObject(value) ? value : {}
  const name = typeof type === 'string' ? type : 'A value without a type'
  const place = typeof seq === 'number' ? ` (seq ${seq})` : ''
  const path = issue === undefined || issue.path.length === 0 ? 'it' : `its field ${issue.path.join('.')}`
  return (
    `${name}${place} is not a valid event: ${path} is wrong (${issue?.message ?? 'no detail'}). ` +
    'docs/session-format.md lists every event and field.'
  )
}
