import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, test } from 'vitest'
import { stories } from './everyday/all.ts'
import { play } from './story.ts'
import { hasWalls, lack } from './walls-here.ts'

const limit = { timeout: 600_000 }

// In the quick tier the plainest work is done in `turns.test.ts`.
const believed = 'everyday work is believed, or says what it rests on'
describe.runIf(fromCi && hasWalls)(needing(lack, believed), () => {
  // Most of the time goes into waiting: for processes, and for the disk.
  test.concurrent.for(sample(stories, { quick: 1, ci: 3 }))('$language: $what', limit, async (story, { expect }) => {
    const { word, exit, lastTurn } = await play(story)
    const files = story.restsOn === undefined ? {} : { files: { names: story.restsOn } }
    expect({ word, judgement: lastTurn.judgement }).toMatchObject({ word: story.word, judgement: files })
    expect(exit).toBe(story.word === 'rests_on' ? 3 : 0)
  })
})
