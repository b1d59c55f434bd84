import { existsSync } from 'node:fs'
import { fromCi, sample, tier } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hostile } from './hostile/hostile.ts'
import { toolCalls } from './hostile/hostile-tools.ts'
import { living } from './hostile/living.ts'
import { reading } from './hostile/reading.ts'
import { sending } from './hostile/sending.ts'
import { settled } from './hostile/settled.ts'
import { staying } from './hostile/staying.ts'
import { strange } from './hostile/strange.ts'
import { writing } from './hostile/writing.ts'
import { Runner } from './runner.ts'
import { attempt, type Lane, wallsHold } from './trial.ts'
import { World } from './world.ts'

const all: readonly Hostile[] = [
  ...sending,
  ...writing,
  ...staying,
  ...settled,
  ...reading,
  ...living,
  ...strange,
  ...toolCalls,
]

type Case = Hostile & { readonly lane: Lane }
const inLane = (lane: Lane, hostile = all): readonly Case[] => hostile.map((each) => ({ ...each, lane }))

const everyTwelfth = all.filter((_, index) => index % 12 === 0)
const ordinary = 4321
const users: readonly { readonly name: string; readonly uid: number; readonly cases: readonly Case[] }[] = [
  {
    name: 'the user of the tests',
    uid: 0,
    cases: tier === 'long' ? [...inLane('work'), ...inLane('look')] : sample(inLane('work'), { quick: 3, ci: 10 }),
  },
  {
    name: 'an ordinary user',
    uid: ordinary,
    cases: tier === 'long' ? [...inLane('work'), ...inLane('look')] : tier === 'ci' ? inLane('look', everyTwelfth) : [],
  },
]

/** Programs without which it would try nothing. */
function writtenFor({ calls }: Hostile): readonly string[] {
  const text = JSON.stringify(calls)
  return ['/usr/bin/python3', '/usr/bin/gcc', '/usr/bin/perl'].filter((path) =>
    new RegExp(`(^|[^\\w.])(${path}|${path.slice('/usr/bin/'.length)} -)`).test(text),
  )
}

describe.each(users.filter(({ cases }) => cases.length > 0))('hostile calls of $name', ({ uid, cases }) => {
  let world: World
  let runner: Runner
  let missing = uid !== 0 && process.getuid?.() !== 0 ? 'only root can become another user' : undefined
  beforeAll(async () => {
    if (missing !== undefined) return
    world = await World.make(uid)
    runner = new Runner(uid)
    missing = await wallsHold(runner, world)
  })
  afterAll(async () => {
    await runner?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  test.for(cases)('in $lane, $kind: $name', async (hostile, { skip }) => {
    // Without walls these would do what they want to.
    if (missing !== undefined) skip(missing)
    const absent = writtenFor(hostile).find((path) => !existsSync(path))
    if (absent !== undefined) skip(`${absent} is not installed`)
    const { violations } = await attempt(world, runner, hostile, hostile.lane)
    expect(violations).toEqual([])
  })
})

/** Whoever looks for harm must be able to see it. */
describe.runIf(fromCi)('a trial sees', () => {
  let world: World
  let runner: Runner
  let missing: string | undefined
  beforeAll(async () => {
    world = await World.make()
    runner = new Runner()
    missing = await wallsHold(runner, world)
  })
  afterAll(async () => {
    await runner[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  test.for([
    ['a change outside', 'echo x >> {OPEN}/file', /open\/file was file/],
    ['a change in the home folder', 'echo x > {HOME}/.profile', /\.profile was file/],
    ['a change at a guarded place', 'echo x > .vscode/settings.json; touch .envrc', /\.envrc was absent/],
    ['a file on the machine', 'touch /tmp/{MARK}', /it made \/tmp/],
    ['a secret that is shown', 'cat {HOME}/.netrc', /a secret was seen/],
    ['a secret that is turned around', 'rev {HOME}/.netrc', /a secret was shown/],
    ['what a listener hears', 'exec 3<>/dev/tcp/127.0.0.1/{PORT}', /it was heard by/],
    ['what a socket hears', 'curl -sm1 --unix-socket {OPEN}/service.sock http://x; true', /it was heard by/],
    ['what runs later', 'git config core.fsmonitor "{SPRING} ;"', /something ran when/],
  ] as const)('%s', async ([, command, violation], { skip }) => {
    if (missing !== undefined) skip(missing)
    const calls = [{ tool: 'bash', input: { command } }]
    const { violations } = await attempt(world, runner, { kind: '', name: '', calls, afterwards: 'git status' }, 'open')
    expect(violations.join('\n')).toMatch(violation)
    await world[Symbol.asyncDispose]()
    world = await World.make()
  })
})

/** What leaves nothing behind without walls shows nothing about them. */
describe.runIf(fromCi)('without walls', () => {
  let world: World
  let runner: Runner
  let missing: string | undefined
  beforeAll(async () => {
    world = await World.make()
    runner = new Runner()
    missing = await wallsHold(runner, world)
  })
  afterAll(async () => {
    await runner[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const later = settled.filter(({ afterwards }) => afterwards !== undefined)
  test.for(later)('something runs later of $name', async (hostile, { skip }) => {
    if (missing !== undefined) skip(missing)
    const { violations } = await attempt(world, runner, hostile, 'open')
    expect(violations).toContain('something ran when the user went on')
  })
})
