import { isFailure, type Shown, type TestOutcome, type TestResult, testsShown, type TestsShown } from './shown.ts'

/**
 * The worlds in which a check is run. B is the tree before the work, N the tree now.
 * - `now`: N, with ignored files as they were with B, without what the session itself installed. It is the check's run.
 * - `as_is`: N, with ignored files and installed packages as they are now.
 * - `before`: B.
 * - `canary`: N and a test of ours that must fail, run alone.
 * - `strict`: N with what lies aside as in B, new tests left out.
 * - `unsuppressed`: N without the suppressions that the turn added to product files.
 * - `reversed`: B with what lies aside as in N.
 * - `emptied`: N, where every changed or new function returns nothing.
 */
export type Room = 'now' | 'as_is' | 'before' | 'canary' | 'strict' | 'unsuppressed' | 'reversed' | 'emptied'

export interface Experiment {
  readonly room: Room
  /** Of `strict`: paths aside that are nevertheless as they are now. Sorted; absent means none. */
  readonly asNow?: readonly string[]
  /** The room was tried before; these decide, and are tried once more. `''` is the check as a whole. */
  readonly again?: readonly string[]
}

/**
 * Why a room showed nothing. `program_missing`: a program from outside of the workspace; one that has to lie in the
 * workspace and does not is a red check. `impossible`: there is no such room for this runner, language or machine.
 */
export type NotShown = 'program_missing' | 'limit' | 'reach' | 'cut_off' | 'impossible' | 'not_tried'

export type RoomOutcome =
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'not_shown'; readonly why: NotShown }

/** An experiment and what came of it. */
export interface Tried {
  readonly experiment: Experiment
  readonly outcome: RoomOutcome
}

export function sameExperiment(one: Experiment, other: Experiment): boolean {
  return one.room === other.room && sameList(one.asNow, other.asNow) && sameList(one.again, other.again)
}

function sameList(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}

/** The tests of one run, asked by their keys. */
export class Look {
  readonly tests: TestsShown
  readonly #seen: ReadonlyMap<string, TestResult>

  /** `seen` has every test of any run: it tells in which file a test lies that is missing here. */
  constructor(shown: Shown, seen: ReadonlyMap<string, TestResult>) {
    this.tests = testsShown(shown)
    this.#seen = seen
  }

  /** A test that is not named although its file could not be loaded was not loaded. */
  of(test: string): TestOutcome | 'missing' {
    const result = this.tests.results.get(test)
    if (result !== undefined) return result.outcome
    const file = this.#seen.get(test)?.file
    return file !== undefined && this.tests.unloadedFiles.has(file) ? 'unloaded' : 'missing'
  }

  fails(test: string): boolean {
    return isFailure(this.of(test))
  }

  /** Keys of the tests with such an outcome, the check as a whole among them. */
  with(isWanted: (outcome: TestOutcome | 'missing') => boolean): readonly string[] {
    return [...this.tests.results.keys()].filter((test) => isWanted(this.of(test)))
  }

  failures(): readonly string[] {
    return this.with(isFailure)
  }
}

export function testsSeen(tried: readonly Tried[]): ReadonlyMap<string, TestResult> {
  return new Map(
    tried.flatMap(({ outcome }) => (outcome.kind === 'shown' ? [...testsShown(outcome.shown).results] : [])),
  )
}
