import { type JsonValue, parseEvent, type SessionEvent, sessionFormat, type StoredEvent } from '@loader/session-core'
import type { Verdict, WorkflowMode } from '@loader/session-core/coding'

const start = Date.parse('2026-01-01T00:00:00.000Z')

/** The time of the event with this seq: a second after the one before. */
export function timeAt(seq: number): string {
  return new Date(start + seq * 1000).toISOString()
}

type Opened = Extract<SessionEvent, { type: 'session.opened' }>

export function opened(id: string, changes: Partial<Pick<Opened, 'at' | 'title' | 'metadata'>> = {}): SessionEvent {
  return { type: 'session.opened', seq: 1, at: timeAt(1), format: sessionFormat, id, ...changes }
}

export function titled(seq: number, title = `Title ${seq}`): SessionEvent {
  return { type: 'session.titled', seq, at: timeAt(seq), title, by: 'user' }
}

export function recorded(seq: number, data: JsonValue): SessionEvent {
  return { type: 'custom.recorded', seq, at: timeAt(seq), name: 'sample', data }
}

/** One message in the window, so that the session has an excerpt. */
export function imported(seq: number, text: string): SessionEvent {
  const at = timeAt(seq)
  return {
    type: 'session.imported',
    seq,
    at,
    source: { kind: 'sample' },
    messages: [{ id: `message_${seq}`, role: 'user', origin: 'import', content: [{ type: 'text', text }], at }],
  }
}

/** A turn that is still open, or ended with this verdict. */
export function turn(seq: number, end: 'open' | Verdict): SessionEvent[] {
  const [turnId, inputId] = [`turn_${seq}`, `input_${seq}`]
  const begun: SessionEvent[] = [
    { type: 'input.queued', seq, at: timeAt(seq), inputId, text: 'Do it' },
    { type: 'turn.started', seq: seq + 1, at: timeAt(seq + 1), turnId, inputId },
  ]
  if (end === 'open') return begun
  const last = seq + 2
  return [
    ...begun,
    { type: 'turn.finished', seq: last, at: timeAt(last), turnId, reason: 'turn_complete', verdict: end },
  ]
}

export function claimed(seq: number, epoch: number): SessionEvent {
  return {
    type: 'session.claimed',
    seq,
    at: timeAt(seq),
    epoch,
    owner: { type: 'StoreContract', path: 'store-contract' },
  }
}

/** The session is in another mode from here on. */
export function switched(seq: number, mode: WorkflowMode): SessionEvent {
  return { type: 'session.rewound', seq, at: timeAt(seq), toSeq: 1, through: null, mode }
}

/** An event as stored on a disk, including fields that only a newer version knows. */
export function eventFrom(line: string): StoredEvent {
  return parseEvent(JSON.parse(line))
}
