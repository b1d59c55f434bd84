import { describe, expect, test } from 'vitest'
import { fold, isSessionEvent, parseEvent, type SessionState, turns } from '../src/index.ts'

const at = '2026-01-31T09:30:00.000Z'
const opening = [
  { type: 'session.opened', format: 1, id: 'ses_1' },
  { type: 'input.queued', inputId: 'in_1', text: 'Fix it.' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
]
const begun = {
  type: 'verification.started',
  turnId: 'turn_1',
  ground: { tree: 't1', before: 't0', environment: 'e1' },
}
const judgement = { word: 'verified', why: 'fixed', tests: { count: 1, names: ['adds'] } }

function run(room: string | undefined, more: object = {}): object[] {
  const baseline = room === undefined || room === 'now' ? {} : { baseline: true }
  const common = { runId: `run_${room}`, checkId: 'check_1', command: 'npm test', ...baseline, ...(room && { room }) }
  const evidence = {
    ...common,
    criterionIds: [],
    outcome: 'passed',
    exitCode: 0,
    output: '',
    startedAt: at,
    finishedAt: at,
    fingerprintBefore: 'a',
    fingerprintAfter: 'a',
    ...more,
  }
  return [
    { type: 'check.started', ...common },
    { type: 'check.finished', evidence },
  ]
}

function eventsOf(events: readonly object[]) {
  return [...opening, ...events].map((event, index) => parseEvent({ seq: index + 1, at, ...event }))
}

const stateAfter = (...events: object[]): SessionState => fold(eventsOf(events)) as SessionState

describe('a check that runs in rooms', () => {
  test('keeps the evidence of every room, the latest of each', () => {
    const state = stateAfter(...run(undefined), ...run('before'), ...run('strict'), ...run('strict', { exitCode: 1 }))
    expect(state.evidence.map(({ room, exitCode }) => [room, exitCode])).toEqual([
      [undefined, 0],
      ['before', 0],
      ['strict', 1],
    ])
  })

  test('stands in the turn where the last judgement of it says, with what that was seen on', () => {
    const next = { room: 'canary' }
    const state = stateAfter(begun, ...run('now', { tree: 't1', environment: 'e1', next }))
    expect(state.turn?.verification).toMatchObject({
      attempt: 1,
      next: { checkId: 'check_1', experiment: next },
      checks: [],
    })
    const judged = stateAfter(
      begun,
      ...run('now', { tree: 't1', environment: 'e1', next }),
      ...run('canary', { tree: 't2', environment: 'e1', judgement }),
      ...run('strict'),
    )
    expect(judged.turn?.verification).toMatchObject({
      next: null,
      checks: [{ checkId: 'check_1', tree: 't1', environment: 'e1', judgement }],
    })
  })

  test('is tried anew by a run of the check itself, which forgets what was shown in other rooms', () => {
    const state = stateAfter(...run('now'), ...run('before'), ...run('strict', { asNow: ['a'] }), ...run('now'))
    expect(state.evidence.map(({ room }) => room)).toEqual(['now'])
  })

  test('keeps apart what differs in more than the room', () => {
    const state = stateAfter(
      ...run('now'),
      ...run('strict'),
      ...run('strict', { asNow: ['a'] }),
      ...run('strict', { again: ['adds'] }),
    )
    expect(state.evidence).toHaveLength(4)
  })

  test('stands nowhere yet in a history that knows no judgements', () => {
    expect(stateAfter(...run(undefined)).turn?.verification).toBeUndefined()
  })

  test('may be judged in words of a later version', () => {
    const state = stateAfter(begun, ...run('now', { judgement: { word: 'acquitted', why: 'alibi', onAppeal: true } }))
    expect(state.turn?.verification?.checks[0]?.judgement).toMatchObject({ word: 'acquitted', onAppeal: true })
  })
})

describe('what the model says of the end', () => {
  const statement = { type: 'statement.made', turnId: 'turn_1', how: 'done', summary: 'It adds.' }

  test('is kept in the turn, the latest of it, and gone with the turn', () => {
    const state = stateAfter(statement, { ...statement, how: 'blocked', left: 'the rest' })
    expect(state.turn?.statement).toMatchObject({ how: 'blocked', summary: 'It adds.', left: 'the rest' })
    expect(stateAfter(statement, { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' }).turn).toBeNull()
  })

  test('belongs to the turn that is open', () => {
    expect(() => stateAfter({ ...statement, turnId: 'turn_2' })).toThrow(/turn_2/)
  })
})

describe('what the user accepts', () => {
  const accepted = { type: 'checks.accepted', by: 'user', tree: 't1', files: ['test/sum.test.js'] }

  test('is kept with its place, the latest hundred times', () => {
    const state = stateAfter(...Array.from({ length: 105 }, () => accepted))
    expect(state.acceptances).toHaveLength(100)
    expect(state.acceptances.at(-1)).toEqual({ by: 'user', tree: 't1', files: ['test/sum.test.js'], seq: 108, at })
  })

  test('holds after a rewind as far as it was accepted before that point', () => {
    const finished = { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' }
    const rewound = { type: 'session.rewound', toSeq: 5, through: null }
    expect(stateAfter(accepted, finished, accepted, rewound).acceptances.map(({ seq }) => seq)).toEqual([4])
  })
})

test('a turn that has ended keeps where it stands', () => {
  const finished = { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete', verdict: 'verified', judgement }
  const events = eventsOf([finished])
  expect((fold(events) as SessionState).lastTurn).toMatchObject({ verdict: 'verified', judgement })
  expect(turns(events.filter(isSessionEvent))[0]).toMatchObject({ judgement })
})

describe('what is known of the end of a turn', () => {
  const asked = {
    type: 'workflow.decided',
    entry: {
      id: 'dec_1',
      kind: 'completion_continue',
      mode: 'execute',
      reasonCode: 'statement_asked',
      summary: 'asked',
    },
    note: 'How did it end?',
    asks: 'how_it_ended',
  }
  const model = [
    { type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 },
    { type: 'model.answered', requestId: 'req_1', content: [{ type: 'text', text: 'So.' }], finishReason: 'stop' },
  ]

  test('is asked for once, and what was said before is about another end', () => {
    const said = { type: 'statement.made', turnId: 'turn_1', how: 'done', summary: 'It adds.' }
    const { turn } = stateAfter(...model, said, asked)
    expect(turn).toMatchObject({ asked: 'dec_1', spent: { nudges: 1, retries: 0 } })
    expect(turn?.statement).toBeUndefined()
  })

  test('counts the times that failing checks sent the work back', () => {
    const { turn } = stateAfter(...model, begun, { ...asked, asks: 'to_fix' })
    expect(turn).toMatchObject({ spent: { nudges: 1, retries: 1 }, verification: { failedOn: 't1' } })
  })

  test('names calls that were cut off until an end has told of them', () => {
    const call = { id: 'call_1', name: 'bash', input: { command: 'make' } }
    const unknown = [
      model[0] ?? {},
      { ...model[1], content: [{ type: 'call', call }], finishReason: 'tool-calls' },
      { type: 'call.examined', callId: 'call_1', effect: 'unknown', command: 'make' },
      { type: 'tool.started', callId: 'call_1' },
      { type: 'tool.finished', callId: 'call_1', outcome: 'unknown', text: 'cut off' },
    ]
    expect(stateAfter(...unknown).unknownCalls).toMatchObject([{ call: 'call_1', what: 'make' }])
    const stopped = { type: 'turn.finished', turnId: 'turn_1', reason: 'interrupted' }
    expect(stateAfter(...unknown, stopped).unknownCalls).toHaveLength(1)
    const end = { how: 'judged', changed: true, unknown: [{ call: 'call_1', what: 'make' }] }
    const told = { ...stopped, reason: 'turn_complete', end }
    expect(stateAfter(...unknown, told)).toMatchObject({ unknownCalls: [], lastTurn: { end } })
  })
})
