import { addTotals, isCostKnown, noTotals, type Totals } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { cachedShare, costText, dollars } from '../src/index.ts'

const totals = (requests: number, cost?: Totals['cost']): Totals => ({ ...noTotals, requests, ...(cost && { cost }) })

describe('a cost in words', () => {
  test.for<[string, Totals]>([
    ['', totals(0)],
    ['?', totals(2)],
    ['$0.0225', totals(2, { usd: 0.0225, known: 2 })],
    ['≥ $0.0225', totals(3, { usd: 0.0225, known: 2 })],
    ['$12.30', totals(1, { usd: 12.3, known: 1 })],
    ['<$0.0001', totals(1, { usd: 0.000_000_4, known: 1 })],
    ['$0', totals(1, { usd: 0, known: 1 })],
    ['local', totals(2, { usd: 0, known: 2, local: 2 })],
    ['local', totals(2, { usd: 0, known: 2, local: 1 })],
    ['?', totals(2, { usd: 0, known: 1, local: 1 })],
    ['$0.5000', totals(2, { usd: 0.5, known: 2, local: 1 })],
    ['?', totals(0, { usd: 0, known: 0, imported: true })],
    ['≥ $0.5000', totals(1, { usd: 0.5, known: 1, imported: true })],
  ])('%j', ([words, used]) => {
    expect(costText(used)).toBe(words)
  })

  test('of no amount is shown with an exponent', () => {
    for (const usd of [1e-12, 1e-7, 0.00012, 0.9, 1, 1e6]) expect(dollars(usd)).not.toContain('e')
  })
})

test('sums of the same costs are the same in any order, to a billionth', () => {
  const parts = [0.1, 0.2, 0.3, 1e-9, 0.7].map((usd) => totals(1, { usd, known: 1 }))
  const there = parts.reduce(addTotals, noTotals)
  const back = parts.toReversed().reduce(addTotals, noTotals)
  expect(there).toEqual(back)
  expect(there.cost?.usd).toBe(1.300000001)
  expect(isCostKnown(there)).toBe(true)
})

test('the share that was cached is never above all of it', () => {
  expect(cachedShare(noTotals)).toBeUndefined()
  expect(cachedShare({ ...noTotals, inputTokens: 10, cacheReadTokens: 50 })).toBe(1)
})
