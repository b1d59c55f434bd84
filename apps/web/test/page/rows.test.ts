import type { ClaimReading, Mark } from '@loader/readings'
import { expect, test } from 'vitest'
import { conversationRows } from '../../src/page/views/conversation/rows.ts'

const claim = (epoch: number, pid: number, ended: ClaimReading['ended']): ClaimReading => {
  const at = '2026-01-01T00:00:00.000Z'
  const last = { seq: epoch * 10, type: 'session.claimed', at }
  return { epoch, seq: epoch * 10, at, owner: { type: 'Agent', path: 'agent', pid }, last, events: 1, ended, cut: [] }
}
const mark: Mark = { kind: 'stop', seq: 99, at: 0, title: 'Stopped' }

/** The claims that have a row, before something that is shown. */
function shown(...claims: readonly ClaimReading[]): number[] {
  return conversationRows([], claims, [], [mark]).flatMap((row) => (row.kind === 'claim' ? [row.next.epoch] : []))
}

test('where a session was left with a question is shown, whoever took it up and whatever that one did', () => {
  expect(shown(claim(1, 7, 'rested'), claim(2, 8, 'rested'), claim(3, 9, 'latest'))).toEqual([3])
  expect(shown(claim(1, 7, 'waiting'), claim(2, 8, 'passed_on'), claim(3, 9, 'latest'))).toEqual([2, 3])
  expect(shown(claim(1, 7, 'waiting'), claim(2, 7, 'latest'))).toEqual([])
  expect(shown(claim(1, 7, 'cut_off'), claim(2, 7, 'latest'))).toEqual([2])
})
