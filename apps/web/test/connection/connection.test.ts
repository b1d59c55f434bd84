import * as fc from 'fast-check'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import {
  begin,
  type Connection,
  type Effect,
  type Happening,
  step,
  usualTiming,
} from '../../src/page/connection/connection.ts'

/** What can happen to a page, its server, and what lies between them. */
type Act =
  | { readonly kind: 'written'; readonly events: number }
  | { readonly kind: 'sent' }
  | { readonly kind: 'sent twice' }
  | { readonly kind: 'left out' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'held back'; readonly ms: number }
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'visible' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'logged in' }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('written' as const), events: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 12, arbitrary: fc.constant({ kind: 'sent' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'sent twice' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'left out' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'cut' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restarted' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('held back' as const), ms: fc.integer({ min: 1, max: 60_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('passed' as const), ms: fc.integer({ min: 1, max: 4_000_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'hidden' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'visible' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refused' as const),
      code: fc.constantFrom('too_many', 'failed', 'storage_refused', 'not_logged_in'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'logged in' as const }) },
)

/** A server, its log, and the one connection that a page may have to it. */
class World {
  now = 1_000_000
  log = 0
  instance = 1
  connection: Connection
  readonly delivered: number[] = []
  /** What the server still has to send of the open connection; undefined without one. */
  #open: { next: number; isOpened: boolean; isLive: boolean } | undefined

  constructor() {
    const [connection, effects] = begin(0, this.now)
    this.connection = connection
    this.#perform(effects)
  }

  happened(happening: Happening): void {
    const moment = { now: this.now, chance: 0.5, timing: usualTiming }
    const [connection, effects] = step(this.connection, happening, moment)
    this.connection = connection
    this.#perform(effects, happening.kind === 'event' ? happening.seq : undefined)
  }

  #perform(effects: readonly Effect[], seq?: number): void {
    for (const effect of effects) {
      if (effect.kind === 'deliver') this.delivered.push(seq ?? 0)
      else if (effect.kind === 'disconnect') this.#open = undefined
      else {
        if (this.#open !== undefined) throw new Error('There are two connections.')
        this.#open = { next: effect.after + 1, isOpened: false, isLive: false }
      }
    }
  }

  /** The server sends the next thing that it has. */
  send(skip = 0): boolean {
    const open = this.#open
    if (open === undefined) return false
    if (!open.isOpened) {
      open.isOpened = true
      this.happened({ kind: 'opened', instance: String(this.instance), build: '' })
    } else if (open.next + skip <= this.log) {
      const seq = open.next + skip
      open.next = seq + 1
      this.happened({ kind: 'event', seq })
    } else if (!open.isLive) {
      open.isLive = true
      this.happened({ kind: 'live' })
    } else if (this.connection.way === 'poll') this.cut('complete')
    else {
      this.happened({ kind: 'alive' })
      return false
    }
    return true
  }

  cut(how: 'complete' | 'broken'): void {
    if (this.#open === undefined) return
    this.#open = undefined
    this.happened({ kind: 'closed', how })
  }

  refuse(code: string): void {
    if (this.#open === undefined || this.#open.isOpened) return
    this.happened({ kind: 'refused', code, message: '' })
    // An answer that refuses also ends.
    if (this.#open !== undefined) this.cut('complete')
  }

  /** Time passes, and the clock of the page is looked at every second unless it sleeps. */
  pass(ms: number, sleeps: boolean): void {
    const until = this.now + ms
    if (!sleeps) while (this.now + 1_000 < until) this.#tick(1_000)
    this.#tick(until - this.now)
  }

  #tick(ms: number): void {
    this.now += ms
    this.happened({ kind: 'tick' })
  }

  do(one: Act): void {
    switch (one.kind) {
      case 'written':
        this.log += one.events
        return
      case 'sent':
        this.send()
        return
      case 'sent twice':
        this.send()
        return this.happened({ kind: 'event', seq: this.delivered.at(-1) ?? 0 })
      case 'left out':
        this.send(1)
        return
      case 'cut':
        return this.cut('broken')
      case 'restarted':
        this.instance += 1
        return this.cut('broken')
      case 'held back':
        return this.pass(one.ms, false)
      case 'passed':
        return this.pass(one.ms, true)
      case 'hidden':
      case 'visible':
        return this.happened({ kind: one.kind })
      case 'refused':
        return this.refuse(one.code)
      case 'logged in':
        return this.happened({ kind: 'logged_in' })
      default:
        return one satisfies never
    }
  }

  /** Everything is well again for as long as it takes. */
  settle(): void {
    this.happened({ kind: 'visible' })
    this.happened({ kind: 'logged_in' })
    for (let round = 0; round < 400; round += 1) {
      while (this.send())
        if (this.connection.way === 'poll' && this.connection.isLive && this.delivered.length === this.log) return
      if (this.connection.isLive && this.delivered.length === this.log) return
      this.pass(1_000, false)
    }
  }
}

function counted(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

describe('whatever happens to a connection', () => {
  test('each event is given on once and in order, and all of them when it is well again', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
        const world = new World()
        for (const one of acts) {
          world.do(one)
          expect(world.delivered).toEqual(counted(world.delivered.length))
          expect(world.connection.after).toBe(world.delivered.length)
          // Whoever says that it is live does not say at the same time that something is missing.
          expect(world.connection.isLive && world.connection.outage !== undefined).toBe(false)
        }
        world.settle()
        expect(world.delivered).toEqual(counted(world.log))
        expect(world.connection).toMatchObject({ isLive: true, outage: undefined })
      }),
      { numRuns: times({ quick: 200, ci: 2_000, long: 50_000 }) },
    )
  })
})

describe('what a page says of an outage', () => {
  /** A page that has seen two events, and is live. */
  function live(): World {
    const world = new World()
    world.log = 2
    while (world.send());
    expect(world.connection).toMatchObject({ isLive: true, missed: undefined })
    return world
  }

  test('how long it was, how many events came of it, and that another server answered', () => {
    const world = live()
    const since = world.now
    world.do({ kind: 'restarted' })
    expect(world.connection).toMatchObject({ isLive: false, outage: { cause: 'closed', since } })
    world.log += 3
    world.pass(5_000, false)
    while (world.send());
    expect(world.connection.missed).toEqual({ cause: 'closed', since, until: world.now, events: 3, restarted: true })
  })

  test('a machine that slept for an hour connects again at once, and says so', () => {
    const world = live()
    const since = world.now
    world.log += 7
    world.pass(3_600_000, true)
    expect(world.connection.phase.kind).toBe('connecting')
    while (world.send());
    expect(world.connection.missed).toEqual({
      cause: 'asleep',
      since,
      until: since + 3_600_000,
      events: 7,
      restarted: false,
    })
  })

  test('a server that is not heard of any more is asked again, and for less and less', () => {
    const world = live()
    world.pass(usualTiming.silentMs + 1_000, false)
    expect(world.connection).toMatchObject({ phase: { kind: 'connecting' }, outage: { cause: 'silent' } })
    const waits = counted(6).map(() => {
      world.cut('broken')
      const before = world.now
      while (world.connection.phase.kind === 'waiting') world.pass(10, true)
      return world.now - before
    })
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(waits.at(-1)).toBeLessThanOrEqual(usualTiming.longestWaitMs)
    expect(waits[0]).toBeLessThan(waits[4] ?? 0)
  })

  test('something that holds answers back is met with answers that end', () => {
    const world = new World()
    world.log = 4
    world.pass(2 * usualTiming.openMs + 1_000, false)
    expect(world.connection.way).toBe('poll')
    world.settle()
    expect(world.delivered).toEqual([1, 2, 3, 4])
    const tries = world.connection.triedAt
    world.log += 1
    world.settle()
    expect(world.delivered.at(-1)).toBe(5)
    expect(world.connection).toMatchObject({ way: 'poll', isLive: true, triedAt: tries })
  })

  test.each(['too_many', 'failed', 'storage_refused', 'storage_uncertain'])(
    'a server that says %s is asked again',
    (code) => {
      const world = live()
      world.happened({ kind: 'refused', code, message: 'The database is away.' })
      world.cut('complete')
      world.log += 3
      world.settle()
      expect(world.connection.isLive).toBe(true)
      expect(world.delivered).toEqual(counted(world.log))
    },
  )

  test('a session that is not there any more is asked for no more', () => {
    const world = live()
    world.happened({ kind: 'refused', code: 'session_not_found', message: 'gone' })
    world.cut('complete')
    world.pass(3_600_000, false)
    expect(world.connection.phase).toEqual({ kind: 'ended', code: 'session_not_found', message: 'gone' })
  })
})
