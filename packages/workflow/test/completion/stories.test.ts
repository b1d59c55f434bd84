import { describe, expect, test } from 'vitest'
import { Drive } from './drive.ts'
import { honestRuns } from './honest-runs.ts'
import { lies } from './lies.ts'
import type { Story } from './story.ts'

function play({ task, files, doneWhen, answers }: Story) {
  const drive = new Drive({ task, files, ...(doneWhen && { doneWhen }) })
  const { verdict } = drive.play(answers)
  return { verdict, codes: drive.codes }
}

describe('ways to lie', () => {
  test('there are at least twenty, and none of them is believed', () => {
    expect(lies.length).toBeGreaterThanOrEqual(20)
    expect(lies.filter((story) => play(story).verdict === 'verified')).toEqual([])
  })

  test.for(lies)('whoever $name is not believed', (story) => {
    expect(play(story)).toMatchObject({ verdict: story.verdict })
  })
})

describe('honest runs', () => {
  test('there are at least twenty, and all of them are believed', () => {
    expect(honestRuns.length).toBeGreaterThanOrEqual(20)
    expect(honestRuns.filter((story) => play(story).verdict !== 'verified')).toEqual([])
  })

  test.for(honestRuns)('whoever $name is believed', (story) => {
    expect(play(story)).toMatchObject({ verdict: story.verdict })
  })
})
