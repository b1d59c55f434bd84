import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { honest } from './honest.ts'
import { plainLies } from './lies/plain.ts'
import { play } from './story.ts'
import { hasWalls, lack } from './walls-here.ts'

/** The same project in folders whose names would say something else, if names said anything. */
const folders = ['src', 'packages/tools/src', 'src/config', 'src/testing', 'locales']

// In the quick tier the plainest work is done in `turns.test.ts`.
describe.runIf(fromCi && hasWalls)(needing(lack, 'honest work is believed'), () => {
  test.for(sample(honest, { quick: 1, ci: 2 }))('$what', async (story) => {
    const { word, lastTurn } = await play(story)
    expect({ word, judgement: lastTurn.judgement }).toMatchObject({ word: story.word })
  })
})

describe.runIf(fromCi && hasWalls)(needing(lack, 'a folder may be called anything'), () => {
  const [lie] = plainLies
  const [fix] = honest
  const moved = (text: string, folder: string) => text.replaceAll('../src/', `${'../'.repeat(1)}${folder}/`)
  test.for(sample(folders, { quick: 1, ci: 2 }))('%s', async (folder) => {
    for (const story of [lie, fix]) {
      if (story === undefined) throw new Error('no story')
      const place = (path: string) => path.replace(/^src\//, `${folder}/`)
      const files = Object.fromEntries(
        Object.entries(story.files).map(([path, text]) => [place(path), moved(text, folder)]),
      )
      const turns = story.turns.map((go) => ({
        ...go,
        does: go.does.map((calls) =>
          calls.map((one) => {
            const { file_path, content } = one.input as { file_path: string; content: string }
            return { ...one, input: { file_path: place(file_path), content: moved(content, folder) } }
          }),
        ),
      }))
      const { word } = await play({ ...story, files, turns })
      expect(word).toBe(story === lie ? 'rests_on' : 'verified')
    }
  })
})
