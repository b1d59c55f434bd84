import {
  type EventOf,
  type EventType,
  excerptOf,
  type History,
  isSessionEvent,
  type SessionEvent,
  shownText,
  type StoredEvent,
  type ToolCall,
} from '@loader/session-core'
import { timelineOf } from '@loader/workflow'
import { counted, shortCount } from '../words/amounts.ts'
import { callTitle } from '../words/call-title.ts'
import type { Absence, Course, Mark, Span, SpanKind } from './span.ts'

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface Draft {
  readonly spans: Open<Span>[]
  readonly marks: Mark[]
  readonly absences: Absence[]
  /** What has begun and not ended, by kind and id. */
  readonly open: Map<string, Open<Span>>
  readonly calls: Map<string, ToolCall>
  readonly inputs: Map<string, string>
  /** Time of the event before. */
  last: number
}

type Readers = { readonly [Type in EventType]?: (draft: Draft, event: EventOf<Type>) => void }

/** What ran in a session from when to when, and what happened at a moment. */
export function courseOf(history: History): Course {
  const draft: Draft = {
    spans: [],
    marks: [],
    absences: [],
    open: new Map(),
    calls: new Map(),
    inputs: new Map(),
    last: timeOf(history[0]),
  }
  for (const event of history) {
    if (isSessionEvent(event)) read(draft, event)
    draft.last = Math.max(draft.last, timeOf(event))
  }
  const { spans, marks, absences, last } = draft
  return { from: timeOf(history[0]), to: last, spans, marks, absences, decisions: timelineOf(history) }
}

function read<Type extends EventType>(draft: Draft, event: EventOf<Type>): void {
  const reader: ((draft: Draft, event: EventOf<Type>) => void) | undefined = readers[event.type as Type]
  reader?.(draft, event)
}

const readers: Readers = {
  'session.claimed': (draft, event) => {
    cutOff(draft, event)
    const { program, host, pid } = event.owner
    const who = [program, host, ...(pid === undefined ? [] : [`process ${pid}`])].filter((word) => word !== undefined)
    mark(draft, 'claim', event, [`Claim ${event.epoch}`, ...who].join(' · '))
  },
  'session.imported': (draft, event) =>
    mark(draft, 'import', event, `${counted(event.messages.length, 'message')} imported from ${event.source.kind}`),
  'session.forked': (draft, event) => {
    // Agents that were at work there end there.
    for (const { kind, id } of draft.open.values()) if (kind === 'agent') end(draft, kind, id, event, 'unknown')
    mark(draft, 'fork', event, `Copied from ${event.from.id}, up to event ${event.from.seq}`)
  },
  'session.rewound': (draft, event) => mark(draft, 'rewind', event, `Went back to event ${event.toSeq}`),
  'event.lost': (draft, event) => {
    if (event.seq === event.first || draft.marks.at(-1)?.kind !== 'gap')
      mark(draft, 'gap', event, `Events ${event.first} to ${event.last} cannot be read`)
  },
  'input.queued': (draft, event) => {
    const text = excerptOf(shownText(event.text))
    draft.inputs.set(event.inputId, text)
    mark(draft, 'input', event, text)
  },
  'turn.started': (draft, event) =>
    begin(draft, 'turn', event.turnId, event, draft.inputs.get(event.inputId) ?? 'Turn'),
  'turn.finished': (draft, event) => end(draft, 'turn', event.turnId, event, event.verdict ?? event.reason),
  'stop.requested': (draft, event) => mark(draft, 'stop', event, `Asked to stop by ${event.by}`),
  'model.asked': (draft, event) => {
    const span = begin(draft, 'request', event.requestId, event, event.model ?? 'model')
    span.purpose = event.purpose
  },
  'answer.progressed': (draft, event) => {
    const span = draft.open.get(`request ${event.requestId}`)
    if (span !== undefined) span.firstWord ??= timeOf(event)
  },
  'model.answered': (draft, event) => {
    for (const part of event.content) if (part.type === 'call') draft.calls.set(part.call.id, part.call)
    end(draft, 'request', event.requestId, event, event.finishReason)
  },
  'model.failed': (draft, event) => end(draft, 'request', event.requestId, event, event.error.kind),
  'model.interrupted': (draft, event) => end(draft, 'request', event.requestId, event, 'interrupted'),
  'calls.recovered': (draft, event) => {
    for (const call of event.calls) draft.calls.set(call.id, call)
  },
  'wait.started': (draft, event) => begin(draft, 'wait', 'wait', event, event.why),
  'wait.finished': (draft, event) => end(draft, 'wait', 'wait', event, event.outcome),
  'question.asked': (draft, event) =>
    begin(draft, 'question', event.questionId, event, event.title ?? excerptOf(shownText(event.text))),
  'question.answered': (draft, event) => end(draft, 'question', event.questionId, event, event.permit ?? event.outcome),
  'hook.finished': (draft, event) => {
    const span = begin(draft, 'hook', `${event.seq}`, event, `${event.hook} on ${event.on}`)
    span.from -= event.ran?.durationMs ?? 0
    end(draft, 'hook', `${event.seq}`, event, event.decision)
  },
  'hook.started': (draft, event) => begin(draft, 'hook', event.id, event, `${event.hook} on ${event.on}`),
  'hook.ended': (draft, event) => end(draft, 'hook', event.id, event, event.ran.ended),
  'background.started': (draft, event) => begin(draft, 'background', event.id, event, `${event.id}: ${event.command}`),
  'background.ended': (draft, event) => end(draft, 'background', event.id, event, event.how),
  'child.assigned': (draft, event) => begin(draft, 'agent', event.childId, event, event.title),
  'child.finished': (draft, event) => end(draft, 'agent', event.childId, event, event.outcome),
  'tool.started': (draft, event) => begin(draft, 'call', event.callId, event, titleOf(draft, event.callId)),
  'tool.finished': (draft, event) => end(draft, 'call', event.callId, event, event.outcome),
  'check.started': (draft, event) => {
    const span = begin(draft, 'check', event.runId, event, event.command)
    if (event.room !== undefined) span.room = event.room
  },
  'check.finished': (draft, event) => end(draft, 'check', event.evidence.runId, event, event.evidence.outcome),
  'checks.accepted': (draft, event) => mark(draft, 'accepted', event, `Accepted by ${event.by}`),
  'context.compacted': (draft, event) => {
    const size = `${shortCount(event.tokensBefore)} to ${shortCount(event.tokensAfter)} tokens`
    mark(draft, 'compaction', event, `${counted(event.removed, 'message')} folded into a summary, ${size}`)
  },
}

function begin(draft: Draft, kind: SpanKind, id: string, event: SessionEvent, title: string): Open<Span> {
  const from = timeOf(event)
  const span: Open<Span> = { kind, id, title, from, to: null, seq: event.seq, endSeq: null, outcome: null }
  draft.spans.push(span)
  draft.open.set(`${kind} ${id}`, span)
  return span
}

/** What ends without a beginning, such as a call that was denied, took no time. */
function end(draft: Draft, kind: SpanKind, id: string, event: SessionEvent, outcome: string): void {
  const name = `${kind} ${id}`
  const span = draft.open.get(name) ?? begin(draft, kind, id, event, titleOf(draft, id))
  draft.open.delete(name)
  span.to ??= timeOf(event)
  span.endSeq = event.seq
  span.outcome = outcome
}

/**
 * The process of what was open at a claim had ended, at some time after its last event. A turn and its agents go on all
 * the same; of everything else it is told later what became of it.
 */
function cutOff(draft: Draft, event: EventOf<'session.claimed'>): void {
  // Background commands can go on without loader; what became of them is told by their own events.
  const spans = [...draft.open.values()].filter(({ kind }) => kind !== 'background')
  if (spans.length === 0) return
  draft.absences.push({ from: draft.last, to: timeOf(event), seq: event.seq })
  for (const span of spans) {
    if (span.kind === 'turn' || span.kind === 'agent' || span.cutBy !== undefined) continue
    span.to = Math.max(span.from, draft.last)
    span.cutBy = event.seq
  }
}

function mark({ marks }: Draft, kind: Mark['kind'], event: SessionEvent, title: string): void {
  marks.push({ kind, seq: event.seq, at: timeOf(event), title })
}

function titleOf({ calls }: Draft, id: string): string {
  const call = calls.get(id)
  return call === undefined ? id : callTitle(call)
}

function timeOf(event: StoredEvent | undefined): number {
  return event === undefined ? 0 : Date.parse(event.at)
}
