import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostile } from './hostile.ts'
import { identities } from './identities.ts'
import { attack } from './violations.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'

/** Each program is tried once, by one of the identities in one reach; `test:long` tries all by all in both. */
describe.each(identities.map((identity, index) => ({ ...identity, index })))(
  'a hostile program of $name',
  ({ runs, owns, skip, index }) => {
    let walled: Walled
    beforeAll(() => {
      walled = new Walled(runs)
    })
    afterAll(() => walled[Symbol.asyncDispose]())
    const mine = hostile.filter((_, number) => number % identities.length === index)

    test.each(mine)('$guarantee: $name', { timeout: 60_000, skip: skip !== undefined }, async (program) => {
      await using world = await World.make(owns)
      const reach = hostile.indexOf(program) % 4 === 0 ? 'look' : 'work'
      expect((await attack(world, walled, program, reach)).violations).toEqual([])
    })
  },
)
