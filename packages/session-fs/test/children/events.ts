import { type Owner, sessionFormat, type StoredEvent } from '@loader/session-core'

export const owner: Owner = { type: 'Child', path: 'child' }

const start = Date.parse('2026-01-01T00:00:00.000Z')
const at = (seq: number) => new Date(start + seq * 1000).toISOString()

export function opened(id: string): StoredEvent {
  return { type: 'session.opened', seq: 1, at: at(1), format: sessionFormat, id }
}

/** An event that tells who wrote it, and is the same every time it is made. */
export function eventBy(by: string, seq: number): StoredEvent {
  const size = (seq * 7919) % 500
  const data = { by, text: `“${by}” \u0000\r\n ${'x'.repeat(size)}`, parts: [{ type: 'text', seq }] }
  return { type: 'custom.recorded', seq, at: at(seq), name: 'child', data }
}

export function claimedBy(epoch: number, seq: number): StoredEvent {
  return { type: 'session.claimed', seq, at: at(seq), epoch, owner }
}

/** Numbers that look random and come again with the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
