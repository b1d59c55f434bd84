import { type SessionEvent, sessionFormat } from '@loader/session-core'

function timeAt(seq: number): string {
  return new Date(Date.parse('2026-01-01T00:00:00.000Z') + seq * 1000).toISOString()
}

export function opened(id: string): SessionEvent {
  return { type: 'session.opened', seq: 1, at: timeAt(1), format: sessionFormat, id }
}

export function titled(seq: number, title = `Title ${seq}`): SessionEvent {
  return { type: 'session.titled', seq, at: timeAt(seq), title, by: 'user' }
}
