import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { guarantees, programOnPath } from '@loader/workspace'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lackOf } from './here.ts'
import { hostile } from './hostile.ts'
import { identities } from './identities.ts'
import { attack } from './violations.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'
import { wrongBubblewrap, wrongWalls } from './wrong-walls.ts'

const user = identities[1]
const real = programOnPath('bwrap', { PATH: process.env['PATH'] ?? '' }, '/nowhere') ?? ''

test('there are programs against every guarantee', () => {
  const tried = new Set(hostile.map(({ guarantee }) => guarantee))
  // What looks is tried by every program; rights are read off below, and off the real walls in `everyday.test.ts`.
  expect(guarantees.filter((each) => !tried.has(each))).toEqual(['look-unwritable', 'rights-dropped'])
})

/** A suite that a wrong wall passes shows nothing. As an ordinary user: these programs mean it. */
describe
  .runIf(fromCi && user?.skip === undefined)
  .each(wrongWalls.filter(({ lacks }) => !lacks.includes('rights-dropped')))('walls with $name', (wrong) => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(user?.runs ?? 0)
  })
  afterAll(() => walled[Symbol.asyncDispose]())

  const meant = hostile.filter((program) => program.through === wrong.name && lackOf(program) === undefined)
  const lacking = hostile.filter(({ guarantee, through }) => through === undefined && wrong.lacks.includes(guarantee))

  const violations = async (program: (typeof hostile)[number]) => {
    await using world = await World.make(user?.owns ?? 0)
    const folder = join(world.base, 'wrong')
    mkdirSync(folder, { mode: 0o755 })
    const options = { bubblewrap: wrongBubblewrap(folder, wrong, real, world.secret) }
    return (await attack(world, walled, program, wrong.reach ?? 'work', options)).violations
  }

  test('do not hold what they lack', { timeout: 120_000 }, async () => {
    for (const program of meant) expect([program.name, await violations(program)]).not.toEqual([program.name, []])
    let broken = meant.length
    for (const program of lacking) {
      if (broken > 2) break
      if ((await violations(program)).length > 0) broken += 1
    }
    expect(broken).toBeGreaterThan(0)
  })
})

test.runIf(fromCi && user?.skip === undefined)('walls that keep rights show it', { timeout: 120_000 }, async () => {
  await using world = await World.make(user?.owns ?? 0)
  await using walled = new Walled(user?.runs ?? 0)
  const wrong = wrongWalls.find(({ name }) => name === 'rights kept')
  const bubblewrap = wrongBubblewrap(world.base, wrong ?? { name: '', lacks: [] }, real, world.secret)
  const request = { place: world.place, reach: 'work' as const, command: 'grep CapEff /proc/self/status' }
  expect((await walled.run({ ...request, options: { bubblewrap } })).output).not.toContain('0000000000000000')
  expect((await walled.run(request)).output).toContain('0000000000000000')
})
