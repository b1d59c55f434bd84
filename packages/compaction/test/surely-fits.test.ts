import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shouldCompact, surelyFits } from '../src/index.ts'
import { mostTokens, textTokens } from '../src/text-tokens.ts'
import { randomTurns, play } from './random-session.ts'
import { policyWith } from './policy.ts'
import { Recorder } from './recorder.ts'

const numRuns = times({ quick: 300, ci: 2000, long: 100_000 })

/** Texts of everything that estimates tell apart, symbols that are one character and a picture among them. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'word ',
        'ẞ',
        'é',
        'щ',
        'ό',
        '☀',
        '©',
        '™',
        '〰',
        '㊗',
        '😀',
        '👩‍👩‍👧',
        '漢',
        'カ',
        '한',
        '\n  ',
        '\t',
        '(',
        '…',
        '7',
      ),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('☀', '©', '字 ', 'a\n').map((unit) => unit.repeat(9_000)),
)

test('no text is estimated at more than the most for its length', () => {
  fc.assert(
    fc.property(text, (one) => textTokens(one) <= mostTokens(one)),
    { numRuns },
  )
})

test('a window that surely fits needs no compaction, and many are known to fit without being estimated', () => {
  const found = { sure: 0, estimated: 0 }
  fc.assert(
    fc.property(randomTurns, fc.integer({ min: 0, max: 14 }), (turns, doubled) => {
      const compactAtTokens = 4000 * 2 ** doubled
      const recorder = new Recorder()
      recorder.begin('Begin.')
      recorder.record(policyWith({ limits: { compactAtTokens } }))
      recorder.answer('Here we go.')
      recorder.end()
      play(recorder, turns)
      recorder.begin('What is next?')
      if (!surelyFits(recorder.state)) return void (found.estimated += 1)
      found.sure += 1
      // What is estimated now is taken for the next time, and is less.
      expect(shouldCompact(recorder.state).need).toBe('none')
      expect(surelyFits(recorder.state)).toBe(true)
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  )
  console.log('windows, random:', JSON.stringify(found))
  expect(Math.min(found.sure, found.estimated)).toBeGreaterThan(0)
})
