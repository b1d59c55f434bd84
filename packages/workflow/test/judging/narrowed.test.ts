import { expect, test } from 'vitest'
import { judgeCheck, nextExperiment, type RoomOutcome, type Trial, withOutcome } from '../../src/index.ts'

const files = Array.from({ length: 32 }, (_unused, index) => `test/${String(index).padStart(2, '0')}.js`)
const shown = (outcome: 'green' | 'red'): RoomOutcome => ({
  kind: 'shown',
  shown: { exit: outcome, tests: [{ name: 'adds', outcome }] },
})

/** Passes with the tests as they were only if these are as they are now. */
function restingOn(culprits: readonly string[]) {
  let trial: Trial = {
    check: { source: 'derived', shows: 'behaviour', isInBefore: true, isSlow: false },
    changed: { product: ['src/sum.js'], aside: files, mixed: [], ignored: [], suppressed: [] },
    unaccepted: [],
    packages: [],
    accepted: { packages: [], tests: [] },
    tried: [],
  }
  let mixes = 0
  for (let next = nextExperiment(trial); next !== undefined; next = nextExperiment(trial)) {
    const { room, asNow = [] } = next
    if (asNow.length > 0) mixes += 1
    const isGreen = room === 'now' || (room === 'strict' && culprits.every((path) => asNow.includes(path)))
    trial = withOutcome(trial, next, shown(isGreen ? 'green' : 'red'))
  }
  const judgement = judgeCheck(trial)
  return { mixes, files: judgement.word === 'rests_on' ? judgement.files : [] }
}

test.each([
  ['the first file', ['test/00.js'], 4, 2],
  ['the last file', ['test/31.js'], 4, 8],
  ['two files of one half', ['test/02.js', 'test/03.js'], 4, 4],
  ['two files of different halves', ['test/00.js', 'test/31.js'], 2, 32],
])('what a check rests on is narrowed down in four runs: %s', (_what, culprits, mixes, left) => {
  const found = restingOn(culprits)
  expect(found.mixes).toBe(mixes)
  expect(found.files).toHaveLength(left)
  expect(found.files).toEqual(expect.arrayContaining(culprits))
})
