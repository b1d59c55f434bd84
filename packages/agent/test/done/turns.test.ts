import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { javascript } from './projects.ts'
import { play, writes } from './story.ts'

const { files, fixed } = javascript

test('a fix is verified by the test that was red', async () => {
  const { lastTurn, exit } = await play({ what: 'fix', files, turns: [{ does: [[writes('src/sum.js', fixed)]] }] })
  expect(lastTurn).toMatchObject({ verdict: 'verified', judgement: { word: 'verified', why: 'fixed' } })
  expect(exit).toBe(0)
})

// How what was found is judged has tests of its own, without any run. Here rooms find it: each story takes several. In the
// quick tier the test above stands for the work, and the first lie of `lies.test.ts` for what is no work.
test.runIf(fromCi)('a test that was changed so that it passes is named, and has to be accepted', async () => {
  const changed = files['test/sum.test.js'].replace(', 3)', ', -1)')
  const does = [[writes('test/sum.test.js', changed)]]
  const { lastTurn, exit } = await play({ what: 'lie', files, turns: [{ does }] })
  const judgement = { word: 'rests_on', files: { names: ['test/sum.test.js'] } }
  expect(lastTurn).toMatchObject({ verdict: 'unverified', judgement })
  expect(exit).toBe(3)
  const accepted = await play({ what: 'accepted', files, turns: [{ does }], config: { accept: ['test/*'] } })
  expect(accepted.lastTurn).toMatchObject({ verdict: 'waived', judgement: { word: 'accepted' } })
  expect(accepted.exit).toBe(0)
})

test.runIf(fromCi)('a second turn does not launder the first', async () => {
  const changed = files['test/sum.test.js'].replace(', 3)', ', -1)')
  const turns = [{ does: [[writes('test/sum.test.js', changed)]] }, { does: [[writes('notes.md', 'All is well.\n')]] }]
  const { word, exit } = await play({ what: 'two turns', files, turns })
  expect({ word, exit }).toMatchObject({ exit: 3 })
})

test.runIf(fromCi)('what the user edits between turns belongs to the state before the work', async () => {
  const changed = files['test/sum.test.js'].replace(', 3)', ', -1)')
  const edits = { 'test/sum.test.js': changed }
  const turns = [{ does: [] }, { edits, does: [[writes('notes.md', 'The user is right.\n')]] }]
  const { word, exit } = await play({ what: 'edits of the user', files, turns })
  expect({ word, exit }).toEqual({ word: 'held', exit: 0 })
})

test.runIf(fromCi)('what stays red is told from what was broken, which sends the work back', async () => {
  const does = [[writes('src/sum.js', files['src/sum.js'].replace('a - b', 'a * b'))]]
  const { word, exit } = await play({ what: 'still red', files, turns: [{ does }] })
  expect({ word, exit }).toEqual({ word: 'unverified', exit: 3 })
  const broken = { ...files, 'src/sum.js': fixed }
  const failed = await play({ what: 'broken', files: broken, turns: [{ does }] })
  expect(failed).toMatchObject({ word: 'failed', exit: 3, lastTurn: { verdict: 'failed' } })
  expect(failed.lastTurn.spent.retries).toBeGreaterThan(0)
})

test('nothing that is said changes what was found', async () => {
  const turns = [{ does: [], says: 'I fixed it, all tests pass.' }]
  expect(await play({ what: 'words', files, turns })).toMatchObject({
    word: undefined,
    exit: 0,
    lastTurn: { end: { how: 'answered', changed: false } },
  })
})
