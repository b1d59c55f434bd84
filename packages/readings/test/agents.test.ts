import {
  type EventInput,
  fold,
  type History,
  MemoryStore,
  noTotals,
  readSession,
  Session,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  agentsReading,
  conversationOf,
  costText,
  courseOf,
  timelineReading,
  TimelineOutput,
  usageNow,
  UsageOutput,
  usageReading,
} from '../src/index.ts'

let ids = 0
const environment = { now: () => new Date(++ids * 1000).toISOString(), newId: (prefix: string) => `${prefix}_${++ids}` }
const names = ['one', 'two', 'three', 'four', 'five']
const usage = { ...noTotals, requests: 1, inputTokens: 900, outputTokens: 100, cost: { usd: 0.01, known: 1 } }
const grant = { mode: 'read-only', within: 'look', turns: 3 } as const

function assigned(name: string): EventInput {
  return {
    type: 'child.assigned',
    childId: `ses_${name}`,
    callId: `call_${name}`,
    title: `Do ${name}`,
    task: `Do ${name}.`,
    ...(name === 'one' && { agent: 'maker' }),
    depth: 1,
    place: name === 'one' ? 'copy' : 'look',
    grant: { ...grant, tools: name === 'one' ? ['read', 'agent'] : ['read'] },
  }
}

function finished(name: string, outcome: 'ok' | 'failed' | 'interrupted' | 'unknown'): EventInput {
  const verdict = outcome === 'ok' ? ({ verdict: 'verified' } as const) : {}
  return { type: 'child.finished', childId: `ses_${name}`, outcome, ...verdict, usage, text: '' }
}

const happened: readonly EventInput[] = [
  { type: 'input.queued', inputId: 'in_1', text: 'Split it' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
  { type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 },
  {
    type: 'model.answered',
    requestId: 'req_1',
    content: names.map((name) => ({ type: 'call', call: { id: `call_${name}`, name: 'agent', input: {} } })),
    finishReason: 'tool-calls',
  },
  ...names.map((name): EventInput => ({ type: 'tool.started', callId: `call_${name}` })),
  ...names.map(assigned),
  ...names.slice(0, 4).map((name): EventInput => ({ type: 'child.opened', childId: `ses_${name}` })),
  finished('one', 'ok'),
  {
    type: 'child.merged',
    childId: 'ses_one',
    files: [
      { path: 'a.ts', outcome: 'merged' },
      { path: 'b.ts', outcome: 'conflict', reason: 'it was changed' },
    ],
  },
  finished('two', 'interrupted'),
  finished('three', 'unknown'),
]

describe('agents of a session', () => {
  let history: History
  beforeAll(async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment, title: 'Split' })
    await session.append(happened)
    history = (await readSession(store, session.id)).history
  })

  test('are told of as the state has them, at every event', () => {
    const { agents, usage: sum } = agentsReading(history)
    expect(agents.map(({ title, standing, mayBegin }) => [title, standing, mayBegin])).toEqual([
      ['Do one', 'finished', true],
      ['Do two', 'stopped', false],
      ['Do three', 'unknown', false],
      ['Do four', 'working', false],
      ['Do five', 'working', false],
    ])
    expect(agents[0]).toMatchObject({
      kind: 'maker',
      place: 'copy',
      verdict: 'verified',
      files: { taken: ['a.ts'], conflicts: ['b.ts'] },
    })
    expect(sum).toMatchObject({ requests: 3, inputTokens: 2700, cost: { usd: 0.03, known: 3 } })
    const outcomes = { finished: 'ok', failed: 'failed', stopped: 'interrupted', unknown: 'unknown' }
    for (const length of history.keys()) {
      const prefix = history.slice(0, length + 1)
      const state = fold(prefix)
      const seen = agentsReading(prefix)
      expect(seen.usage).toEqual(state?.childUsage)
      expect(
        seen.agents.map(({ id, seq, standing, files }) => ({
          id,
          seq,
          outcome: standing === 'working' ? undefined : outcomes[standing],
          merged: files?.taken.length,
        })),
      ).toEqual(
        (state?.children ?? []).map((child) => ({
          id: child.id,
          seq: child.seq,
          outcome: child.finished?.outcome,
          merged: child.merged?.files,
        })),
      )
    }
  })

  test('have used what is counted beside the session, each once, and of which something may not be known yet', () => {
    const state = fold(history) as SessionState
    const output = usageReading(history, state)
    expect(UsageOutput.parse(output)).toEqual(output)
    const { total, agents } = output
    expect(agents?.sessions.map(({ id, standing, usage: used }) => [id, standing, used?.cost?.usd])).toEqual([
      ['ses_one', 'finished', 0.01],
      ['ses_two', 'stopped', 0.01],
      ['ses_three', 'unknown', 0.01],
      ['ses_four', 'working', undefined],
      ['ses_five', 'working', undefined],
    ])
    expect({ requests: total.requests, cost: total.cost }).toEqual({ requests: 1, cost: undefined })
    expect(agents).toMatchObject({ usage: { requests: 3 }, all: { requests: 4, cost: { usd: 0.03 } }, notKnown: 2 })
    expect(usageNow(state).session.cost).toBe('≥ $0.0300')
    const known = { ...noTotals, requests: 1, cost: { usd: 0.03, known: 1 } }
    expect([costText(known), costText(known, true)]).toEqual(['$0.0300', '≥ $0.0300'])
    expect(costText({ ...known, cost: { usd: 0, known: 1, local: 1 } }, true)).toBe('?')
  })

  test('stand in the timeline with each step, and among what took time', () => {
    const output = timelineReading(history, fold(history) as SessionState)
    expect(TimelineOutput.parse(output)).toEqual(output)
    expect(output.agents.filter(({ id }) => id === 'ses_one').map(({ text }) => text)).toEqual([
      'agent "Do one" works in a copy: session ses_one',
      'agent "Do one" has begun',
      'agent "Do one" is done, verified; 1k tokens',
      'agent "Do one": 1 file taken over; conflicts, left as they are here: b.ts',
    ])
    // The conversation does without that it has begun.
    const shown = conversationOf(history).filter((entry) => entry.kind === 'child')
    expect(shown.length).toBe(output.agents.length - 4)
    // The process ends: agents go on with the next one.
    const claim = { type: 'session.claimed', epoch: 9, owner: { program: 'loader' } }
    const claimed = { ...claim, seq: history.length + 1, at: '1971-01-01T00:00:00.000Z' } as StoredEvent
    const spans = courseOf([...history, claimed]).spans.filter(({ kind }) => kind === 'agent')
    expect(spans.map(({ title, outcome, cutBy }) => [title, outcome, cutBy])).toEqual([
      ['Do one', 'ok', undefined],
      ['Do two', 'interrupted', undefined],
      ['Do three', 'unknown', undefined],
      ['Do four', null, undefined],
      ['Do five', null, undefined],
    ])
  })

  test('are unknown where their end may be lost, and are not those of a copy of the session', () => {
    const place = { seq: history.length + 1, at: '1971-01-01T00:00:00.000Z' }
    const lost = { type: 'event.lost', first: place.seq, last: place.seq, ...place } as StoredEvent
    expect(agentsReading([...history, lost]).agents.map(({ standing }) => standing)).toEqual([
      'finished',
      'stopped',
      'unknown',
      'unknown',
      'unknown',
    ])
    const from = { id: 'ses_0', seq: history.length }
    const forked = { type: 'session.forked', id: 'ses_copy', from, ...place } as StoredEvent
    expect(agentsReading([...history, forked])).toEqual({ agents: [] })
    expect(courseOf([...history, forked]).spans.filter(({ kind, to }) => kind === 'agent' && to === null)).toEqual([])
  })
})
