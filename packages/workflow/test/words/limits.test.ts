import { expect, test } from 'vitest'
import { defaultLimits, limitsOf } from '../../src/words/limits.ts'
import { atWork } from '../goal/at-work.ts'

test('without a policy every budget has its default', () => {
  expect(limitsOf(null)).toEqual(defaultLimits)
  expect(limitsOf(null).maxTurnTokens).toBe(undefined)
})

test('what the policy names takes the place of the default', () => {
  const { policy } = atWork({ limits: { maxNudges: 0, maxTurnTokens: 1000 } }).state
  expect(limitsOf(policy)).toEqual({ ...defaultLimits, maxNudges: 0, maxTurnTokens: 1000 })
})

test('what it leaves open does not', () => {
  const { policy } = atWork().state
  expect(limitsOf(policy && { ...policy, limits: { maxNudges: undefined } })).toEqual(defaultLimits)
})
