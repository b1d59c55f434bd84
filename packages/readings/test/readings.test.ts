import { type EventInput, MemoryStore, readSession, Session } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import {
  activityOf,
  EvidenceOutput,
  evidenceReading,
  LedgerOutput,
  ledgerReading,
  PromptDiffOutput,
  promptDiffReading,
  promptReading,
  PromptShowOutput,
  ShowOutput,
  showReading,
  statusReading,
  StatusOutput,
  TimelineOutput,
  timelineReading,
  UsageOutput,
  usageReading,
  whyReading,
  WhyOutput,
} from '../src/index.ts'

let ids = 0
const environment = { now: () => '2026-01-01T00:00:00.000Z', newId: (prefix: string) => `${prefix}_${++ids}` }
const began: readonly EventInput[] = [
  { type: 'input.queued', inputId: 'in_1', text: 'Create hello.txt' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
]
const ended: EventInput = { type: 'turn.finished', turnId: 'turn_1', reason: 'interrupted' }

async function sessionWith(events: readonly EventInput[]) {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment, title: 'Hello' })
  if (events.length > 0) await session.append(events)
  return readSession(store, session.id)
}

describe.each([
  ['in which nothing has happened', []],
  ['with an open turn', began],
  ['with a turn that has ended', [...began, ended]],
] as const)('of a session %s', (_name, events) => {
  test('every reading is what its schema says, and bears the name of the session', async () => {
    const { state, history } = await sessionWith(events)
    const name = { id: state.id, title: 'Hello', seq: state.seq }
    const readings = [
      [EvidenceOutput, evidenceReading(state)],
      [LedgerOutput, ledgerReading(state)],
      [PromptShowOutput, promptReading(history, state)],
      [PromptDiffOutput, promptDiffReading(history, state)],
      [ShowOutput, showReading(history)],
      [TimelineOutput, timelineReading(history, state)],
      [UsageOutput, usageReading(history, state)],
      [WhyOutput, whyReading(history, state, null)],
    ] as const
    for (const [schema, reading] of readings) {
      expect(schema.parse(reading)).toEqual(reading)
      expect(reading).toMatchObject({ session: name })
    }
    const status = statusReading(state, 'held by somebody')
    expect(StatusOutput.shape.session.parse(status)).toEqual(status)
    expect(status).toMatchObject({ id: state.id, title: 'Hello', writer: 'held by somebody' })
  })
})

test('a conversation shows what waits, and a history without events shows nothing', async () => {
  const { history } = await sessionWith(began)
  expect(showReading(history)).toMatchObject({ at: null, waiting: [{ inputId: 'in_1', text: 'Create hello.txt' }] })
  expect(showReading(history.slice(0, 3), { at: 3 })).toMatchObject({ at: 3, session: { seq: 3 } })
  expect(showReading([])).toBeNull()
})

test('long texts are shown in full where they were read, and by their beginning elsewhere', async () => {
  const text = { blob: 'blob1', bytes: 9, excerpt: 'A long' }
  const { history } = await sessionWith([{ type: 'input.queued', inputId: 'in_1', text }])
  expect(showReading(history)?.waiting).toEqual([{ inputId: 'in_1', text: 'A long [9 bytes in all]' }])
  const texts = new Map([['blob1', 'A long one']])
  expect(showReading(history, { texts })?.waiting).toEqual([{ inputId: 'in_1', text: 'A long one' }])
})

test('what goes on in a session follows from its row and its holder, and is not guessed where the store cannot tell', () => {
  const somebody = { type: 'Agent', path: 'public-agent' }
  const told = (['open', 'resting', 'damaged'] as const).map((status) =>
    [somebody, null, undefined].map((holder) => activityOf({ status }, holder)),
  )
  expect(told).toEqual([
    ['running', 'cut_off', undefined],
    ['open', 'resting', undefined],
    ['damaged', 'damaged', 'damaged'],
  ])
})
