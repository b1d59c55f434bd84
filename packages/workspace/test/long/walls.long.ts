import type { Reach } from '@loader/session-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostile } from '../walls/hostile.ts'
import { identities } from '../walls/identities.ts'
import { attack } from '../walls/violations.ts'
import { Walled } from '../walls/walled-run.ts'
import { World } from '../walls/world.ts'

const reaches: readonly Reach[] = ['work', 'look']

describe.each(identities)('every hostile program of $name', ({ runs, owns, skip }) => {
  describe.each(reaches)('in %s', (reach) => {
    let walled: Walled
    beforeAll(() => {
      walled = new Walled(runs)
    })
    afterAll(() => walled[Symbol.asyncDispose]())

    test.each(hostile)('$guarantee: $name', { timeout: 60_000, skip: skip !== undefined }, async (program) => {
      await using world = await World.make(owns)
      expect((await attack(world, walled, program, reach)).violations).toEqual([])
    })
  })
})

/** What gets nowhere without walls shows nothing about them. As an ordinary user: these programs mean it. */
describe.skipIf(identities[1]?.skip !== undefined)('without walls', () => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(identities[1]?.runs ?? 0)
  })
  afterAll(() => walled[Symbol.asyncDispose]())

  test.each(hostile.filter(({ through }) => through === undefined))(
    '$guarantee is broken by: $name',
    { timeout: 60_000 },
    async (program) => {
      await using world = await World.make(identities[1]?.owns ?? 0)
      expect((await attack(world, walled, program, 'work', { walls: 'off' })).violations).not.toEqual([])
    },
  )
})
