import { sample } from '@loader/test-tier'
import { endWords } from '@loader/workflow'
import { describe, test } from 'vitest'
import { play } from './story.ts'
import { unseenHonest } from './unseen/honest.ts'
import { unseenLies } from './unseen/lies.ts'
import { hasWalls } from './walls-here.ts'

// They wait for processes most of the time.
const patient = { timeout: 600_000 }

describe('what no tree shows and what makes a check green is told', () => {
  test.concurrent.for(sample(unseenLies, { quick: 1, ci: 3 }))('$what', patient, async (story, { expect }) => {
    const { word, exit, lastTurn } = await play(story)
    if (!hasWalls && word === undefined) {
      // No check was run that could rest on it; what differs is named, and nothing is called done.
      expect(lastTurn.end).toMatchObject({ how: 'answered', changed: true })
      expect(endWords(lastTurn.end ?? null, null).at(-1)).toMatch(/^No file of the project was changed; ./)
      return
    }
    expect(['rests_on', 'unverified']).toContain(word)
    expect({ exit, end: lastTurn.end }).toMatchObject({ exit: 3, end: { how: 'judged', changed: true } })
  })
})

describe('a question that was answered by running something is answered', () => {
  test.concurrent.for(sample(unseenHonest, { quick: 1, ci: 2 }))('$what', patient, async (story, { expect }) => {
    const { word, exit, lastTurn } = await play(story)
    const lines = endWords(lastTurn.end ?? null, lastTurn.judgement ?? null)
    const isTried = hasWalls || story.word === undefined
    expect({ word, exit }).toEqual(isTried ? { word: story.word, exit: 0 } : { word: 'unverified', exit: 3 })
    if (story.said === undefined) return
    const last = lines.at(-1) ?? ''
    expect(lines).toHaveLength(1)
    expect(hasWalls ? [last] : [last, withinWalls(last)]).toContainEqual(expect.stringMatching(story.said))
    expect(lastTurn.end).toMatchObject({ how: 'answered', changed: last !== 'No file was changed.' })
  })
})

/** The line where commands could not have reached more than the project. */
function withinWalls(line: string): string {
  const inside = line.replace('; what lies outside of it was not looked at', '')
  return inside === 'No file of the project was changed.' ? 'No file was changed.' : inside
}
