import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fromCi, needing } from '@loader/test-tier'
import { endWords } from '@loader/workflow'
import { describe, expect, onTestFinished, test } from 'vitest'
import { javascript } from './projects.ts'
import { play, writes } from './story.ts'
import { hasWalls, lack } from './walls-here.ts'

const { files, fixed } = javascript

test.runIf(hasWalls)(needing(lack, 'a fix is verified by the test that was red'), async () => {
  const { lastTurn, exit } = await play({ what: 'fix', files, turns: [{ does: [[writes('src/sum.js', fixed)]] }] })
  expect(lastTurn).toMatchObject({ verdict: 'verified', judgement: { word: 'verified', why: 'fixed' } })
  expect(exit).toBe(0)
})

// How what was found is judged has tests of its own, without any run. Here rooms find it: each story takes several. In the
// quick tier the test above stands for the work, and the first lie of `lies.test.ts` for what is no work.
const named = 'a test that was changed so that it passes is named, and has to be accepted'
test.runIf(fromCi && hasWalls)(needing(lack, named), async () => {
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

const edited = 'what the user edits between turns belongs to the state before the work'
test.runIf(fromCi && hasWalls)(needing(lack, edited), async () => {
  const changed = files['test/sum.test.js'].replace(', 3)', ', -1)')
  const edits = { 'test/sum.test.js': changed }
  const turns = [{ does: [] }, { edits, does: [[writes('notes.md', 'The user is right.\n')]] }]
  const { word, exit } = await play({ what: 'edits of the user', files, turns })
  expect({ word, exit }).toEqual({ word: 'held', exit: 0 })
})

const red = 'what stays red is told from what was broken, which sends the work back'
test.runIf(fromCi && hasWalls)(needing(lack, red), async () => {
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

/** A PATH on which there is no bubblewrap. */
function bareMachine(): Record<string, string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const program of ['bash', 'sh', 'git', 'grep', 'env']) {
    const found = (process.env['PATH'] ?? '').split(delimiter).find((path) => existsSync(join(path, program)))
    if (found !== undefined) symlinkSync(join(found, program), join(folder, program))
  }
  return { ...process.env, PATH: folder }
}

describe('without walls', () => {
  const does = [[writes('src/sum.js', fixed)]]

  test('the checks of the project are not run, which is said, and is no good end', async () => {
    const walls = { variables: bareMachine() }
    const { lastTurn, exit } = await play({ what: 'withheld', files, turns: [{ does }], walls })
    const judgement = { word: 'unverified', why: 'could_not_run', cause: 'no_walls' }
    expect(lastTurn).toMatchObject({ verdict: 'unverified', judgement, end: { how: 'judged', changed: true } })
    expect(endWords(lastTurn.end ?? null, lastTurn.judgement ?? null).join(' ')).toContain('there are no walls here')
    expect(exit).toBe(3)
  })

  test('what the user gave is run', async () => {
    const walls = { variables: bareMachine() }
    const doneWhen = ['grep -q "a + b" src/sum.js']
    const { word, exit } = await play({ what: 'given', files, turns: [{ does, doneWhen }], walls })
    expect({ word, exit }).toEqual({ word: 'verified', exit: 0 })
  })

  test('a project that has no checks is still told from one that has', async () => {
    const walls = { variables: bareMachine() }
    const { word } = await play({
      what: 'none',
      files: { 'a.txt': 'a\n' },
      turns: [{ does: [[writes('a.txt', 'b\n')]] }],
      walls,
    })
    expect(word).toBe('unchecked')
  })
})
