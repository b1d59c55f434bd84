import { type Experiment, RunTests, type NotShown, type RoomOutcome, testsSeen } from './experiment.ts'
import type { CheckFinding, CheckJudgement, Held, Notes } from './judgement.ts'
import { narrowed } from './narrowed.ts'
import { isFailure, type Shown, type TestOutcome, wholeCheck } from './shown.ts'
import type { Trial } from './trial.ts'

/** A generator that yields experiments, receives their outcomes, and returns the judgement. */
export type Rules<Result = CheckJudgement> = Generator<Experiment, Result, RoomOutcome>

/**
 * The rules, in their order; the first that applies decides.
 *
 * Invariants:
 * 1. *Failed* depends on `now`, `as_is` and `before` alone: a failure in a room where only part of the change is
 *    applied is never a failure of the change.
 * 2. A room without a result never makes a judgement better than *held*.
 * 3. A test with different results in two runs of one room is ignored.
 */
export function* judgingRules(trial: Trial): Rules {
  const court = new Court(trial)
  const finding = yield* decide(court)
  return { ...finding, notes: court.notes() }
}

function* decide(court: Court): Rules<CheckFinding> {
  const { trial } = court
  const now = yield* court.look({ room: 'now' })
  if (!(now instanceof RunTests)) return yield* couldNotRun(court, now)

  const red = yield* judgeRed(court, now)
  if (red !== undefined) return red

  if (yield* isFooled(court)) return { word: 'unverified', why: { kind: 'canary_passed' } }

  const doubted = trial.packages.filter((it) => !it.byInstall && !trial.accepted.packages.includes(it.name))
  if (doubted.length > 0) return { word: 'unverified', why: { kind: 'packages_changed', packages: doubted } }

  const strict = yield* judgeStrict(court, now)
  if (!(strict instanceof RunTests)) return strict

  const silenced = yield* judgeSuppressions(court, now)
  if (silenced !== undefined) return silenced

  const undone = now.undone.filter((path) => trial.changed.product.includes(path))
  if (undone.length > 0) return { word: 'rests_on', what: 'undone', files: undone, tests: [] }

  const before = yield* lookBefore(court, now)
  const gone = before === undefined ? [] : yield* testsGone(court, before, strict)
  if (gone.length > 0) return { word: 'unverified', why: { kind: 'tests_gone', tests: gone } }

  // A run that newly changes files of the project may have changed what it is judged by.
  const began = [now, strict].flatMap(({ rewritten }) => rewritten.filter((it) => !before?.rewritten.includes(it)))
  const spoken = yield* speaking(court, now, before, strict)
  const isOfItself = began.length > 0 && spoken.word === 'verified'
  const finding: CheckFinding = isOfItself ? { word: 'held', why: { kind: 'files_rewritten' } } : spoken
  const isStillRed = court.oldFailures.length > 0 && trial.changed.product.length > 0 && finding.word === 'held'
  return isStillRed ? { word: 'unverified', why: { kind: 'still_red', tests: court.oldFailures } } : finding
}

/** Rule 1. It needs no second run. */
function* couldNotRun(court: Court, why: NotShown): Rules<CheckFinding> {
  const { source, isInBefore } = court.trial.check
  const before = source === 'derived' && isInBefore ? yield* court.look({ room: 'before' }) : undefined
  const alsoBefore = before !== undefined && before === why
  return { word: 'unverified', why: { kind: 'could_not_run', why, alsoBefore } }
}

/** Rule 2. Undefined when no test fails now, or only tests that failed before. */
function* judgeRed(court: Court, now: RunTests): Rules<CheckFinding | undefined> {
  const { trial } = court
  const red = yield* court.twice({ room: 'now' }, now, now.failures())
  if (red.length === 0) {
    return now.tests.by === 'exit' && court.isFlaky(wholeCheck)
      ? { word: 'unverified', why: { kind: 'flaky' } }
      : undefined
  }
  const asIs = trial.changed.ignored.length > 0 ? yield* court.look({ room: 'as_is' }) : undefined
  if (asIs !== undefined && !(asIs instanceof RunTests)) court.cap()
  const explained = asIs instanceof RunTests ? red.filter((test) => !asIs.fails(test)) : []
  const rest = red.filter((test) => !explained.includes(test))
  const restsOn = {
    word: 'rests_on',
    what: 'ignored',
    files: trial.changed.ignored,
    tests: explained,
  } as const
  if (rest.length === 0) return restsOn
  if (trial.check.source === 'user') return { word: 'failed', tests: rest }

  const before = yield* lookBefore(court, now)
  const broken = before === undefined ? rest : rest.filter((test) => !before.fails(test))
  if (before === undefined || broken.length > 0) return { word: 'failed', tests: broken }
  if (explained.length > 0) return restsOn
  const old = court.changesNothing ? rest : yield* court.twice({ room: 'before' }, before, rest)
  if (now.tests.by === 'exit') return { word: 'unverified', why: { kind: 'red_before_and_now' } }
  court.oldFailures = old
  return undefined
}

/** Rule 3, the canary: a fake runner passes a test that must fail. A canary that was not loaded proves neither. */
function* isFooled(court: Court): Rules<boolean> {
  if (court.changesNothing) return false
  const canary = yield* court.look({ room: 'canary' })
  if (!(canary instanceof RunTests)) {
    if (canary !== 'impossible') court.cap()
    return false
  }
  const tests = canary.with(() => true).filter((test) => test !== wholeCheck)
  const judged = canary.tests.by === 'exit' ? [wholeCheck] : tests
  const outcomes = (judged.length === 0 ? [wholeCheck] : judged).map((test) => canary.of(test))
  if (outcomes.includes('unloaded') || judged.length === 0) court.cap()
  return !outcomes.every(isFailure)
}

/** Rules 5 and 6. The run with checks as they were before, or the objection. */
function* judgeStrict(court: Court, now: RunTests): Rules<RunTests | CheckFinding> {
  const { trial } = court
  const { aside } = trial.changed
  if (court.isNew || aside.length === 0) return now
  const strict = yield* court.look({ room: 'strict' })
  if (!(strict instanceof RunTests)) return { word: 'unverified', why: { kind: 'strict_not_shown', why: strict } }
  const broken = yield* brokenIn(court, { room: 'strict' }, strict, now)
  if (broken.length === 0) return strict

  const unaccepted = aside.filter((path) => trial.unaccepted.includes(path))
  const fresh = aside.filter((path) => !unaccepted.includes(path))
  if (unaccepted.length > 0) {
    court.unaccepted = unaccepted
    court.resting = broken
    const experiment = { room: 'strict', asNow: unaccepted } as const
    const since = fresh.length === 0 ? now : yield* court.look(experiment)
    if (since === now) return now
    if (since instanceof RunTests && (yield* brokenIn(court, experiment, since, now)).length === 0) return since
  }
  const files = yield* narrowed(unaccepted, fresh, function* (asNow): Rules<boolean> {
    const mix = yield* court.look({ room: 'strict', asNow })
    return mix instanceof RunTests && !broken.some((test) => mix.fails(test))
  })
  return { word: 'rests_on', what: 'aside', files: [...unaccepted, ...files].toSorted(), tests: broken }
}

/** The files in which the turn added suppressions of a check to the product. */
function* judgeSuppressions(court: Court, now: RunTests): Rules<CheckFinding | undefined> {
  const { suppressed } = court.trial.changed
  if (suppressed.length === 0) return undefined
  const look = yield* court.look({ room: 'unsuppressed' })
  if (!(look instanceof RunTests)) {
    court.cap()
    return undefined
  }
  const tests = yield* brokenIn(court, { room: 'unsuppressed' }, look, now)
  return tests.length === 0 ? undefined : { word: 'rests_on', what: 'suppressed', files: suppressed, tests }
}

/** Rule 7, first half: every test that passed before must still exist, with checks as they were before. */
function* testsGone(court: Court, before: RunTests, strict: RunTests): Rules<readonly string[]> {
  const gone = before
    .with((outcome) => outcome === 'green')
    .filter((test) => strict.of(test) === 'missing' || strict.of(test) === 'skipped')
    .filter((test) => !court.trial.accepted.tests.includes(test))
  return court.changesNothing ? [] : yield* court.twice({ room: 'before' }, before, gone)
}

/** Rules 7 and 8: the evidence for the change. */
function* speaking(court: Court, now: RunTests, before: RunTests | undefined, strict: RunTests): Rules<CheckFinding> {
  const fixed = before === undefined ? [] : yield* testsFixed(court, before, strict)
  const isVerified = fixed.some((test) => court.counts(test))
  const covered = isVerified ? [] : yield* testsCovering(court, now, before)
  const grade = isVerified ? 'fixed' : 'covered'
  const tests = [...fixed, ...covered].filter((test) => court.counts(test))
  if (tests.length === 0 || court.isCapped) {
    return { word: 'held', why: heldWhy(fixed.length + covered.length, tests.length) }
  }
  const { shows, source } = court.trial.check
  return shows === 'presence' && source === 'derived' ? { word: 'present' } : { word: 'verified', grade, tests }
}

function heldWhy(speak: number, count: number): Held {
  if (speak === 0) return { kind: 'no_check_speaks' }
  return count === 0 ? { kind: 'tests_in_product' } : { kind: 'rooms_left_out' }
}

function* testsFixed(court: Court, before: RunTests, strict: RunTests): Rules<readonly string[]> {
  if (court.changesNothing) return []
  const hasGreen = strict.tests.by === 'exit' || strict.with((it) => it === 'green').some((test) => test !== wholeCheck)
  const green = strict.with((outcome) => outcome === 'green').filter((test) => test !== wholeCheck || hasGreen)
  const fixed = green.filter((test) => before.fails(test))
  const spoken = yield* withoutPresent(court, fixed)
  const still = yield* court.twice({ room: 'before' }, before, spoken)
  return yield* court.twice(court.strictExperiment, strict, still)
}

/**
 * A check that runs a new file was red because that file was missing. What is green with empty files in place of such
 * files only shows that they are there.
 */
function* withoutPresent(court: Court, fixed: readonly string[]): Rules<readonly string[]> {
  const { product, running = [] } = court.trial.changed
  if (running.length === 0 || fixed.length === 0) return fixed
  const look = yield* court.look({ room: 'emptied', ...asNow(product.filter((it) => !running.includes(it))) })
  if (look instanceof RunTests) return fixed.filter((test) => look.fails(test))
  court.cap()
  return fixed
}

function asNow(paths: readonly string[]): Pick<Experiment, 'asNow'> {
  return paths.length === 0 ? {} : { asNow: paths }
}

/**
 * Rule 8. A test that cannot load or crashes without the change is evidence only if it did not pass before. Otherwise a
 * helper file that newly imports the change would turn every old test into evidence.
 */
function* testsCovering(court: Court, now: RunTests, before: RunTests | undefined): Rules<readonly string[]> {
  const { aside, product, running = [] } = court.trial.changed
  // New files that the check runs are checks as well, where it tells no more than its exit code.
  const isByExit = now.tests.by === 'exit'
  const checks = isByExit ? running : []
  if (aside.length + checks.length === 0 || product.length === checks.length) return []
  const reversing = { room: 'reversed', ...asNow(checks) } as const
  const reversed = yield* court.look(reversing)
  if (!(reversed instanceof RunTests)) return []
  const green = now.with((outcome) => outcome === 'green').filter((test) => test !== wholeCheck || checks.length > 0)
  const failsAsWhole = before !== undefined && reversed.failures().length > 0
  const without = green.filter((test) => fallsWithout(reversed.of(test), before?.of(test), failsAsWhole))
  if (without.length === 0) return []
  const emptying = { room: 'emptied', ...asNow(checks) } as const
  const emptied = yield* court.look(emptying)
  if (!(emptied instanceof RunTests)) {
    if (emptied !== 'impossible') court.cap()
    // An exit code does not tell an assertion from a crash.
    const red = isByExit ? [] : without.filter((test) => reversed.of(test) === 'red')
    return yield* court.twice(reversing, reversed, red)
  }
  const red = without.filter((test) => emptied.of(test) === 'red')
  const twice = yield* court.twice(emptying, emptied, red)
  const both = yield* court.twice(reversing, reversed, twice)
  return yield* court.twice({ room: 'now' }, now, both)
}

/** A new test in an old check that is missing from a failed run did not load, for example because a build failed. */
function fallsWithout(
  reversed: TestOutcome | 'missing',
  before: TestOutcome | 'missing' = 'missing',
  failsAsWhole: boolean,
): boolean {
  if (reversed === 'missing') return failsAsWhole && before === 'missing'
  return reversed === 'red' || ((reversed === 'errored' || reversed === 'unloaded') && before !== 'green')
}

/** The run in the before tree (B), if the check can run there. If the tree is the same, the earlier run is reused. */
function* lookBefore(court: Court, now: RunTests): Rules<RunTests | undefined> {
  if (court.isNew) return undefined
  if (court.changesNothing) return now
  return yield* court.before()
}

/** Tests that fail in a room but not now. */
function* brokenIn(court: Court, experiment: Experiment, look: RunTests, now: RunTests): Rules<readonly string[]> {
  const broken = look.failures().filter((test) => !now.fails(test) && !court.isFlaky(test))
  const still = yield* court.twice(experiment, look, broken)
  return yield* court.twice({ room: 'now' }, now, still)
}

/** The findings so far of one judgement. */
class Court {
  readonly trial: Trial
  oldFailures: readonly string[] = []
  /** Tests that pass only with unaccepted changes: they are no evidence. */
  resting: readonly string[] = []
  unaccepted: readonly string[] = []
  #isCapped = false
  #before: { readonly look: RunTests | NotShown } | undefined
  readonly #flaky = new Set<string>()
  readonly #repeated = new Map<RunTests, Set<string>>()
  readonly #leftOut: Notes['leftOut'][number][] = []
  #seen: ReturnType<typeof testsSeen>

  constructor(trial: Trial) {
    this.trial = trial
    this.#seen = testsSeen(trial.tried)
  }

  get changesNothing(): boolean {
    return this.trial.changed.product.length + this.trial.changed.aside.length === 0
  }

  /** Rule 5: a check that the user gave always counts as part of the before tree. */
  get isNew(): boolean {
    return this.trial.check.source === 'derived' && !this.trial.check.isInBefore
  }

  get isCapped(): boolean {
    return this.#isCapped
  }

  get strictExperiment(): Experiment {
    const { aside } = this.trial.changed
    if (this.isNew || aside.length === 0 || this.unaccepted.length === aside.length) return { room: 'now' }
    return this.unaccepted.length === 0 ? { room: 'strict' } : { room: 'strict', asNow: this.unaccepted }
  }

  /** From now on the judgement is at most *held*. */
  cap(): void {
    this.#isCapped = true
  }

  isFlaky(test: string): boolean {
    return this.#flaky.has(test)
  }

  /**
   * Whether a test may be evidence for the change. A test in a changed product file may itself be part of the change.
   */
  counts(test: string): boolean {
    if (this.resting.includes(test)) return false
    const { mixed } = this.trial.changed
    if (mixed.length === 0) return true
    const file = this.#seen.get(test)?.file
    return file !== undefined && !mixed.includes(file)
  }

  /** Returns the same run each time, so that its tests are not repeated a third time. */
  *before(): Rules<RunTests | undefined> {
    this.#before ??= { look: yield* this.look({ room: 'before' }) }
    if (this.#before.look instanceof RunTests) return this.#before.look
    this.cap()
    return undefined
  }

  *look(experiment: Experiment): Rules<RunTests | NotShown> {
    const outcome = yield experiment
    const shown = this.#shownBy(experiment, outcome)
    if (typeof shown !== 'string') return new RunTests(shown, this.#seen)
    this.#leave(experiment, shown)
    return shown
  }

  /** The subset of these tests for which a second run of the same room agrees. */
  *twice(experiment: Experiment, first: RunTests, tests: readonly string[]): Rules<readonly string[]> {
    const repeated = this.#repeated.get(first) ?? new Set()
    this.#repeated.set(first, repeated)
    const again = tests.filter((test) => !this.#flaky.has(test) && !repeated.has(test)).toSorted()
    if (again.length > 0) yield* this.#repeat({ ...experiment, again }, first, again)
    for (const test of again) repeated.add(test)
    return tests.filter((test) => !this.#flaky.has(test))
  }

  *#repeat(experiment: Experiment, first: RunTests, tests: readonly string[]): Rules<void> {
    const outcome = yield experiment
    const shown = this.#shownBy(experiment, outcome)
    if (typeof shown === 'string') {
      this.#leave(experiment, shown)
      this.cap()
      return
    }
    const second = new RunTests(shown, this.#seen)
    const differs = (test: string) =>
      first.fails(test) !== second.fails(test) || isGone(first.of(test)) !== isGone(second.of(test))
    for (const test of tests) if (differs(test)) this.#flaky.add(test)
  }

  /** If the program exists only because of the change, a room without the change counts as a failing check. */
  #shownBy({ room }: Experiment, outcome: RoomOutcome): Shown | NotShown {
    if (outcome.kind === 'shown') return outcome.shown
    const isRed = room === 'strict' || (room === 'before' && this.trial.check.source === 'user')
    return isRed && outcome.why === 'program_missing' ? { exit: 'red' } : outcome.why
  }

  notes(): Notes {
    return {
      flaky: [...this.#flaky].toSorted(),
      oldFailures: this.oldFailures,
      leftOut: this.#leftOut,
      unaccepted: this.unaccepted,
      installed: this.trial.packages.filter(({ byInstall }) => byInstall),
    }
  }

  #leave({ room, again }: Experiment, why: NotShown): void {
    const one = { room, why, again: again !== undefined }
    const isKnown = this.#leftOut.some((it) => it.room === room && it.again === one.again)
    if (!isKnown) this.#leftOut.push(one)
  }
}

function isGone(outcome: TestOutcome | 'missing'): boolean {
  return outcome === 'missing' || outcome === 'skipped'
}
