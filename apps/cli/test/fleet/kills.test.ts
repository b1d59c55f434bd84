import { fromCi, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { killWorkers } from './kills.ts'

const seconds = times({ quick: 0, ci: 6, long: 600 })

describe.runIf(fromCi)('workers that are killed at any moment, and a database that is restarted', () => {
  test(
    'lose nothing, do nothing twice in silence, and park what kills them',
    { timeout: (seconds + 300) * 1_000 },
    async () => {
      const figures = await killWorkers({
        seconds,
        workers: 3,
        restarts: times({ quick: 0, ci: 1, long: 3 }),
        between: seconds < 60 ? [500, 2_000] : [1_000, 5_000],
        open: 6,
      })
      // The long tier shows what tests print.
      console.log(JSON.stringify(figures, null, 2))
      expect(figures).toMatchObject({ lostInputs: [], lostEvents: [], lostEffects: [], doubled: [] })
      // The first of them may be hit by chance before it has begun.
      expect(figures.poison.killed).toBeLessThanOrEqual(3)
      expect(figures.poison).toMatchObject({ reason: expect.stringMatching(/^3 workers in a row/) })
      expect(figures.kills + figures.pauses).toBeGreaterThanOrEqual(seconds / 5)
      expect(figures.sessions).toBeGreaterThan(2)
    },
  )
})
