import type { Reach } from '@loader/session-core/coding'
import { tier } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostile } from './hostile.ts'
import { identities } from './identities.ts'
import { attack } from './violations.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'

interface Trial {
  readonly program: (typeof hostile)[number]
  readonly reach: Reach
  readonly guarantee: string
  readonly name: string
}

const reaches: readonly Reach[] = ['work', 'look']
const trials = hostile.flatMap((program) => reaches.map((reach): Trial => ({ ...program, program, reach })))

/** In the quick tier every program is tried once, by one of the identities in one reach. */
function trialsOf(identity: number): readonly Trial[] {
  if (tier !== 'quick') return trials
  return trials.filter(({ program, reach }) => {
    const number = hostile.indexOf(program)
    return number % identities.length === identity && reach === (number % 4 === 0 ? 'look' : 'work')
  })
}

describe.each(identities.map((identity, index) => ({ ...identity, index })))(
  'a hostile program of $name',
  ({ runs, owns, skip, index }) => {
    let walled: Walled
    beforeAll(() => {
      walled = new Walled(runs)
    })
    afterAll(() => walled[Symbol.asyncDispose]())

    test.each(trialsOf(index))(
      'in $reach, against $guarantee: $name',
      { timeout: 120_000, skip: skip !== undefined },
      async ({ program, reach }) => {
        await using world = await World.make(owns)
        expect((await attack(world, walled, program, reach)).violations).toEqual([])
      },
    )
  },
)

/** What gets nowhere without walls shows nothing about them. As an ordinary user: these programs mean it. */
describe.skipIf(tier === 'quick' || identities[1]?.skip !== undefined)('without walls', () => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(identities[1]?.runs ?? 0)
  })
  afterAll(() => walled[Symbol.asyncDispose]())

  test.each(hostile.filter(({ through }) => through === undefined))(
    '$guarantee is broken by: $name',
    { timeout: 120_000 },
    async (program) => {
      await using world = await World.make(identities[1]?.owns ?? 0)
      expect((await attack(world, walled, program, 'work', { bubblewrap: null })).violations).not.toEqual([])
    },
  )
})
