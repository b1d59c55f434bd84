import { expect, test } from 'vitest'
import { everyNth, sample, tierOf, times } from '../src/tier.ts'

const tiers = ['quick', 'ci', 'long'] as const

test('a run is quick, unless the machine says that it is for CI, or somebody says what it is', () => {
  expect(tierOf({})).toBe('quick')
  expect(tierOf({ CI: '' })).toBe('quick')
  expect(tierOf({ CI: 'true' })).toBe('ci')
  expect(tierOf({ CI: '1' })).toBe('ci')
  expect(tierOf({ CI: 'true', LOADER_TESTS: 'long' })).toBe('long')
  expect(tierOf({ CI: 'true', LOADER_TESTS: 'quick' })).toBe('quick')
  expect(() => tierOf({ LOADER_TESTS: 'fast' })).toThrow('Set it to quick, ci or long.')
})

test('a longer run tries at least as often', () => {
  expect(tiers.map((tier) => times({ quick: 2, ci: 20, long: 200 }, tier))).toEqual([2, 20, 200])
  expect(tiers.map((tier) => times({ quick: 2, ci: 20 }, tier))).toEqual([2, 20, 20])
  expect(() => times({ quick: 20, ci: 2 }, 'quick')).toThrow('A longer run would try less')
  expect(() => times({ quick: 2, ci: 20, long: 10 }, 'quick')).toThrow('A longer run would try less')
})

test('a longer run leaves out no more', () => {
  expect(tiers.map((tier) => everyNth({ quick: 10, ci: 2, long: 1 }, tier))).toEqual([10, 2, 1])
  expect(() => everyNth({ quick: 1, ci: 2 }, 'quick')).toThrow('A longer run would try less')
  expect(() => everyNth({ quick: 1, ci: 0 }, 'quick')).toThrow('A longer run would try less')
})

test('a quick run takes some cases from everywhere, a longer one all of them', () => {
  const cases = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(sample(cases, { quick: 3 }, 'quick')).toEqual(['a', 'c', 'e'])
  expect(sample(cases, { quick: 9 }, 'quick')).toEqual(cases)
  expect(sample(cases, { quick: 3 }, 'ci')).toEqual(cases)
  expect(sample(cases, { quick: 1, ci: 3 }, 'ci')).toEqual(['a', 'c', 'e'])
  expect(sample(cases, { quick: 1, ci: 3 }, 'long')).toEqual(cases)
  expect(() => sample(cases, { quick: 3, ci: 1 }, 'quick')).toThrow('A longer run would try less')
  expect(sample(cases, { quick: 3 }, 'long')).toEqual(cases)
})
