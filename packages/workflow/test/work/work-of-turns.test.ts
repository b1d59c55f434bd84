import { type EventInput, fold, ownerOf, parseEvent, type StoredEvent } from '@loader/session-core'
import { expect, test } from 'vitest'
import { changesOf } from '../../src/goal/changed-files.ts'
import { hasChanged } from '../../src/goal/has-changed.ts'
import { liveTurns } from '../../src/work/live-turns.ts'
import { workOfTurns } from '../../src/work/work-of-turns.ts'

const tree = (id: string) => ({ id, rest: 'none', leftOut: [] })
const span = (before: string, after: string) => ({ before: tree(before), after: tree(after) })

function historyOf(...inputs: readonly EventInput[]): StoredEvent[] {
  const all: readonly EventInput[] = [
    { type: 'session.opened', format: 1, id: 'ses' },
    { type: 'session.claimed', epoch: 1, owner: ownerOf('test') },
    ...inputs,
  ]
  return all.map((input, index) => parseEvent({ seq: index + 1, at: '2026-01-01T00:00:00.000Z', ...input }))
}

const begun = (turnId: string): EventInput[] => [
  { type: 'input.queued', inputId: `in_${turnId}`, text: 'Do it.' },
  { type: 'turn.started', turnId, inputId: `in_${turnId}` },
]
const ended = (turnId: string): EventInput => ({ type: 'turn.finished', turnId, reason: 'turn_complete' })
const answered = (requestId: string, ...callIds: readonly string[]): EventInput[] => [
  { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
  {
    type: 'model.answered',
    requestId,
    content: callIds.map((id) => ({ type: 'call', call: { id, name: 'bash', input: {} } })),
    finishReason: 'tool-calls',
  },
]
const ran = (callId: string, effect: 'unknown' | 'probe' = 'unknown'): EventInput[] => [
  { type: 'call.examined', callId, effect },
  { type: 'tool.started', callId },
  { type: 'tool.finished', callId, outcome: 'ok', text: '' },
]
const seen = (id: string): EventInput => ({ type: 'workspace.observed', tree: tree(id) })

test('each stretch in which calls ran lies between the tree before and the tree after; what lies between them is not in it', () => {
  const history = historyOf(
    ...begun('t1'),
    ...answered('r1', 'c1', 'c2'),
    { type: 'workspace.observed', tree: tree('a'), baselineOf: 't1' },
    ...ran('c1'),
    ...ran('c2'),
    seen('b'),
    ...answered('r2', 'c3'),
    seen('c'),
    ...ran('c3'),
    seen('d'),
    ended('t1'),
  )
  expect(workOfTurns(history, ['t1'])).toEqual({ spans: [span('a', 'b'), span('c', 'd')], unseen: [] })
  expect(workOfTurns(history, ['another'])).toEqual({ spans: [], unseen: [] })
})

test('calls that merely look, and those that have left everything as it was, have no stretch of their own', () => {
  const history = historyOf(
    ...begun('t1'),
    ...answered('r1', 'c1', 'c2'),
    ...ran('c1', 'probe'),
    { type: 'workspace.observed', tree: tree('a'), baselineOf: 't1' },
    ...ran('c2'),
    seen('a'),
    ended('t1'),
  )
  expect(workOfTurns(history, ['t1'])).toEqual({ spans: [], unseen: [] })
})

test('what a call did that was cut off is seen by the look of the process that goes on', () => {
  const history = historyOf(
    ...begun('t1'),
    ...answered('r1', 'c1'),
    { type: 'workspace.observed', tree: tree('a'), baselineOf: 't1' },
    { type: 'call.examined', callId: 'c1', effect: 'unknown' },
    { type: 'tool.started', callId: 'c1' },
    { type: 'session.claimed', epoch: 2, owner: ownerOf('test') },
    { type: 'tool.finished', callId: 'c1', outcome: 'unknown', text: '' },
    seen('b'),
    ended('t1'),
  )
  expect(workOfTurns(history, ['t1']).spans).toEqual([span('a', 'b')])
})

test('a turn without an observation before or after its calls is listed with the reason', () => {
  const without = (why: string): EventInput => ({ type: 'workspace.observed', noTree: why, baselineOf: 't1' })
  const before = historyOf(...begun('t1'), ...answered('r1', 'c1'), without('no git'), ...ran('c1'), ended('t1'))
  expect(workOfTurns(before, ['t1'])).toEqual({ spans: [], unseen: [{ turnId: 't1', why: 'no git' }] })
  const after = historyOf(
    ...begun('t1'),
    ...answered('r1', 'c1'),
    { type: 'workspace.observed', tree: tree('a'), baselineOf: 't1' },
    ...ran('c1'),
    ended('t1'),
  )
  expect(workOfTurns(after, ['t1']).unseen).toMatchObject([
    { turnId: 't1', why: expect.stringContaining('ended before') },
  ])
})

test('a turn of an older version has fingerprints: what it changed is not known, and nothing is said to have changed', () => {
  const history = historyOf(
    ...begun('t1'),
    ...answered('r1', 'c1'),
    { type: 'workspace.observed', fingerprint: 'sha256:a', baseline: '0644:1 a.txt' },
    ...ran('c1'),
    { type: 'workspace.observed', fingerprint: 'sha256:b', changed: [{ path: 'a.txt', change: 'modified' }] },
  )
  const why = 'an older version of Loader took no tree of the files'
  expect(workOfTurns([...history], ['t1'])).toEqual({ spans: [], unseen: [{ turnId: 't1', why }] })
  const state = fold(history)
  if (state?.turn == null) throw new Error('a turn is open')
  expect(state.workspace).toMatchObject({ tree: null, noTree: null, baseline: { turnId: 't1', tree: null } })
  expect(hasChanged(state, state.turn)).toBe(true)
  expect(changesOf(state)).toEqual({ known: 'all', changes: [{ path: 'a.txt', change: 'modified' }] })
})

test('a look at something else leaves what is known of the files as it is', () => {
  const history = historyOf(...begun('t1'), seen('a'), { type: 'workspace.observed', facts: { kind: 'node' } })
  expect(fold(history)?.workspace).toMatchObject({ tree: tree('a'), looked: { seq: 5 }, facts: { kind: 'node' } })
})

test('turns that were taken back stand no more, and later ones do', () => {
  const history = historyOf(
    ...begun('t1'),
    ended('t1'),
    ...begun('t2'),
    ended('t2'),
    { type: 'session.rewound', toSeq: 5, turnId: 't2', through: null },
    ...begun('t3'),
    ended('t3'),
  )
  expect(liveTurns(history).map(({ turnId }) => turnId)).toEqual(['t1', 't3'])
})
