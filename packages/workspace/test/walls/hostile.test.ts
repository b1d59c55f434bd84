import type { Reach } from '@loader/session-core/coding'
import { needing, sample, tier } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lackOf } from './here.ts'
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

/**
 * In longer runs everything. In CI every third program once: by one of the identities, and half of those of each in
 * `look`. In the quick tier one program against every guarantee, by one of them.
 */
function trialsOf(identity: number): readonly Trial[] {
  const seen = new Set<string>()
  return trials.filter(({ program, reach, guarantee }) => {
    const place = hostile.indexOf(program)
    const isTurn = place % 3 === 0 && (place / 3 + identity) % identities.length === 0
    if (tier === 'long') return true
    if (tier === 'ci') return isTurn && reach === reaches[Math.floor(place / 3 / identities.length) % reaches.length]
    if (reach === 'look') return false
    if (seen.has(guarantee)) return false
    seen.add(guarantee)
    return seen.size % identities.length === identity
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

  const alone = hostile.filter(({ through }) => through === undefined)
  for (const program of sample(alone, { quick: 0, ci: 7 })) {
    const lack = lackOf(program)
    const name = needing(lack, `${program.guarantee} is broken by: ${program.name}`)
    test(name, { timeout: 120_000, skip: lack !== undefined }, async () => {
      await using world = await World.make(identities[1]?.owns ?? 0)
      expect((await attack(world, walled, program, 'work', { bubblewrap: null })).violations).not.toEqual([])
    })
  }
})
