import type { MemoryStore, SessionStore } from '@loader/session-core'
import { inProcessStage } from './crash-matrix/in-process-stage.ts'
import type { Boundary } from './crash-matrix/life.ts'
import type { CrashPorts } from './crash-matrix/ports.ts'
import { processStage } from './crash-matrix/process-stage.ts'
import { type End, messageOf, type CrashStage } from './crash-matrix/stage.ts'

/** Runs in this process: a killed program never gets an answer again. */
export interface InProcessMatrix<World, Result> extends MatrixOptions<World, Result> {
  readonly mode: 'in-process'
  /** Runs the whole scenario, and returns what `check` compares. */
  scenario(ports: CrashPorts<World>): Promise<Result>
  /** Continues from the world that the crash left behind, and returns the same. */
  resume(ports: CrashPorts<World>): Promise<Result>
  /** The store in a world. Default: the world itself if it is a store, otherwise a MemoryStore. */
  readonly storeOf?: (world: World) => SessionStore
}

/** Runs in child processes that are killed by SIGKILL. The world, and the results, must be JSON. */
export interface ProcessMatrix<World, Result> extends MatrixOptions<World, Result> {
  readonly mode: 'process'
  /** The file URL of a module that exports `scenario`, `resume` and, if `ports.store` is used, `storeOf(world)`. */
  readonly module: string
  /** More arguments for Node, such as a loader for the module. */
  readonly execArgv?: readonly string[]
}

/** What every crash matrix needs: a fresh world for each run, and a check of what the resumed run came to. */
export interface MatrixOptions<World, Result> {
  /**
   * Makes the world of one run, which is disposed of if it can be. Default: a MemoryStore in this process, and a
   * temporary workspace for child processes.
   */
  readonly prepare?: () => World | Promise<World>
  /** Throws, or returns the problems, when a resumed run did not reach the result of an uninterrupted one. */
  check(resumed: Result, uninterrupted: Result): CheckAnswer | Promise<CheckAnswer>
  /** Only these boundaries, by number: to examine a single failure. */
  readonly only?: readonly number[]
  /** The time limit for one life of the program; default: a minute. */
  readonly timeoutMilliseconds?: number
}

/** The result of `check`: undefined when all is well, or the problems. */
export type CheckAnswer = void | string | readonly string[]

/** The result of killing a program at each of its boundaries. */
export interface CrashMatrix {
  /** Every point at which the scenario can die. */
  readonly boundaries: readonly Boundary[]
  /** How many times it was killed and resumed. */
  readonly runs: number
  readonly failures: readonly CrashFailure[]
  readonly byKind: Readonly<
    Record<string, { readonly boundaries: number; readonly runs: number; readonly failures: number }>
  >
}

/** A boundary after which the resumed run did not come to the expected result. */
export interface CrashFailure {
  /** The number to pass to `only`. */
  readonly boundary: number
  readonly kind: string
  readonly label: string
  readonly message: string
}

/** Runs a scenario once, then kills it at each of its boundaries, resumes it, and compares. */
export async function crashMatrix<Result, World = MemoryStore>(
  options: InProcessMatrix<World, Result> | ProcessMatrix<World, Result>,
): Promise<CrashMatrix> {
  const { boundaries, result } = await uninterrupted(options)
  const chosen = chosenOf(boundaries, options.only)
  const failures: CrashFailure[] = []
  for (const boundary of chosen) {
    const problems = await killedAt(boundary, boundaries, result, options)
    if (problems.length > 0) {
      const { number, kind, label } = boundary
      failures.push({ boundary: number, kind, label, message: problems.join('\n') })
    }
  }
  return { boundaries, runs: chosen.length, failures, byKind: byKind(boundaries, chosen, failures) }
}

type Options<World, Result> = InProcessMatrix<World, Result> | ProcessMatrix<World, Result>

const defaultTimeout = 60_000

async function uninterrupted<World, Result>(options: Options<World, Result>) {
  return onStage(options, async (stage) => {
    const run = await stage.scenario(null)
    if (run.end !== 'finished') throw new Error(`The scenario fails without any crash: ${ending(run)}`)
    const problems = await problemsOf(options, run.result, run.result)
    if (problems.length === 0) return run
    throw new Error(`The check refuses even a run without a crash: ${problems.join('; ')}`)
  })
}

/** Kills one run at a boundary, resumes it, and returns the problems with its result. */
async function killedAt<World, Result>(
  boundary: Boundary,
  expected: readonly Boundary[],
  result: Result,
  options: Options<World, Result>,
): Promise<readonly string[]> {
  return onStage(options, async (stage) => {
    const run = await stage.scenario(boundary.number)
    requireSame(expected, run.boundaries, boundary)
    if (run.end !== 'killed') throw new Error(`${nameOf(boundary)} was not the end: ${ending(run)}`)
    const resumed = await stage.resume()
    if (resumed.end !== 'finished') return [`The resume did not succeed: ${ending(resumed)}`]
    return problemsOf(options, resumed.result, result)
  })
}

async function onStage<World, Result, Answer>(
  options: Options<World, Result>,
  work: (stage: CrashStage<Result>) => Promise<Answer>,
): Promise<Answer> {
  const milliseconds = options.timeoutMilliseconds ?? defaultTimeout
  const stage = await (options.mode === 'process'
    ? processStage<World, Result>({ ...options, milliseconds })
    : inProcessStage<World, Result>({ ...options, milliseconds }))
  try {
    return await work(stage)
  } finally {
    await stage.dispose()
  }
}

async function problemsOf<World, Result>(
  options: Options<World, Result>,
  resumed: Result,
  uninterruptedResult: Result,
): Promise<readonly string[]> {
  try {
    const answer = await options.check(resumed, uninterruptedResult)
    if (typeof answer === 'string') return [answer]
    // A value returned by an assertion is not a problem.
    return Array.isArray(answer) ? answer : []
  } catch (error) {
    return [messageOf(error)]
  }
}

function chosenOf(boundaries: readonly Boundary[], only: readonly number[] | undefined): readonly Boundary[] {
  if (boundaries.length === 0) throw new Error('The scenario has no boundary: it uses nothing of its ports.')
  return only?.map((number) => boundaries[number - 1] ?? missing(number, boundaries)) ?? boundaries
}

function missing(number: number, boundaries: readonly Boundary[]): never {
  throw new Error(`There is no boundary ${number}: the scenario has those from 1 to ${boundaries.length}.`)
}

/** Fails unless the boundaries up to the death are the same as in the uninterrupted run. */
function requireSame(expected: readonly Boundary[], actual: readonly Boundary[], death: Boundary): void {
  for (const [index, one] of expected.slice(0, death.number).entries()) {
    const other = actual[index]
    if (other && other.kind === one.kind && other.label === one.label) continue
    throw new Error(
      `The scenario is not the same in every run: ${nameOf(one)} in the first, ${other ? nameOf(other) : 'nothing'} ` +
        `in the one that was to be killed at boundary ${death.number}. Take time, ids and order from the ports alone.`,
    )
  }
}

function nameOf({ number, kind, label }: Boundary): string {
  return `boundary ${number} (${kind}, ${label})`
}

function ending(run: End<unknown>): string {
  switch (run.end) {
    case 'finished':
      return 'the program went on to its end'
    case 'failed':
      return run.message
    case 'killed':
      return 'it was killed'
    default:
      return run satisfies never
  }
}

function byKind(
  boundaries: readonly Boundary[],
  chosen: readonly Boundary[],
  failures: readonly CrashFailure[],
): CrashMatrix['byKind'] {
  const count = (all: readonly { readonly kind: string }[], kind: string) =>
    all.filter((one) => one.kind === kind).length
  const kinds = new Set(boundaries.map(({ kind }) => kind))
  return Object.fromEntries(
    [...kinds].map((kind) => [
      kind,
      { boundaries: count(boundaries, kind), runs: count(chosen, kind), failures: count(failures, kind) },
    ]),
  )
}
