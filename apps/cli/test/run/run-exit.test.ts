import type { RunResult } from '@loader/agent'
import { expect, test } from 'vitest'
import { exitOf } from '../../src/run/run-exit.ts'

const turnOptions = { strict: false, expectsChange: false }
const calm = { unanswered: false, cause: undefined, turnOptions } as const

test.for([
  ['turn_complete', null, calm, 'ok'],
  ['turn_complete', null, { ...calm, turnOptions: { strict: false, expectsChange: true } }, 'unverified'],
  ['turn_complete', 'verified', calm, 'ok'],
  ['turn_complete', 'waived', calm, 'ok'],
  ['turn_complete', 'present', calm, 'unverified'],
  ['turn_complete', 'failed', calm, 'unverified'],
  ['verification_retry_budget_exhausted', 'failed', calm, 'unverified'],
  ['turn_complete', null, { ...calm, unanswered: true }, 'needsDecision'],
  ['turn_complete', 'verified', { ...calm, unanswered: true }, 'needsDecision'],
  ['text_loop_bailout', null, { ...calm, unanswered: true }, 'needsDecision'],
  ['text_loop_bailout', null, calm, 'limit'],
  ['iteration_budget_exhausted', null, { ...calm, unanswered: true }, 'limit'],
  ['token_budget_exhausted', 'unverified', calm, 'limit'],
  ['model_failed', 'verified', calm, 'failure'],
  ['storage_full', null, calm, 'failure'],
  ['interrupted', null, { ...calm, cause: 'SIGINT' }, 'interrupted'],
  ['interrupted', null, { ...calm, cause: 'SIGTERM' }, 'terminated'],
  ['interrupted', null, { ...calm, cause: 'output closed' }, 'interrupted'],
  ['turn_complete', null, { ...calm, cause: 'SIGINT' }, 'ok'],
] as const)('%s with verdict %s and %j is %s', ([reason, verdict, facts, code]) => {
  const result = { reason, verdict, judgement: null, end: null } as RunResult
  expect(exitOf(result, facts)).toBe(code)
})

const unknown = [{ call: 'call_1', what: 'make' }]
const tests = { count: 1, names: ['adds'] }

test.for([
  ['answered', false, null, {}, 'ok'],
  ['answered', false, null, { expectsChange: true }, 'unverified'],
  ['blocked', false, null, {}, 'unverified'],
  ['judged', true, { word: 'verified' }, {}, 'ok'],
  ['judged', true, { word: 'verified', unaccepted: tests }, {}, 'unverified'],
  ['judged', true, { word: 'accepted' }, { strict: true }, 'ok'],
  ['judged', true, { word: 'held' }, {}, 'ok'],
  ['judged', true, { word: 'held' }, { strict: true }, 'unverified'],
  ['judged', true, { word: 'unchecked' }, {}, 'ok'],
  ['judged', true, { word: 'rests_on', files: tests }, {}, 'unverified'],
  ['judged', true, { word: 'failed', tests }, {}, 'unverified'],
  ['judged', false, { word: 'held', oldFailures: tests }, {}, 'unverified'],
  ['judged', true, { word: 'a word of a later version' }, {}, 'unverified'],
] as const)(
  'an end that is %s with change %s and judgement %j is, wishing %j, %s',
  ([how, changed, judgement, more, code]) => {
    const result = { reason: 'turn_complete', verdict: null, judgement, end: { how, changed } }
    expect(exitOf(result as RunResult, { ...calm, turnOptions: { ...turnOptions, ...more } })).toBe(code)
  },
)

test('an end that leaves open what a call did is never ok', () => {
  const end = { how: 'judged', changed: true, unknown } as const
  const result = { reason: 'turn_complete', verdict: 'verified', judgement: { word: 'verified' }, end }
  expect(exitOf(result as unknown as RunResult, calm)).toBe('unverified')
})
