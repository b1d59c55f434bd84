import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fold, isSessionEvent, parseEvent, turns } from '../src/index.ts'

const folder = new URL('fixtures/judged-before-trials/', import.meta.url)
const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .split('\n')
    .slice(0, -1)
const historyOf = (name: string) => linesOf(name).map((line) => parseEvent(JSON.parse(line)))

const then = {
  verified: { verdict: 'verified', reason: 'turn_complete', code: 'verification_passed', checks: ['passed'] },
  unverified: { verdict: 'unverified', reason: 'turn_complete', code: 'verification_inconclusive', checks: ['passed'] },
  failed: {
    verdict: 'failed',
    reason: 'verification_retry_budget_exhausted',
    code: 'verification_retry_budget_exhausted',
    checks: ['failed'],
  },
  present: { verdict: 'present', reason: 'turn_complete', code: 'presence_only_accepted', checks: ['passed'] },
  answered: { verdict: null, reason: 'turn_complete', code: 'non_mutating_response_accepted', checks: [] },
  'two-turns': { verdict: null, reason: 'turn_complete', code: 'non_mutating_response_accepted', checks: ['passed'] },
}

describe('a session that was judged before there were trials', () => {
  test.for(Object.entries(then))('folds to what it was: %s', ([name, expected]) => {
    const state = fold(historyOf(name))
    expect({
      verdict: state?.lastTurn?.verdict ?? null,
      reason: state?.lastTurn?.reason,
      code: state?.completion?.reasonCode,
      checks: state?.evidence.map(({ outcome }) => outcome),
    }).toEqual(expected)
  })

  test.for(Object.keys(then))('has no judgement, no statement and no room put into its mouth: %s', (name) => {
    const history = historyOf(name)
    const state = fold(history)
    expect(turns(history).flatMap(({ judgement, end }) => [judgement ?? end ?? []].flat())).toEqual([])
    expect(state?.evidence.flatMap(({ judgement, room }) => [judgement ?? room ?? []].flat())).toEqual([])
    expect(state?.before ?? null).toBeNull()
  })

  test.for(Object.keys(then))('survives reading and writing, byte for byte, with every event known: %s', (name) => {
    expect(historyOf(name).map((event) => JSON.stringify(event))).toEqual(linesOf(name))
    expect(historyOf(name).every(isSessionEvent)).toBe(true)
  })
})
