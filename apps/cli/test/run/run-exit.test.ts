import type { RunResult } from '@loader/agent'
import { expect, test } from 'vitest'
import { exitOf } from '../../src/run/run-exit.ts'

const calm = { unanswered: false, cause: undefined } as const

test.for([
  ['turn_complete', null, calm, 'ok'],
  ['turn_complete', 'verified', calm, 'ok'],
  ['turn_complete', 'waived', calm, 'ok'],
  ['turn_complete', 'present', calm, 'unverified'],
  ['turn_complete', 'failed', calm, 'unverified'],
  ['verification_retry_budget_exhausted', 'failed', calm, 'unverified'],
  ['turn_complete', null, { ...calm, unanswered: true }, 'needsDecision'],
  ['turn_complete', 'verified', { ...calm, unanswered: true }, 'ok'],
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
  expect(exitOf({ reason, verdict } as RunResult, facts)).toBe(code)
})
