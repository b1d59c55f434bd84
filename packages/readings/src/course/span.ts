import type { TimelineEntry } from '@loader/session-core/coding'

/** What takes time in a session. */
export type SpanKind = 'turn' | 'request' | 'call' | 'question' | 'check' | 'wait' | 'hook' | 'background' | 'agent'

/** Something that took time. Times are milliseconds since 1970, by the clock of the writer. */
export interface Span {
  readonly kind: SpanKind
  /** The id in its events: of the turn, the request, the call, the question, the run, the background command or the child session. */
  readonly id: string
  readonly title: string
  readonly from: number
  /** Null while it goes on. */
  readonly to: number | null
  /** The event that began it. */
  readonly seq: number
  readonly endSeq: number | null
  /** How it ended, in the words of its event; null while that is not known. */
  readonly outcome: string | null
  /** Of requests: what they are for. */
  readonly purpose?: string
  /** Of requests: when the first part of the answer was recorded. A short answer is recorded whole. */
  readonly firstWord?: number
  /** Of checks: the room that it ran in. */
  readonly room?: string
  /** The claim that found it open: its process had ended. `to` is then the last sign of life. */
  readonly cutBy?: number
}

/** A moment that people look for. */
export interface Mark {
  readonly kind: 'claim' | 'compaction' | 'rewind' | 'fork' | 'import' | 'accepted' | 'stop' | 'gap' | 'input'
  readonly seq: number
  readonly at: number
  readonly title: string
}

/** A time in which a turn was open and no process worked on it. */
export interface Absence {
  readonly from: number
  readonly to: number
  /** The claim that ended it. */
  readonly seq: number
}

/** A session as times: what ran from when to when, and what happened at a moment. In the order of the events. */
export interface Course {
  readonly from: number
  readonly to: number
  readonly spans: readonly Span[]
  readonly marks: readonly Mark[]
  readonly absences: readonly Absence[]
  /** What the runtime decided, with its reasons. */
  readonly decisions: readonly TimelineEntry[]
}
