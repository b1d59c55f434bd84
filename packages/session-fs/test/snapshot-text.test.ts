import { crc32 } from 'node:zlib'
import type { SessionState } from '@loader/session-core'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { combined } from '../src/format/checksum.ts'
import { SnapshotText } from '../src/format/snapshot.ts'
import { randomNumbers } from './children/events.ts'

const store = { epoch: 1, segments: 0, lastSealedSeq: 0, chain: '00000000', tidy: true }

/** The document as a simple program writes it. */
function plainly(state: object): string {
  const fields = { ...state, pendingInput: null, store }
  const lines = Object.entries(fields).map(([key, value]) => {
    const items = Array.isArray(value) && value.length > 0 ? value.map((item) => JSON.stringify(item)) : undefined
    return `\n${JSON.stringify(key)}: ${items === undefined ? JSON.stringify(value) : `[\n  ${items.join(',\n  ')}\n]`}`
  })
  const text = `{${lines.join(',')}`
  return `${text},\n"checksum": "${crc32(text).toString(16).padStart(8, '0')}"\n}\n`
}

function written(text: SnapshotText, state: object): string {
  const pieces: Buffer[] = []
  // Each holds until the next one is asked for.
  for (const piece of text.pieces(state as SessionState, store)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

test('two checksums are combined into that of both pieces in a row', () => {
  const random = randomNumbers(7)
  for (let round = 0; round < times({ quick: 300, ci: 5_000 }); round += 1) {
    const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 2_000) }, () => Math.floor(random() * 256)))
    const at = Math.floor(random() * (bytes.length + 1))
    const [first, second] = [bytes.subarray(0, at), bytes.subarray(at)]
    expect(combined(crc32(first), crc32(second), second.length)).toBe(crc32(bytes))
  }
})

describe('the documents of one session, each made over the one before', () => {
  test('are what a simple program writes, whatever its lists gained and lost meanwhile', () => {
    const random = randomNumbers(11)
    const upTo = (most: number) => Math.floor(random() * most)
    for (let round = 0; round < times({ quick: 40, ci: 1_000 }); round += 1) {
      const text = new SnapshotText()
      let made = 0
      const items = (count: number) =>
        Array.from({ length: count }, () => ({
          number: (made += 1),
          text: '“é”'.repeat(upTo(10) === 0 ? 6_000 : upTo(90)),
        }))
      let state = {
        id: 'one',
        seq: 1,
        turn: null,
        messages: items(upTo(60)),
        timeline: [] as unknown[],
        few: { a: '✓' },
      }
      for (let save = 0; save < 8; save += 1) {
        expect(written(text, state)).toBe(plainly(state))
        const messages = state.messages.slice(upTo(3) === 0 ? upTo(20) : 0, upTo(4) === 0 ? -1 - upTo(9) : undefined)
        state = {
          ...state,
          seq: state.seq + 1,
          messages: upTo(8) === 0 ? items(3) : [...messages, ...items(upTo(20))],
          timeline: [...state.timeline, 1, null, 'text', ...items(1)].slice(-9),
          few: upTo(2) === 0 ? state.few : { a: `${save}` },
        }
      }
    }
  })

  test('are so as well where a list is longer than what is kept', () => {
    const text = new SnapshotText()
    const messages = Array.from({ length: 40 }, (_, number) => ({ number, text: 'x'.repeat(120_000) }))
    const state = { id: 'one', turn: null, messages }
    expect(written(text, state) === plainly(state)).toBe(true)
    const shorter = { ...state, messages: messages.slice(30) }
    expect(written(text, shorter) === plainly(shorter)).toBe(true)
  })
})
