import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limitsOf } from '../../src/words/limits.ts'
import { nextStep } from '../../src/next-step.ts'
import { chances, type Run, Simulation, type World } from './simulation.ts'

const runs = times({ quick: 150, ci: 1500, long: 15_000 })

const limits = {
  maxIterations: 6,
  maxNudges: 2,
  maxEmptyAnswers: 2,
  maxRecoveredCalls: 2,
  maxToolErrors: 3,
  maxAttempts: 3,
  maxCrashes: 2,
  maxCompactions: 2,
  verificationRetries: 2,
  clarifyRounds: 2,
} as const

const tasks = [
  'Create hello.txt in the workspace root.',
  'Improve Loader so it feels more like claw-code.',
  'Implement a persistent workflow mode router with clarify artifacts, planning artifacts, and verification wiring.',
  'Explain what this project does.',
  'Run the tests and make sure they pass.',
  'thanks',
]

/** A play of one task, wholly determined by its numbers. */
const play = fc.record({
  seed: fc.integer(),
  task: fc.constantFrom(...tasks),
  lane: fc.constantFrom(undefined, undefined, undefined, 'explore' as const, 'compact' as const),
  mode: fc.constantFrom(undefined, undefined, 'clarify' as const, 'plan' as const, 'verify' as const),
  doneWhen: fc.constantFrom(undefined, undefined, [{ command: 'npm test' }]),
  hooks: fc.constantFrom([], ['pre_tool', 'post_tool', 'tool_failure', 'stop', 'prompt_submitted', 'pre_compact']),
  crashes: fc.constantFrom(0, 0, 0.05, 0.2),
  interruptions: fc.constantFrom(0, 0, 0.02),
  window: fc.constantFrom(100_000, 400, 1_500),
})
type Play = typeof play extends fc.Arbitrary<infer Value> ? Value : never

/**
 * More steps than this nobody can account for. An answer costs its attempts with their waits, its calls with all that
 * belongs to each, and what follows it: repairs, judgement, checks, compaction. Every input may begin a turn of its own.
 */
function bound({ crashes, inputs }: Pick<Run, 'crashes' | 'inputs'>): number {
  const { maxIterations, maxAttempts, clarifyRounds, maxCompactions, maxNudges, verificationRetries } = limitsOf({
    limits,
  })
  const request = 3 * maxAttempts
  const calls = 3 * 9
  // One check in all of its rooms, of which some are tried twice.
  const after = 40
  const rounds = 3 * (clarifyRounds + 1) * (2 * request + calls + 5)
  const turn =
    maxIterations * (request + calls + after) +
    rounds +
    maxCompactions * (request + 4) +
    (maxNudges + verificationRetries) * after +
    60
  return (inputs + 1) * turn + crashes * 20
}

function playOut({ seed, task, lane, mode, doneWhen, hooks, crashes, interruptions, window }: Play): Run {
  const world: World = { chance: chances(seed), crashes, interruptions }
  const simulation = new Simulation(world, limits, { hooks, window })
  simulation.say(task, { lane, mode, doneWhen })
  return simulation.run(5_000)
}

describe('the next step, whatever outcomes a session meets', () => {
  test('leads to rest within a bound that follows from the limits', () => {
    fc.assert(
      fc.property(play, (given) => {
        const run = playOut(given)
        const last = run.rounds.at(-1)?.step.type
        expect({ last, steps: run.rounds.length <= bound(run) }).toEqual({ last: 'rest', steps: true })
      }),
      { numRuns: runs },
    )
  })

  test('is the same for the same state, also when the state was saved and read again', () => {
    fc.assert(
      fc.property(play, (given) => {
        for (const { step, before } of playOut(given).rounds.filter((_, index) => index % 7 === 0)) {
          expect(nextStep(before)).toEqual(step)
        }
      }),
      { numRuns: runs / 5 },
    )
  })

  test('ends every turn exactly once, with a reason', () => {
    fc.assert(
      fc.property(play, (given) => {
        const { history } = playOut(given)
        const started = history.filter(({ type }) => type === 'turn.started')
        const finished = history.filter(({ type }) => type === 'turn.finished')
        expect(finished).toHaveLength(started.length)
        expect(finished.every((event) => 'reason' in event && event.reason !== '')).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  test('runs nothing that was not examined and permitted before, and no two calls that may change something at once', () => {
    fc.assert(
      fc.property(play, (given) => {
        for (const { step, before } of playOut(given).rounds) {
          if (step.type !== 'run_calls') continue
          const calls = before.turn?.calls.filter(({ call }) => step.callIds.includes(call.id)) ?? []
          expect(calls).toHaveLength(step.callIds.length)
          for (const { examined, permit, startedEpoch, outcome } of calls) {
            expect(examined?.invalid).toBeUndefined()
            expect({ examined: examined !== undefined, permit: permit?.permit, startedEpoch, outcome }).toEqual({
              examined: true,
              permit: 'allow',
              startedEpoch: undefined,
              outcome: undefined,
            })
          }
          const changing = calls.filter(
            ({ examined }) => examined?.effect === 'write' || examined?.command === 'npm test',
          )
          if (changing.length > 0) expect(calls).toHaveLength(1)
        }
      }),
      { numRuns: runs },
    )
  })

  test('never says verified unless a check was judged so in that turn', () => {
    fc.assert(
      fc.property(play, (given) => {
        const { rounds } = playOut(given)
        for (const { step, before } of rounds) {
          if (step.type !== 'finish' || step.verdict !== 'verified') continue
          const words = before.turn?.verification?.checks.map(({ judgement }) => judgement.word)
          expect(words).toContain('verified')
        }
      }),
      { numRuns: runs },
    )
  })
})
