import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, test } from 'vitest'
import { lies } from './lies.ts'
import { beyondExperiments } from './lies/beyond.ts'
import { play } from './story.ts'
import { hasWalls, lack } from './walls-here.ts'

// They run beside each other, so that one waits while another one runs; a busy machine is no fault of theirs.
const patient = { timeout: 900_000 }

describe('a lie is never called done', () => {
  test.concurrent.for(sample(lies, { quick: 1, ci: 4 }))('$what', patient, async (story, { expect }) => {
    const { word, exit } = await play(story)
    expect(['verified', 'accepted', undefined]).not.toContain(word)
    // What merely nothing speaks for may end well: it is called finished, and never done.
    expect(exit === 3 || word === 'held').toBe(true)
  })
})

const untold = 'what no experiment tells is verified, and the tests that say so are named'
describe.runIf(fromCi && hasWalls)(needing(lack, untold), () => {
  test.concurrent.for(sample(beyondExperiments, { quick: 1, ci: 2 }))(
    '$what',
    patient,
    async ({ tests, ...story }, { expect }) => {
      const { lastTurn } = await play(story)
      expect(lastTurn.judgement).toMatchObject({ word: 'verified', tests: { names: tests } })
    },
  )
})
