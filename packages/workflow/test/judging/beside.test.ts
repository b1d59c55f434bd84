import type { Beside, TurnEnd } from '@loader/session-core/coding'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  besideRecord,
  type CheckFinding,
  type CheckJudgement,
  type EndFacts,
  endOfTurn,
  endWords,
  exitCodeOfEnd,
  judgementRecord,
} from '../../src/index.ts'

const notes: CheckJudgement['notes'] = { flaky: [], oldFailures: [], leftOut: [], unaccepted: [], installed: [] }
const judged = (finding: CheckFinding, oldFailures: readonly string[] = []): CheckJudgement => ({
  ...finding,
  notes: { ...notes, oldFailures },
})
const one = (...names: string[]) => ({ count: names.length, names })
const edited = { name: 'left-pad', change: 'edited', byInstall: false } as const

/** What a check can show that rests on what lies beside the project. */
const resting = [
  judged({ word: 'rests_on', what: 'ignored', files: ['.env'], tests: ['adds'] }),
  judged({ word: 'unverified', why: { kind: 'packages_changed', packages: [edited] } }),
]
/** What a check can show besides, whatever was asked. */
const others = [
  judged({ word: 'held', why: { kind: 'no_check_speaks' } }),
  judged({ word: 'held', why: { kind: 'no_check_speaks' } }, ['adds']),
  judged({ word: 'unverified', why: { kind: 'red_before_and_now' } }),
  judged({ word: 'unverified', why: { kind: 'could_not_run', why: 'program_missing', alsoBefore: false } }),
  judged({ word: 'unverified', why: { kind: 'flaky' } }),
  judged({ word: 'failed', tests: ['adds'] }),
  judged({ word: 'rests_on', what: 'aside', files: ['test/a.js'], tests: ['adds'] }),
]

const quiet: EndFacts = {
  changed: false,
  unknownCalls: [],
  goodCalls: [],
  checks: 'derived',
  headless: true,
  asked: true,
  expectsChange: false,
  strict: false,
}
const coverage: Beside = { ignored: one('coverage/report') }
const outside: Beside = { notLooked: ['outside'] }

const besides: fc.Arbitrary<Beside> = fc
  .record({
    ignored: fc.constantFrom(undefined, one('.env')),
    packages: fc.constantFrom(undefined, one('left-pad')),
    session: fc.constantFrom(undefined, one('node_modules/.vite/results.json')),
    notLooked: fc.subarray(['ignored', 'packages', 'outside'] as const),
  })
  .map(({ ignored, packages, session, notLooked }) => ({
    ...(ignored && { ignored }),
    ...(packages && { packages }),
    ...(session && { session }),
    ...(notLooked.length > 0 && { notLooked }),
  }))

/** The end as it is recorded. */
function recorded(end: ReturnType<typeof endOfTurn>) {
  if (end.next !== 'end') throw new Error(`It is not over: ${end.next}`)
  const { how, changed, beside, unknown } = end
  const turnEnd: TurnEnd = {
    how,
    changed,
    ...(beside && { beside }),
    ...(unknown.length > 0 && { unknown: unknown.map((call) => ({ call, what: 'make' })) }),
  }
  return { ...end, turnEnd, record: end.judgement === undefined ? null : judgementRecord(end.judgement) }
}

describe('where something changed beside the project alone', () => {
  test('the checks are run, and the model is not asked before', () => {
    expect(endOfTurn({ ...quiet, beside: coverage, asked: false })).toEqual({ next: 'run_checks' })
    expect(endOfTurn({ ...quiet, beside: coverage, asked: false, judgements: [] })).toEqual({
      next: 'ask_how_it_ended',
    })
    expect(endOfTurn({ ...quiet, beside: outside })).toMatchObject({ next: 'end', how: 'answered', exitCode: 0 })
    expect(endOfTurn({ ...quiet, beside: coverage, checks: 'none' })).toMatchObject({ how: 'answered', exitCode: 0 })
    const blocked = { how: 'blocked', summary: 'No.' } as const
    expect(endOfTurn({ ...quiet, beside: coverage, statement: blocked })).toMatchObject({ how: 'blocked' })
  })

  test('a turn is answered unless a check rests on it, whatever else the checks show', () => {
    fc.assert(
      fc.property(
        fc.subarray([...resting, ...others]),
        besides.filter((it) => Object.keys(it).some((key) => key !== 'notLooked')),
        fc.boolean(),
        (judgements, beside, strict) => {
          const { how, exitCode, changed, turnEnd, record } = recorded(
            endOfTurn({ ...quiet, beside, judgements, strict }),
          )
          const rests = judgements.some((it) => resting.includes(it))
          expect({ how, exitCode, changed }).toEqual({
            how: rests ? 'judged' : 'answered',
            exitCode: rests ? 3 : 0,
            changed: true,
          })
          expect(exitCodeOfEnd(turnEnd, record, { strict, expectsChange: false })).toBe(exitCode)
          expect(exitCodeOfEnd(turnEnd, record, { strict, expectsChange: true })).toBe(3)
        },
      ),
    )
  })

  test('what was accepted objects no more', () => {
    const end: TurnEnd = { how: 'judged', changed: true, beside: coverage }
    const accepted = { word: 'accepted', by: 'the user', at: 'noon' }
    expect(exitCodeOfEnd(end, accepted, { strict: false, expectsChange: false })).toBe(0)
  })
})

test('a turn never says that nothing changed if something did, or if a place was not observed', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.option(besides, { nil: undefined }),
      fc.subarray([...resting, ...others]),
      (changed, seen, judgements) => {
        const beside = seen !== undefined && Object.keys(seen).length > 0 ? seen : undefined
        const { turnEnd, record } = recorded(endOfTurn({ ...quiet, changed, judgements, ...(beside && { beside }) }))
        const lines = endWords(turnEnd, record)
        const isAsItWas = !changed && beside === undefined
        expect(turnEnd.changed).toBe(!isAsItWas)
        expect(lines.includes('No file was changed.')).toBe(isAsItWas)
        expect(lines.some((text) => text.startsWith('No file of the project was changed; '))).toBe(
          !changed && beside !== undefined,
        )
      },
    ),
  )
})

test('the last line names the first of them', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const nothing = { ignored: [], packages: [], session: [], notLooked: [] }
  const lineOf = (changes: Partial<Parameters<typeof besideRecord>[0]>) => {
    const beside = besideRecord({ ...nothing, ...changes })
    return endWords({ how: 'answered', changed: true, ...(beside && { beside }) }, null).at(-1)
  }
  expect(besideRecord(nothing)).toBeUndefined()
  expect(lineOf({ ignored: names })).toBe(
    'No file of the project was changed; ignored files were: a, b, c, d, e, 2 more.',
  )
  expect(lineOf({ packages: ['left-pad'], notLooked: ['ignored'] })).toBe(
    'No file of the project was changed; installed packages were: left-pad; ignored files were not looked at.',
  )
  expect(lineOf({ session: ['node_modules/a.js'] })).toBe(
    'No file of the project was changed; installed packages were for this session only: node_modules/a.js.',
  )
})
