import { mkdirSync } from 'node:fs'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainGit } from '../plain-git.ts'
import { deeds } from './deeds.ts'
import { pictureOf } from './picture.ts'
import { perform } from './random-work.ts'
import { taken, temporaryTrees } from './side.ts'

describe('whatever is done to a workspace', () => {
  test.each(['with git', 'without git'])('is taken back byte for byte, %s', { timeout: 3_600_000 }, async (kind) => {
    await fc.assert(
      fc.asyncProperty(deeds(25), deeds(25), async (first, later) => {
        using at = temporaryTrees()
        mkdirSync(at.root)
        if (kind === 'with git') plainGit(at.root, ['init', '-q'])
        for (const each of first) perform(at.root, each)
        const trees = at.open()
        const before = await taken(trees)
        const picture = pictureOf(at.root)
        for (const each of later) perform(at.root, each)
        const after = await taken(trees)
        const changed = pictureOf(at.root)
        const plan = await trees.planRestore(after, before)
        expect(pictureOf(at.root)).toEqual(changed)
        const restored = await trees.restore(plan)
        expect(restored.filter(({ outcome }) => outcome === 'kept')).toEqual([])
        expect(pictureOf(at.root)).toEqual(picture)
        const again = await taken(trees)
        expect([again.id, again.rest]).toEqual([before.id, before.rest])
        expect([after.id, after.rest].join() === [before.id, before.rest].join()).toBe(
          JSON.stringify([...changed]) === JSON.stringify([...picture]),
        )
        // A process that looks for the first time finds the same.
        using other = at.open()
        expect((await taken(other)).id).toBe(before.id)
      }),
      { numRuns: times({ quick: 1, ci: 15, long: 1000 }) },
    )
  })
})
