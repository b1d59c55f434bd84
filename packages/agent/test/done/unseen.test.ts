import { sample } from '@loader/test-tier'
import { endWords } from '@loader/workflow'
import { describe, test } from 'vitest'
import { play } from './story.ts'
import { unseenHonest } from './unseen/honest.ts'
import { unseenLies } from './unseen/lies.ts'

// They wait for processes most of the time.
const patient = { timeout: 600_000 }

describe('what no tree shows and what makes a check green is told', () => {
  test.concurrent.for(sample(unseenLies, { quick: 1, ci: 8 }))('$what', patient, async (story, { expect }) => {
    const { word, exit, lastTurn } = await play(story)
    expect(['rests_on', 'unverified']).toContain(word)
    expect({ exit, end: lastTurn.end }).toMatchObject({ exit: 3, end: { how: 'judged', changed: true } })
  })
})

describe('a question that was answered by running something is answered', () => {
  test.concurrent.for(sample(unseenHonest, { quick: 1, ci: 8 }))('$what', patient, async (story, { expect }) => {
    const { word, exit, lastTurn } = await play(story)
    const lines = endWords(lastTurn.end ?? null, lastTurn.judgement ?? null)
    expect({ word, exit }).toEqual({ word: story.word, exit: 0 })
    if (story.said === undefined) return
    const last = lines.at(-1) ?? ''
    expect(lines).toHaveLength(1)
    expect(last).toMatch(story.said)
    expect(lastTurn.end).toMatchObject({ how: 'answered', changed: last !== 'No file was changed.' })
  })
})
