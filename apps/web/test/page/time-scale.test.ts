import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Interval, timeScale } from '../../src/page/model/time-scale.ts'

const day = 86_400_000
const intervals = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: day }), fc.integer({ min: 0, max: 60_000 }))
    .map(([from, length]): Interval => [from, from + length]),
  { minLength: 1, maxLength: 40 },
)

describe('a scale of time', () => {
  test('keeps the order of times, and finds each time again', () => {
    fc.assert(
      fc.property(intervals, fc.array(fc.nat({ max: day }), { minLength: 2 }), (busy, moments) => {
        const scale = timeScale(busy, [0, day + 60_000])
        const times = moments.toSorted((one, other) => one - other)
        const units = times.map((at) => scale.unitOf(at))
        for (const [index, unit] of units.entries()) {
          expect(unit).toBeGreaterThanOrEqual(index === 0 ? 0 : (units[index - 1] ?? 0))
          expect(unit).toBeLessThanOrEqual(1)
          expect(Math.abs(scale.timeAt(unit) - (times[index] ?? 0))).toBeLessThan(1)
        }
      }),
    )
  })

  test('leaves most of its length to what ran, however long nothing did', () => {
    fc.assert(
      fc.property(intervals, (busy) => {
        const scale = timeScale(busy, [0, day + 60_000])
        const breaks = scale.pieces.filter(({ isBreak }) => isBreak)
        const length = breaks.reduce((sum, { start, end }) => sum + end - start, 0)
        const ran = scale.pieces.filter(({ isBreak, from, to }) => !isBreak && to - from > 1000)
        if (ran.length > 0) expect(length).toBeLessThan(0.5)
      }),
    )
  })

  test('of a moment is one place', () => {
    expect(timeScale([], [5, 5]).unitOf(5)).toBe(0.5)
  })
})
