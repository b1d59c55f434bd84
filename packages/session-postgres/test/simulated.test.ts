import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { Schedule } from './simulated/schedule.ts'
import { type Wrong, wrongStores } from './simulated/wrong.ts'

/** So many worlds go on side by side: each step of all of them takes one turn of the event loop. */
const sideBySide = 100
/** More steps than any schedule takes that comes to an end. */
const mostSteps = 20_000

/** Runs the schedules of some seeds. What was violated, by seed, and how often something was seen. */
async function run(first: number, count: number, wrong?: Wrong): Promise<Outcome> {
  const violations: string[] = []
  const seen = new Map<string, number>()
  for (let from = first; from < first + count; from += sideBySide) {
    const size = Math.min(sideBySide, first + count - from)
    const schedules = Array.from({ length: size }, (_, index) => ({
      seed: from + index,
      schedule: new Schedule(from + index, wrong),
    }))
    let running = schedules
    for (let steps = 0; running.length > 0; steps += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      running = running.filter(({ schedule }) => {
        if (schedule.isOver) return false
        const goesOn = schedule.world.step() && steps < mostSteps
        if (!goesOn) schedule.world.violate('it does not come to an end')
        return goesOn
      })
    }
    for (const { seed, schedule } of schedules) {
      const [violation] = schedule.world.violations
      if (violation !== undefined) violations.push(`seed ${seed} ${violation}`)
      for (const [what, often] of schedule.world.seen) seen.set(what, (seen.get(what) ?? 0) + often)
    }
  }
  return { violations, seen }
}

interface Outcome {
  readonly violations: readonly string[]
  readonly seen: ReadonlyMap<string, number>
}

describe('schedules of claims, appends, renewals, deletions and clocks', () => {
  test('lose nothing, double nothing, and let one write', { timeout: 3_600_000 }, async () => {
    const { violations, seen } = await run(0, times({ quick: 300, ci: 2_500, long: 100_000 }))
    expect(violations).toEqual([])
    const rare = ['late', 'answer lost', 'settle', 'stored_bodies', 'a lease that ended', 'writer_fenced']
    expect(rare.filter((what) => !seen.has(what))).toEqual([])
  })

  test('are the same for the same seed', async () => {
    const [one, other] = [await run(7, 20), await run(7, 20)]
    expect(one).toEqual(other)
  })

  for (const [name, wrong] of Object.entries(wrongStores)) {
    test(`notice when ${name}`, async () => {
      let found: readonly string[] = []
      for (let first = 0; first < 1_000 && found.length === 0; first += sideBySide) {
        found = (await run(first, sideBySide, wrong)).violations
      }
      expect(found).not.toEqual([])
    })
  }
})
