import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CheckFinding,
  type CheckJudgement,
  type EndFacts,
  endOfTurn,
  exitCodeOf,
  judgementWords,
  judgeTurn,
} from '../../src/index.ts'
import { verdictFor } from '../../src/judging/exit-code.ts'

const noNotes: CheckJudgement['notes'] = { flaky: [], oldFailures: [], leftOut: [], unaccepted: [], installed: [] }
const judged = (finding: CheckFinding, notes: Partial<CheckJudgement['notes']> = {}): CheckJudgement => ({
  ...finding,
  notes: { ...noNotes, ...notes },
})
const verified = judged({ word: 'verified', grade: 'fixed', tests: ['adds'] })
const held = judged({ word: 'held', why: { kind: 'no_check_speaks' } })
const failed = judged({ word: 'failed', tests: ['adds'] })
const present = judged({ word: 'present' })
const restsOn = judged({ word: 'rests_on', what: 'aside', files: ['test/a.js'], tests: ['adds'] })
const couldNotRun = (alsoBefore: boolean) =>
  judged({ word: 'unverified', why: { kind: 'could_not_run', why: 'program_missing', alsoBefore } })

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
const answered = { how: 'answered', summary: 'It is so.' } as const
const done = { how: 'done', summary: 'It is done.' } as const
const blocked = { how: 'blocked', summary: 'It cannot be done.', left: 'all of it' } as const

interface Row {
  readonly what: string
  readonly facts: Partial<EndFacts>
  readonly is: string
}

const rows: readonly Row[] = [
  { what: 'a question', facts: { statement: answered }, is: 'answered 0' },
  { what: 'a question at a terminal, without a statement', facts: { headless: false, asked: false }, is: 'answered 0' },
  { what: 'nothing said and nothing changed, headless', facts: { asked: false }, is: 'ask_how_it_ended' },
  { what: 'the same after the model was asked and said nothing', facts: {}, is: 'answered 0' },
  { what: 'something changed', facts: { changed: true, asked: false }, is: 'run_checks' },
  {
    what: 'something changed, and no check is known',
    facts: { changed: true, checks: 'none' },
    is: 'judged unchecked 0',
  },
  {
    what: 'something changed, no check is known, and --strict',
    facts: { changed: true, checks: 'none', strict: true },
    is: 'judged unchecked 3',
  },
  { what: 'done is said', facts: { statement: done }, is: 'run_checks' },
  { what: 'a check of the user, and a question', facts: { checks: 'given', statement: answered }, is: 'run_checks' },
  { what: 'done over nothing, with green checks', facts: { statement: done, judgements: [held] }, is: 'answered 0' },
  { what: 'the same with --strict', facts: { statement: done, judgements: [held], strict: true }, is: 'answered 0' },
  {
    what: 'done over nothing, where an old test is red',
    facts: { statement: done, judgements: [judged(held, { oldFailures: ['adds'] })] },
    is: 'judged held 3',
  },
  { what: 'done over a red check', facts: { statement: done, judgements: [failed] }, is: 'judged failed 3' },
  {
    what: 'done with a verified change',
    facts: { changed: true, statement: done, judgements: [verified] },
    is: 'judged verified 0',
  },
  { what: 'a held change', facts: { changed: true, judgements: [held] }, is: 'judged held 0' },
  {
    what: 'a held change with --strict',
    facts: { changed: true, judgements: [held], strict: true },
    is: 'judged held 3',
  },
  { what: 'a change that rests on tests', facts: { changed: true, judgements: [restsOn] }, is: 'judged rests_on 3' },
  {
    what: 'a verified change while others are unaccepted',
    facts: { changed: true, judgements: [judged(verified, { unaccepted: ['test/a.js'] })] },
    is: 'judged verified 3',
  },
  { what: 'a change was expected', facts: { statement: answered, expectsChange: true }, is: 'answered 3' },
  { what: 'blocked', facts: { statement: blocked }, is: 'blocked 3' },
  { what: 'blocked with a change', facts: { changed: true, statement: blocked }, is: 'run_checks' },
  {
    what: 'blocked with a verified change',
    facts: { changed: true, statement: blocked, judgements: [verified] },
    is: 'blocked verified 3',
  },
  {
    what: 'an unknown call',
    facts: { statement: done, checks: 'none', unknownCalls: [{ call: 'c1', seq: 5 }] },
    is: 'judged unknown 3',
  },
  {
    what: 'an unknown call beside a verified change',
    facts: { changed: true, judgements: [verified], unknownCalls: [{ call: 'c1', seq: 5 }] },
    is: 'judged unknown 3',
  },
  {
    what: 'an unknown call beside a red check',
    facts: { changed: true, judgements: [failed], unknownCalls: [{ call: 'c1', seq: 5 }] },
    is: 'judged failed 3',
  },
  {
    what: 'an unknown call that a later one has shown',
    facts: {
      statement: { ...answered, found: [{ call: 'c1', shownBy: 'c2', what: 'the file is there' }] },
      unknownCalls: [{ call: 'c1', seq: 5 }],
      goodCalls: [{ call: 'c2', seq: 9 }],
    },
    is: 'answered 0',
  },
  {
    what: 'an unknown call that an earlier one is said to have shown',
    facts: {
      statement: { ...answered, found: [{ call: 'c1', shownBy: 'c0', what: 'the file is there' }] },
      unknownCalls: [{ call: 'c1', seq: 5 }],
      goodCalls: [{ call: 'c0', seq: 2 }],
    },
    is: 'judged unknown 3',
  },
  {
    what: 'an unknown call that a call without success is said to have shown',
    facts: {
      statement: { ...answered, found: [{ call: 'c1', shownBy: 'c2', what: 'the file is there' }] },
      unknownCalls: [{ call: 'c1', seq: 5 }],
    },
    is: 'judged unknown 3',
  },
  { what: 'a limit was reached', facts: { changed: true, stoppedWith: 7 }, is: 'judged unchecked 7' },
  { what: 'a permission that nobody could give', facts: { stoppedWith: 4, asked: false }, is: 'answered 4' },
  {
    what: 'a limit, after which the checks were red',
    facts: { changed: true, stoppedWith: 7, judgements: [failed] },
    is: 'judged failed 7',
  },
]

describe('a turn ends with', () => {
  test.each(rows)('$what: $is', ({ facts, is }) => {
    const end = endOfTurn({ ...quiet, ...facts })
    const told = end.next === 'end' ? [end.how, end.judgement?.word, end.exitCode] : [end.next]
    expect(told.filter((it) => it !== undefined).join(' ')).toBe(is)
  })

  test('what the model found out about a call, with the call that showed it', () => {
    const found = [{ call: 'c1', shownBy: 'c2', what: 'the file is there' }]
    const end = endOfTurn({
      ...quiet,
      statement: { ...answered, found: [...found, { call: 'c9', shownBy: 'c2', what: 'no such call' }] },
      unknownCalls: [{ call: 'c1', seq: 5 }],
      goodCalls: [{ call: 'c2', seq: 9 }],
    })
    expect(end).toMatchObject({ found, unknown: [] })
  })

  test('one answer for all facts: it asks once, then checks, then ends', () => {
    const facts: fc.Arbitrary<EndFacts> = fc.record(
      {
        changed: fc.boolean(),
        unknownCalls: fc.constantFrom([], [{ call: 'c1', seq: 5 }]),
        goodCalls: fc.constantFrom([], [{ call: 'c2', seq: 9 }]),
        checks: fc.constantFrom('none', 'derived', 'given'),
        judgements: fc.subarray([verified, held, failed, present, restsOn]),
        statement: fc.constantFrom(answered, done, blocked),
        headless: fc.boolean(),
        asked: fc.boolean(),
        expectsChange: fc.boolean(),
        strict: fc.boolean(),
        stoppedWith: fc.constantFrom(4, 7),
      },
      {
        requiredKeys: [
          'changed',
          'unknownCalls',
          'goodCalls',
          'checks',
          'headless',
          'asked',
          'expectsChange',
          'strict',
        ],
      },
    )
    fc.assert(
      fc.property(facts, (given) => {
        const steps: string[] = []
        let now = given
        for (let end = endOfTurn(now); ; end = endOfTurn(now)) {
          steps.push(end.next)
          if (end.next === 'ask_how_it_ended') now = { ...now, asked: true }
          if (end.next === 'run_checks') now = { ...now, judgements: [held] }
          if (end.next !== 'end') continue
          if (given.stoppedWith !== undefined) expect(end.exitCode).toBe(given.stoppedWith)
          else if (end.unknown.length > 0 || given.statement?.how === 'blocked') expect(end.exitCode).toBe(3)
          if (!given.changed) expect([undefined, 'unchecked']).not.toContain(end.judgement?.word ?? 'none')
          break
        }
        expect(new Set(steps).size).toBe(steps.length)
      }),
    )
  })
})

describe('a turn with several checks', () => {
  const wordOf = (checks: readonly CheckJudgement[]) => judgeTurn({ changed: true, unknownCalls: [], checks })?.word

  test('has the worst judgement that objects', () => {
    expect(wordOf([verified, restsOn, failed, held])).toBe('failed')
    expect(wordOf([verified, restsOn, couldNotRun(false)])).toBe('unverified')
    expect(wordOf([verified, restsOn])).toBe('rests_on')
  })

  test('has the best judgement if none objects', () => {
    expect(wordOf([held, verified, present])).toBe('verified')
    expect(wordOf([held, present])).toBe('present')
  })

  test('passes over a derived check that could not run before either, but for the only one', () => {
    expect(wordOf([couldNotRun(true), verified])).toBe('verified')
    expect(wordOf([couldNotRun(true)])).toBe('unverified')
    expect(wordOf([couldNotRun(false), verified])).toBe('unverified')
  })

  test('passes over a check that is as red as before, by names, where another one is verified', () => {
    const stillRed = judged({ word: 'unverified', why: { kind: 'still_red', tests: ['a.js › eqeqeq'] } })
    expect(wordOf([stillRed, verified])).toBe('verified')
    expect(wordOf([stillRed, held])).toBe('unverified')
    expect(wordOf([stillRed, verified, restsOn])).toBe('rests_on')
    const unnamed = judged({ word: 'unverified', why: { kind: 'red_before_and_now' } })
    expect(wordOf([unnamed, verified])).toBe('unverified')
  })

  test('is unchecked where something changed and no check is known, and nothing where nothing did', () => {
    expect(wordOf([])).toBe('unchecked')
    expect(judgeTurn({ changed: false, unknownCalls: [], checks: [] })).toBeUndefined()
  })

  test('keeps what is worth knowing about all of them', () => {
    const checks = [judged(verified, { flaky: ['b'] }), judged(held, { flaky: ['a', 'b'], oldFailures: ['c'] })]
    expect(judgeTurn({ changed: true, unknownCalls: [], checks })?.notes).toMatchObject({
      flaky: ['a', 'b'],
      oldFailures: ['c'],
    })
  })
})

describe('the words of older versions and the exit code', () => {
  const table = [
    ['verified', 'verified', 0, 0],
    ['accepted', 'waived', 0, 0],
    ['held', 'unverified', 0, 3],
    ['present', 'present', 0, 3],
    ['unchecked', 'unverified', 0, 3],
    ['rests_on', 'unverified', 3, 3],
    ['unverified', 'unverified', 3, 3],
    ['unknown', 'unverified', 3, 3],
    ['stale', 'stale', 3, 3],
    ['failed', 'failed', 3, 3],
  ] as const
  const about = { tree: 'a', environment: 'e' }
  const findings = {
    verified,
    held,
    present,
    failed,
    rests_on: restsOn,
    unverified: couldNotRun(false),
    accepted: judged({ word: 'accepted', by: 'user', at: 'noon', what: { files: ['a'], packages: [], tests: [] } }),
    stale: judged({ word: 'stale', about }),
    unchecked: { word: 'unchecked', notes: noNotes },
    unknown: { word: 'unknown', calls: ['c1'], notes: noNotes },
  } as const

  test.each(table)('of %s are %s, %i, and with --strict %i', (word, verdict, exit, strict) => {
    const judgement = findings[word]
    expect(verdictFor(word)).toBe(verdict)
    expect(exitCodeOf(judgement, { strict: false })).toBe(exit)
    expect(exitCodeOf(judgement, { strict: true })).toBe(strict)
    const { said, next } = judgementWords(judgement)
    expect(said).toMatch(/^[A-Z].*\.$/)
    expect(next !== undefined).toBe(exit === 3)
  })

  test('never say done or verified of what is only held', () => {
    expect(judgementWords(held).said).toBe(
      'Finished. Nothing that was green broke; no check speaks for the change itself.',
    )
    for (const kind of ['no_check_speaks', 'rooms_left_out', 'tests_in_product'] as const) {
      expect(judgementWords(judged({ word: 'held', why: { kind } })).said).not.toMatch(/\bdone\b|verified/i)
    }
  })
})
