import * as fc from 'fast-check'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { type History, transcript } from '@loader/session-core'
import { compactLocally, planCompaction, undoCompaction } from '../src/index.ts'
import { isSummary } from '../src/summary-message.ts'
import { play, randomTurns } from './random-session.ts'
import { Recorder } from './recorder.ts'

const long = 'Something was found here. '.repeat(300)

test('undoing a compaction brings every message back to its place', () => {
  let undone = 0
  const property = fc.property(randomTurns, randomTurns, fc.nat(5), (turns, later, keepLast) => {
    const recorder = new Recorder()
    play(recorder, turns)
    recorder.say('And now something long.', long)
    const plan = planCompaction(recorder.state, { keepLast })
    if (plan === null) return
    const before = recorder.window
    recorder.record(compactLocally(recorder.state, plan, { messageId: 'sum' }))
    play(recorder, later)
    const since = recorder.window.slice(plan.kept.length + 1)
    const event = undoCompaction(recorder.history)
    if (event === null) throw new Error('there is a compaction to undo')
    recorder.record(event)
    expect(recorder.window).toEqual([...before, ...since])
    expect(undoCompaction(recorder.history)).toBeNull()
    undone += 1
  })
  fc.assert(property, { numRuns: times({ quick: 20, ci: 60 }) })
  expect(undone).toBeGreaterThan(times({ quick: 5, ci: 20 }))
})

test('there is nothing to undo before the first compaction, or when its summary is gone', () => {
  expect(undoCompaction([])).toBeNull()
  const recorder = compacted()
  expect(undoCompaction(recorder.history.slice(0, -1))).toBeNull()
  recorder.record({ type: 'session.rewound', toSeq: 1, through: null })
  expect(undoCompaction(recorder.history)).toBeNull()
})

test('what was folded stays in the transcript, whether the compaction is undone or not', () => {
  const recorder = compacted()
  const said = (history: History) =>
    transcript(history)
      .filter(({ message }) => !isSummary(message))
      .map(({ message, standing }) => `${message.id} ${standing}`)
  expect(said(recorder.history).filter((line) => line.endsWith(' folded'))).toHaveLength(2)
  const event = undoCompaction(recorder.history)
  if (event === null) throw new Error('there is a compaction to undo')
  recorder.record(event)
  expect(said(recorder.history).filter((line) => line.endsWith(' live'))).toHaveLength(6)
})

function compacted(): Recorder {
  const recorder = new Recorder()
  recorder.say('Look.', long)
  recorder.say('Go on.', 'Done.')
  recorder.say('Go on.', 'Done.')
  const plan = planCompaction(recorder.state)
  if (plan === null) throw new Error('there is something to fold')
  recorder.record(compactLocally(recorder.state, plan, { messageId: 'sum' }))
  return recorder
}
