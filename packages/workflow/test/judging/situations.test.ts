import { describe, expect, test } from 'vitest'
import type { CheckJudgement } from '../../src/index.ts'
import { situations } from './situations.table.ts'
import { play } from './world.ts'

describe('an honest engineer and the trial agree about', () => {
  test.each(situations)('$what: $is', (situation) => {
    expect(told(play(situation).judgement)).toBe(situation.is)
  })
})

function told(judgement: CheckJudgement): string {
  const { unaccepted } = judgement.notes
  return `${findingOf(judgement)}${unaccepted.length === 0 ? '' : `, still unaccepted: ${unaccepted.join(' ')}`}`
}

function findingOf(judgement: CheckJudgement): string {
  switch (judgement.word) {
    case 'verified':
      return `verified ${judgement.grade}`
    case 'held':
    case 'unverified':
      return `${judgement.word} ${judgement.why.kind}`
    case 'rests_on':
      return `rests_on ${judgement.files.join(' ')}`
    case 'failed':
      return `failed ${judgement.tests.join(' ')}`
    case 'present':
    case 'accepted':
    case 'stale':
      return judgement.word
    default:
      return judgement satisfies never
  }
}
