import { mkdirSync } from 'node:fs'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainGit } from '../plain-git.ts'
import { pictureOf } from './picture.ts'
import { type Deed, perform } from './random-work.ts'
import { taken, temporaryTrees } from './side.ts'

/** Any byte that a name can hold, and names that mean something to git or to a shell. */
const anyByte = fc
  .integer({ min: 1, max: 255 })
  .filter((byte) => byte !== 47)
  .map((byte) => String.fromCharCode(byte))
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'src',
    'A',
    '-rf',
    ':(top)x',
    '*',
    '"q"',
    'a b',
    'x\n',
    '\t',
    'git~1x',
    '.gitattributes',
    'é',
    '\xff\xfe',
    'back\\slash',
    '!not',
    '#c',
    ' ',
    '?',
    'HEAD',
    'index',
  ),
  fc
    .array(anyByte, { minLength: 1, maxLength: 12 })
    .map((bytes) => bytes.join(''))
    .filter((each) => !/^\.{1,2}$|^\.git$|^git~\d+$|^\.loader/i.test(each.trim())),
)
const text = fc.oneof(
  fc.constantFrom('', 'a\n', 'a\r\n', '$Id$', '* text eol=crlf filter=lfs ident\n', '\0\x01'),
  fc.array(anyByte, { maxLength: 40 }).map((bytes) => bytes.join('')),
)
const deed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom(
    'write',
    'write',
    'write',
    'rewrite',
    'remove',
    'rename',
    'chmod',
    'link',
    'folder',
    'swap',
    'sneak',
  ),
  place: fc.nat(1000),
  name,
  text,
})

describe('whatever is done to a workspace', () => {
  test.each(['with git', 'without git'])('is taken back byte for byte, %s', { timeout: 240_000 }, async (kind) => {
    const deeds = fc.array(deed, { maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(deeds, deeds, async (first, later) => {
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
