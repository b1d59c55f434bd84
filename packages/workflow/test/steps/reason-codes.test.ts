import { expect, test } from 'vitest'
import { chances, Simulation } from './simulation.ts'

/** The published reason codes of repairs: those that no table of decisions has, because only a whole turn meets them. */
const published = [
  'empty_response_retry',
  'empty_response_retry_exhausted',
  'raw_text_tool_recovered',
  'raw_text_tool_recovery_exhausted',
]

const limits = { maxIterations: 8, maxEmptyAnswers: 2, maxRecoveredCalls: 2, maxToolErrors: 20 }

test('every published code of repairs is reached by some play', () => {
  const reached = new Set<string>()
  for (let seed = 1; seed <= 400; seed += 1) {
    const play = new Simulation({ chance: chances(seed), crashes: 0, interruptions: 0 }, limits)
    play.say('Create hello.txt in the workspace root.')
    for (const event of play.run(2_000).history) {
      if (event.type === 'workflow.decided' && 'entry' in event) reached.add(event.entry.reasonCode)
    }
  }
  expect(published.filter((code) => !reached.has(code))).toEqual([])
})
