import type { Experiment, RoomOutcome, Shown } from '@loader/session-core/coding'
import { isFailure, type TestOutcome, type TestResult, testsShown, type TestsShown } from './shown.ts'

export type { Experiment, NotShown, Room, RoomOutcome } from '@loader/session-core/coding'

/** An experiment and its outcome. */
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

/** The tests of one run, looked up by key. */
export class RunTests {
  readonly tests: TestsShown
  /** Files of the tree that the run changed. */
  readonly rewritten: readonly string[]
  /** Those among them that it made what they were before the work. */
  readonly undone: readonly string[]
  readonly #seen: ReadonlyMap<string, TestResult>

  /** `seen` holds every test of any run, to tell in which file a test lies that is missing here. */
  constructor(shown: Shown, seen: ReadonlyMap<string, TestResult>) {
    this.tests = testsShown(shown)
    this.rewritten = shown.rewritten ?? []
    this.undone = shown.undone ?? []
    this.#seen = seen
  }

  /** A test that is not named although its file failed to load counts as not loaded. */
  of(test: string): TestOutcome | 'missing' {
    const result = this.tests.results.get(test)
    if (result !== undefined) return result.outcome
    const file = this.#seen.get(test)?.file
    return file !== undefined && this.tests.unloadedFiles.has(file) ? 'unloaded' : 'missing'
  }

  fails(test: string): boolean {
    return isFailure(this.of(test))
  }

  /** Keys of the tests with such an outcome, including `wholeCheck`. */
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
