import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainGit } from '../plain-git.ts'
import { deeds } from '../trees/deeds.ts'
import { pictureOf } from '../trees/picture.ts'
import { type Deed, perform } from '../trees/random-work.ts'
import { type Machine, travellingSession } from './machines.ts'

/** What happens on one machine after another: work, perhaps a commit, and perhaps another round of it before it goes on. */
const stay = fc.record({
  rounds: fc.array(fc.record({ work: deeds(12), commits: fc.boolean() }), { minLength: 1, maxLength: 2 }),
  next: fc.integer({ min: 0, max: 2 }),
})

function picture({ root }: Machine): ReadonlyMap<string, string> {
  const start = Buffer.from(root).toString('latin1').length
  return new Map([...pictureOf(root)].map(([path, what]) => [path.slice(start), what]))
}

/** A commit of whatever git takes: names that it refuses, or filters that fail, are left as they are. */
function tryToCommit(root: string): void {
  try {
    plainGit(root, ['add', '-A'])
  } catch {
    // Some of it may be staged.
  }
  try {
    plainGit(root, ['commit', '-q', '--allow-empty', '-m', 'work'])
  } catch {
    // Nothing was committed then, which is as good.
  }
}

function work(machine: Machine, all: readonly Deed[]): void {
  for (const each of all) perform(machine.root, each)
}

describe('whatever is done to a project', () => {
  test.each(['with a remote', 'without a remote', 'without git'])(
    'is the same on every machine that its session comes to, %s',
    { timeout: 3_600_000 },
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(deeds(20), fc.array(stay, { minLength: 1, maxLength: 4 }), async (first, stays) => {
          await using travel = await travellingSession()
          const machines = ['one', 'two', 'three'].map((name) => travel.machine(name))
          let here = machines[0] as Machine
          mkdirSync(here.root)
          if (kind !== 'without git') plainGit(here.root, ['init', '-q', '-b', 'main'])
          work(here, first)
          if (kind !== 'without git') tryToCommit(here.root)
          if (kind === 'with a remote') {
            const remote = join(travel.base, 'remote.git')
            plainGit(travel.base, ['init', '-q', '--bare', remote])
            plainGit(here.root, ['remote', 'add', 'origin', remote])
            plainGit(here.root, ['push', '-q', 'origin', 'HEAD:refs/heads/main'])
            plainGit(here.root, ['fetch', '-q', 'origin'])
          }
          await travel.save(here)
          for (const { rounds, next } of stays) {
            let tree = ''
            for (const { work: done, commits } of rounds) {
              work(here, done)
              if (commits && kind !== 'without git') tryToCommit(here.root)
              tree = (await travel.save(here)).tree.id
            }
            const before = picture(here)
            const there = await travel.go(machines[next] as Machine)
            expect(picture(there)).toEqual(before)
            expect(await travel.treeOf(there)).toBe(tree)
            here = there
          }
        }),
        { numRuns: times({ quick: 1, ci: 2, long: 400 }), endOnFailure: true },
      )
    },
  )
})
