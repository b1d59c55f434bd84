import { SimulatedFileSystem } from '@loader/test-harness/faults'
import { everyNth, sample, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as sessionFs from '../src/index.ts'
import type { CommitMode } from '../src/index.ts'
import { explore, type Mark, run } from './crash-scenario.ts'

/** One disk of so many is looked at, spread over the whole run. */
const every = everyNth({ quick: 60, ci: 4, long: 1 })
const none = { damaged: 0, lost: 0, unreadable: 0, phantom: 0, doubled: 0, snapshotInvalid: 0 }

const newDisk = () => new SimulatedFileSystem<Mark>({ directories: ['/w'] })

describe.each<CommitMode>(sample(['inline', 'pool', 'auto'], { quick: 1 }))(
  'a power cut at any moment, committing %s',
  (commit) => {
    test.each(['weak', 'ordered'] as const)(
      'loses nothing acknowledged (%s model)',
      { timeout: 3_600_000 },
      async (model) => {
        const first = await run(sessionFs, newDisk(), commit, 20)
        const found = await explore(sessionFs, first, { model, randomSubsets: 12 }, { every })
        console.log(`${commit}, ${model}: looked at ${found.states} of ${found.made} distinct disks`)
        expect(found.example).toBeUndefined()
        expect(found.faults).toEqual(none)
        expect(found.states).toBeGreaterThan(times({ quick: 30, ci: 100, long: 200 }))
      },
    )

    test('nor while the journal grows, and what is left counts as whole', { timeout: 3_600_000 }, async () => {
      const disk = newDisk()
      const first = await run(sessionFs, disk, commit, 9, { isLong: true })
      const found = await explore(sessionFs, first, { randomSubsets: 12 }, { every })
      console.log(`${commit}, growing: looked at ${found.states} of ${found.made} distinct disks`)
      expect(found.example).toBeUndefined()
      expect(found.faults).toEqual(none)
      expect(found.states).toBeGreaterThan(times({ quick: 5, ci: 50, long: 100 }))
    })

    test('nor does a second one, after the session went on', { timeout: 3_600_000 }, async () => {
      const first = await run(sessionFs, newDisk(), commit, 7)
      const { kept } = await explore(
        sessionFs,
        first,
        { randomSubsets: 6 },
        { every, keepEvery: every === 1 ? 120 : 10 },
      )
      let states = 0
      for (const { state, events } of kept) {
        if (events.length === 0) continue
        const opened = state.marks.at(-1)?.opened === true
        const second = await run(sessionFs, state.mount(), commit, 4, { from: events, opened })
        const found = await explore(sessionFs, second, { randomSubsets: 4, exhaustive: 4 }, { every })
        states += found.states
        expect({ first: state.describe(), second: found.example }).toMatchObject({ second: undefined })
      }
      console.log(`${commit}, second cut: ${kept.length} sessions went on, looked at ${states} distinct disks`)
      expect(states).toBeGreaterThan(times({ quick: 5, ci: 50, long: 100 }))
    })

    test('loses nothing either where a session was closed and is opened again', { timeout: 3_600_000 }, async () => {
      const count = { states: 0, made: 0 }
      for (const steps of [2, 5, 8, 11]) {
        const closed = await run(sessionFs, newDisk(), commit, steps)
        const disk = new SimulatedFileSystem<Mark>({ files: closed.disk.files() })
        const again = await run(sessionFs, disk, commit, 6, { from: closed.expected, opened: true })
        const found = await explore(sessionFs, again, { randomSubsets: 12 }, { every })
        count.states += found.states
        count.made += found.made
        expect({ steps, example: found.example }).toMatchObject({ example: undefined })
        expect(found.faults).toEqual(none)
      }
      console.log(`${commit}, opened again: looked at ${count.states} of ${count.made} distinct disks`)
      expect(count.states).toBeGreaterThan(times({ quick: 22, ci: 75, long: 150 }))
    })
  },
)
