import { Judgement } from '@loader/session-core/coding'
import { everyNth, times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CheckJudgement,
  judgeCheck,
  judgementRecord,
  judgementWords,
  type JudgementWord,
  objects,
  type Trial,
} from '../../src/index.ts'
import { situations } from './situations.table.ts'
import { play, type World } from './world.ts'

const [a, b] = ['test/a.js', 'test/b.js']
const bestLast: readonly JudgementWord[] = [
  'failed',
  'stale',
  'unverified',
  'rests_on',
  'held',
  'present',
  'accepted',
  'verified',
]
const rank = ({ word }: CheckJudgement) => bestLast.indexOf(word)
const heldRank = bestLast.indexOf('held')

/** Every world with one test, which each room may show in each way. */
const smallWorlds = function* (step: number): Generator<World> {
  const lines = ['t+', 't-', 't?', 't~', 'other+', 'limit']
  const changes = [
    { product: ['p.js'], aside: [a] },
    { product: ['p.js'] },
    { aside: [a] },
    { product: ['p.js'], aside: [a], mixed: ['p.js'] },
    {},
  ]
  let count = 0
  for (const changed of changes)
    for (const source of ['user', 'derived'] as const)
      for (const now of lines)
        for (const before of lines)
          for (const strict of lines)
            for (const reversed of lines)
              for (const emptied of lines)
                if (count++ % step === 0) {
                  yield { check: { source }, changed, rooms: { now, before, strict, reversed, emptied } }
                }
}

const outcome = fc.constantFrom('+', '+', '+', '-', '!', '?', '~', '')
const named = fc
  .tuple(fc.constantFrom('', 'test/a.js:'), outcome, outcome, outcome)
  .map(([file, ...three]) => three.flatMap((it, index) => (it === '' ? [] : [`${file}t${index}${it}`])).join(' '))
const line = fc.oneof(
  { weight: 8, arbitrary: named },
  { weight: 1, arbitrary: fc.constantFrom('exit 0', 'exit 1', '3 green 0 red', '2 green 1 red', '1 green 2 red') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('limit', 'reach', 'impossible', 'program_missing', ' | exit 1', 'test/a.js?'),
  },
)
const canary = fc.constantFrom('canary-', 'canary-', 'canary-', 'canary+', 'canary?', 'limit', 'impossible')
const rooms = fc.record({
  now: line,
  before: line,
  canary,
  as_is: line,
  strict: line,
  [`strict +${a}`]: line,
  [`strict +${b}`]: line,
  [`strict +${a} +${b}`]: line,
  unsuppressed: line,
  reversed: line,
  emptied: line,
})
const some = (...items: string[]) => fc.subarray(items)
const worlds: fc.Arbitrary<World> = fc.record({
  check: fc.record({
    source: fc.constantFrom('user', 'derived'),
    shows: fc.constantFrom('behaviour', 'behaviour', 'presence'),
    isInBefore: fc.boolean(),
    isSlow: fc.constantFrom(false, false, true),
  }),
  changed: fc.record({
    product: some('p.js'),
    aside: some(a, b),
    mixed: fc.constantFrom([], [], ['p.js'], ['test/a.js']),
    ignored: fc.constantFrom([], ['.env']),
    suppressed: fc.constantFrom([], [], ['p.js']),
  }),
  unaccepted: fc.constantFrom([], [a]),
  packages: fc.constantFrom([], [], [{ name: 'x', change: 'edited' as const, byInstall: false }]),
  rooms,
})
/** The same, and second runs may differ from the first ones. */
const flakyWorlds = fc
  .tuple(
    worlds,
    fc.dictionary(
      fc.constantFrom('now again', 'before again', 'strict again', 'reversed again', 'emptied again'),
      named,
    ),
  )
  .map(([world, again]): World => ({ ...world, rooms: { ...world.rooms, ...again } }))
const runs = { numRuns: times({ quick: 250, ci: 20_000, long: 500_000 }) }

function expectSound({ trial, judgement }: ReturnType<typeof play>): void {
  expect(bestLast).toContain(judgement.word)
  const record = judgementRecord(judgement)
  expect(Judgement.parse(record)).toEqual(record)
  expect(judgementWords(judgement).said).toMatch(/^[A-Z].*\.$/s)
  if (objects(judgement.word)) expect(judgementWords(judgement).next).toMatch(/^[A-Z].*\.$/s)
  expectFailedIsRedNow(trial, judgement)
  for (const index of trial.tried.keys()) expectNoRaise(trial, judgement, index)
}

function expectFailedIsRedNow({ tried }: Trial, judgement: CheckJudgement): void {
  const now = tried.find(({ experiment }) => experiment.room === 'now')?.outcome
  if (judgement.word === 'failed') expect(now).toMatchObject({ kind: 'shown', shown: { exit: 'red' } })
  if (judgement.word === 'verified') expect(now).toMatchObject({ kind: 'shown' })
}

function expectNoRaise(trial: Trial, judgement: CheckJudgement, index: number): void {
  for (const why of ['limit', 'reach'] as const) {
    const tried = trial.tried.with(index, {
      experiment: trial.tried[index]?.experiment ?? { room: 'now' },
      outcome: { kind: 'not_shown', why },
    })
    const less = judgeCheck({ ...trial, tried })
    expect(rank(less)).toBeLessThanOrEqual(heldRank)
    if (judgement.word === 'failed') expect(objects(less.word)).toBe(true)
  }
}

/** Every situation of the table, with one of its rooms as it might be as well. */
const variants = function* (): Generator<World> {
  const lines = [
    'adds+',
    'adds-',
    'adds?',
    '',
    ' | exit 1',
    'canary+',
    'canary-',
    'exit 0',
    'exit 1',
    'limit',
    'reach',
    'impossible',
  ]
  const places = ['now', 'as_is', 'before', 'canary', 'strict', 'unsuppressed', 'reversed', 'emptied'] as const
  const usual = {
    as_is: 'adds+',
    before: 'adds-',
    strict: 'adds+',
    unsuppressed: 'adds+',
    reversed: 'adds-',
    emptied: 'adds-',
  }
  for (const situation of situations) {
    const mixes = [
      'test/a.test.js',
      'test/b.test.js',
      'README.md',
      'test/page.snap',
      'test/sum.test.js',
      'package.json',
    ]
    const rests = Object.fromEntries(mixes.map((path) => [`strict +${path}`, 'adds+']))
    for (const room of places)
      for (const line of lines) yield { ...situation, rooms: { ...usual, ...rests, ...situation.rooms, [room]: line } }
  }
}

describe('every trial', () => {
  test('of a world with one test ends with one judgement, and none above held once a room is left out', () => {
    let count = 0
    for (const world of smallWorlds(everyNth({ quick: 124, ci: 3, long: 1 }))) {
      expectSound(play(world))
      count += 1
    }
    expect(count).toBeGreaterThan(times({ quick: 500, ci: 2000 }))
  })

  test('of a situation in which one room shows something else does the same', () => {
    let verified = 0
    for (const [index, world] of [...variants()].entries()) {
      if (index % everyNth({ quick: 7, ci: 1 }) !== 0) continue
      const played = play(world)
      expectSound(played)
      if (played.judgement.word === 'verified') verified += 1
    }
    expect(verified).toBeGreaterThan(times({ quick: 70, ci: 500 }))
  })

  test('of a random world, also with second runs that differ, does the same', () => {
    fc.assert(
      fc.property(flakyWorlds, (world) => expectSound(play(world))),
      runs,
    )
  })

  test('ends after at most a room of each kind, four more to narrow down, and one repetition of each', () => {
    fc.assert(
      fc.property(flakyWorlds, (world) => {
        const { experiments } = play(world)
        const first = experiments.filter(({ again }) => again === undefined)
        const mixes = first.filter(({ room, asNow = [] }) => room === 'strict' && asNow.length > 0)
        expect(new Set(first.map((it) => JSON.stringify(it))).size).toBe(first.length)
        expect(mixes.length).toBeLessThanOrEqual(5)
        expect(first.length - mixes.length).toBeLessThanOrEqual(8)
      }),
      runs,
    )
  })

  test('says the same of what was tried, in whatever order it was tried', () => {
    fc.assert(
      fc.property(flakyWorlds, (world) => {
        const { trial, judgement } = play(world)
        expect(judgeCheck({ ...trial, tried: trial.tried.toReversed() })).toEqual(judgement)
      }),
      runs,
    )
  })

  test('of a slow check runs now and strict only, each once', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { experiments } = play({ ...world, check: { ...world.check, isSlow: true } })
        expect(experiments.filter(({ room, again }) => again || (room !== 'now' && room !== 'strict'))).toEqual([])
      }),
      runs,
    )
  })
})

describe('a change aside', () => {
  test('that is shown to be bad in a room never makes the work failed', () => {
    fc.assert(
      fc.property(worlds, rooms, (world, others) => {
        const { now, before, as_is } = world.rooms
        const { judgement } = play(world)
        const other = play({ ...world, rooms: { ...others, now, before, as_is } as World['rooms'] }).judgement
        if (judgement.word === 'failed') expect(other.word).toBe('failed')
        else expect(other.word).not.toBe('failed')
      }),
      runs,
    )
  })

  test('that is taken back never turns a judgement that does not object into failed', () => {
    let tried = 0
    fc.assert(
      fc.property(worlds, (world) => {
        const whole: World = {
          ...world,
          check: { ...world.check, isInBefore: true },
          changed: { ...world.changed, aside: [a] },
          unaccepted: [],
        }
        const { judgement, trial } = play(whole)
        const strict = trial.tried.find(({ experiment }) => experiment.room === 'strict')
        if (objects(judgement.word) || strict?.outcome.kind !== 'shown') return
        tried += 1
        const back = {
          ...whole,
          changed: { ...whole.changed, aside: [] },
          rooms: { ...whole.rooms, now: whole.rooms['strict'] ?? '' },
        }
        expect(play(back).judgement.word).not.toBe('failed')
      }),
      runs,
    )
    expect(tried).toBeGreaterThan(times({ quick: 0, ci: 20 }))
  })
})
