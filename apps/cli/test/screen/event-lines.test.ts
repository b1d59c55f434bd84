import type { AgentEvent } from '@loader/agent'
import type { EventInput } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { eventLines, type LineStyle } from '../../src/screen/event-lines.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'
import { Seen } from '../../src/screen/seen.ts'
import { widthOf } from '../../src/screen/width.ts'

const place = { seq: 1, at: '2026-01-01T00:00:00.000Z' }
const look: LineStyle = { paint: (_style, text) => text, glyphs: glyphsFor({ environment: {} }), columns: 60 }
const dumb: LineStyle = { ...look, glyphs: glyphsFor({ environment: { TERM: 'dumb' } }) }

function shown(events: readonly EventInput[], how: LineStyle = look): string[] {
  const seen = new Seen()
  return events.flatMap((input) => {
    const event: AgentEvent = { ...place, ...input }
    seen.see(event)
    return eventLines(event, seen, how, null)
  })
}

const called = (name: string, input: { [key: string]: string }): EventInput => ({
  type: 'model.answered',
  requestId: 'req_1',
  content: [{ type: 'call', call: { id: 'call_1', name, input } }],
  finishReason: 'tool-calls',
})
const examined = (preview: string): EventInput => ({
  type: 'call.examined',
  callId: 'call_1',
  effect: 'write',
  preview,
})
const started: EventInput = { type: 'tool.started', callId: 'call_1' }
const finished = (
  text: string,
  outcome: 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown' = 'ok',
): EventInput => ({
  type: 'tool.finished',
  callId: 'call_1',
  outcome,
  text,
})

function decided(
  kind: 'route' | 'reentry' | 'verify_observation' | 'completion_complete',
  summary: string,
  policyOutcome?: string,
): EventInput {
  return {
    type: 'workflow.decided',
    entry: { id: 'dec_1', kind, mode: 'execute', reasonCode: 'x', summary, policyOutcome },
  }
}

const diff = '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n same\n-old\n+new'

describe('a call', () => {
  test('is shown when it starts, with what it changes, and then with what it came to', () => {
    expect(shown([called('edit', { file_path: 'a.ts' }), examined(diff), started, finished('Edited a.ts.')])).toEqual([
      '● edit a.ts',
      '    2 -old',
      '    2 +new',
      '  ✓ Edited a.ts.',
    ])
  })

  test('is not shown twice with its changes when the user has just been asked about them', () => {
    const asked: EventInput = {
      type: 'question.asked',
      questionId: 'q_1',
      kind: 'permit',
      callId: 'call_1',
      text: diff,
    }
    const answered: EventInput = {
      type: 'question.answered',
      questionId: 'q_1',
      outcome: 'answered',
      permit: 'allow',
      scope: 'session',
    }
    expect(shown([called('edit', { file_path: 'a.ts' }), examined(diff), asked, answered, started])).toEqual([
      '· allowed, for this session',
      '● edit a.ts',
    ])
  })

  test.each<['denied' | 'interrupted' | 'unknown', string]>([
    ['denied', '  ⊘ Not allowed: no'],
    ['interrupted', '  ! interrupted: Not allowed: no'],
    ['unknown', '  ? unknown: Not allowed: no'],
  ])('that never started is named where it is %s', (outcome, line) => {
    expect(shown([called('bash', { command: 'rm x' }), finished('Not allowed: no', outcome)])).toEqual([
      '● bash rm x',
      line,
    ])
  })

  test('changes much, and the beginning of that is shown', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `+line ${index}`)
    const told = shown([
      called('write', { file_path: 'a' }),
      examined(`--- /dev/null\n+++ a\n@@ -0,0 +1,20 @@\n${lines.join('\n')}`),
      started,
    ])
    expect(told).toHaveLength(16)
    expect(told.at(-1)).toBe('    ... 6 more lines')
  })

  test('with a long command takes three lines at most', () => {
    const told = shown([called('bash', { command: 'echo word '.repeat(40) }), started])
    expect(told).toHaveLength(3)
    expect(told.at(-1)).toMatch(/…$/)
  })
})

describe('calls that run at once', () => {
  const calls = ['1', '2', '3'].map((name) => ({
    id: `call_${name}`,
    name: 'bash',
    input: { command: `part ${name}` },
  }))
  const events: EventInput[] = [
    {
      type: 'model.answered',
      requestId: 'req_1',
      content: calls.map((call) => ({ type: 'call', call })),
      finishReason: 'tool-calls',
    },
    ...calls.map(({ id }): EventInput => ({ type: 'tool.started', callId: id })),
    ...['3', '1', '2'].map((name): EventInput => ({
      type: 'tool.finished',
      callId: `call_${name}`,
      outcome: 'ok',
      text: `result ${name}`,
    })),
  ]

  test('are printed with their results, in the order in which they end', () => {
    const lines = ['3', '1', '2'].flatMap((name) => [`● bash part ${name}`, `  ✓ result ${name}`])
    expect(shown(events, { ...look, calls: 'finished' })).toEqual(lines)
  })

  test('are named again above a result that does not stand below its call', () => {
    expect(shown(events).slice(0, 5)).toEqual([
      '● bash part 1',
      '● bash part 2',
      '● bash part 3',
      '  ✓ result 3',
      '● bash part 1',
    ])
    for (const name of ['1', '2', '3']) {
      expect(shown(events).join('\n')).toContain(`● bash part ${name}\n  ✓ result ${name}`)
    }
  })
})

describe('a decision of the runtime', () => {
  test('is shown once, though two entries say it', () => {
    expect(
      shown([decided('reentry', 'execute: back to work'), decided('reentry', 'completion: back to work')]),
    ).toEqual(['· execute: back to work'])
  })

  test.each([
    ['planned', ['· verify: done means that it works']],
    ['stale', ['· verify: done means that it works']],
    ['passed', []],
    ['failed', []],
    ['pending', []],
  ])('about a check that is %s', (outcome, lines) => {
    expect(shown([decided('verify_observation', 'verify: done means that it works', outcome)])).toEqual(lines)
  })

  test('about the end is left to the end of the turn', () => {
    expect(shown([decided('completion_complete', 'completion: accepted')])).toEqual([])
  })
})

const evidence = {
  checkId: 'check_1',
  runId: 'run_1',
  criterionIds: [],
  command: 'npm test',
  cwd: '.',
  startedAt: place.at,
  finishedAt: place.at,
  durationMs: 1,
  output: '',
  fingerprintBefore: 'sha256:a',
  fingerprintAfter: 'sha256:a',
} as const

test.each<[string, EventInput, string[]]>([
  [
    'a check',
    { type: 'check.started', runId: 'run_1', checkId: 'check_1', command: 'npm test', cwd: '.' },
    ['● check: npm test'],
  ],
  [
    'a check that passed',
    {
      type: 'check.finished',
      evidence: { ...evidence, outcome: 'passed', exitCode: 0, counts: { passed: 3, failed: 0, skipped: 0 } },
    },
    ['  ✓ exit 0, 3 passed, 0 failed'],
  ],
  [
    'a check that failed',
    { type: 'check.finished', evidence: { ...evidence, outcome: 'failed', exitCode: 1 } },
    ['  ✗ exit 1'],
  ],
  [
    'a check that was stopped',
    { type: 'check.finished', evidence: { ...evidence, outcome: 'interrupted', exitCode: null } },
    ['  ! interrupted, no exit code'],
  ],
  [
    'a failing model',
    { type: 'model.failed', requestId: 'req_1', error: { kind: 'connection', message: 'refused\nby peer' } },
    ['✗ the model failed: refused by peer'],
  ],
  [
    'an answer that was cut off',
    { type: 'model.interrupted', requestId: 'req_1', reason: 'cancelled' },
    ['! cut off (cancelled); what came is kept'],
  ],
  ['a denied permit', { type: 'question.answered', questionId: 'q_1', outcome: 'answered', permit: 'deny' }, []],
  ['a first claim', { type: 'session.claimed', epoch: 1, owner: { type: 'Agent', path: 'public-agent' } }, []],
  [
    'a later claim',
    { type: 'session.claimed', epoch: 2, owner: { type: 'Agent', path: 'public-agent' } },
    ['· session taken up again (claim 2)'],
  ],
])('%s', (_name, event, lines) => {
  expect(shown([event])).toEqual(lines)
})

describe('the end of a turn', () => {
  test.each<[string, Partial<Extract<EventInput, { type: 'turn.finished' }>>, string[]]>([
    ['an answer', { reason: 'turn_complete', summary: 'accepted' }, ['■ answered']],
    [
      'verified work',
      { reason: 'turn_complete', verdict: 'verified', summary: 'Tests passed.' },
      ['■ done, verified', '  Tests passed.'],
    ],
    [
      'failed checks',
      { reason: 'turn_complete', verdict: 'failed', summary: 'Tests failed.' },
      ['■ not done: checks failed', '  Tests failed.'],
    ],
    [
      'an interruption',
      { reason: 'interrupted', summary: 'Stopped by user' },
      ['■ ended: interrupted', '  Stopped by user'],
    ],
    ['a limit', { reason: 'iteration_budget_exhausted' }, ['■ ended: iteration budget exhausted']],
    ['a full disk', { reason: 'storage_full', notStored: 'The answer.' }, ['■ ended: storage full', '  The answer.']],
  ])('%s', (_name, rest, lines) => {
    expect(shown([{ type: 'turn.finished', turnId: 'turn_1', reason: '', ...rest }])).toEqual(lines)
  })
})

test('a model that fails again and again is not quoted each time', () => {
  const failed = (message: string): EventInput => ({
    type: 'model.failed',
    requestId: 'r',
    error: { kind: 'other', message },
  })
  const waits = (why: string): EventInput => ({ type: 'wait.started', until: place.at, why })
  const told = shown([
    failed('no'),
    waits('attempt 1 failed: no'),
    failed('no'),
    waits('attempt 2 failed: no'),
    failed('never'),
    waits('asked to'),
  ])
  expect(told.map((text) => text.replace(/\d\d:\d\d:\d\d/, 'then'))).toEqual([
    '✗ the model failed: no',
    '· waiting until then',
    '✗ the model failed again, in the same way',
    '· waiting until then',
    '✗ the model failed: never',
    '· waiting until then: asked to',
  ])
})

test('where signs cannot be shown, words take their place', () => {
  const ended = { ...finished('none\n[Exit code 2.]', 'failed'), metadata: { exitCode: 2 } }
  const events = [called('bash', { command: 'ls' }), started, ended]
  expect(shown(events, dumb)).toEqual(['* bash ls', '  failed Exit code 2.', '    none'])
  expect(shown([called('bash', { command: 'ls' }), finished('cut off', 'unknown')], dumb)).toEqual([
    '* bash ls',
    '  unknown cut off',
  ])
})

test('a question is not announced as a call, for it is shown when it is put', () => {
  const examined: EventInput = { type: 'call.examined', callId: 'call_1', effect: 'none', question: { text: 'Which?' } }
  const events = [called('ask_user', { question: 'Which?' }), examined, started, finished('red')]
  expect(shown(events)).toEqual(['  ✓ red'])
})

test('nothing in a session can steer the terminal, and nothing is wider than it', () => {
  const evil = '\x1b[2J\x1b]0;t\x07\u202e\u009b1m日本語 and words '.repeat(9)
  const events: EventInput[] = [
    called('bash', { command: evil }),
    examined(`--- a\n+++ a\n@@ -1 +1 @@\n+${evil}`),
    started,
    finished(`${evil}\n${evil}`, 'failed'),
    decided('route', evil),
    { type: 'model.failed', requestId: 'r', error: { kind: 'other', message: evil } },
    { type: 'model.interrupted', requestId: 'r', reason: evil },
    { type: 'wait.started', until: place.at, why: evil },
    { type: 'check.started', runId: 'r', checkId: 'c', command: evil, cwd: '.' },
    { type: 'context.compaction_failed', reason: evil } as EventInput,
    { type: 'turn.finished', turnId: 't', reason: evil, summary: evil },
  ]
  for (const columns of [40, 60, 80]) {
    for (const line of shown(events, { ...look, columns })) {
      expect(line).not.toMatch(/\p{C}/u)
      expect(widthOf(line)).toBeLessThan(columns)
    }
  }
})
