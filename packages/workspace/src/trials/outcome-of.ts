import type { NotShown, RoomOutcome, Shown, TestOutcome, TestResult } from '@loader/session-core/coding'
import type { CommandEnding } from '../processes/run-command.ts'
import type { RunnerReport } from '../runners/runner.ts'

/** The exit codes of a shell for "program not found" and "cannot be started". */
const noProgram: ReadonlySet<number> = new Set([126, 127])

/** The result of a run, or why it showed none. */
export function roomOutcome(ending: CommandEnding, reports: readonly RunnerReport[]): RoomOutcome {
  const why = notShown(ending, reports)
  return why === undefined ? { kind: 'shown', shown: shownBy(ending, reports) } : { kind: 'not_shown', why }
}

function notShown(ending: CommandEnding, reports: readonly RunnerReport[]): NotShown | undefined {
  switch (ending.how) {
    case 'cancelled':
      return 'cut_off'
    case 'timed_out':
      return 'limit'
    case 'not_started':
      return 'program_missing'
    case 'exited':
      return noProgram.has(ending.exitCode) && reports.length === 0 ? 'program_missing' : undefined
    case 'killed':
      return undefined
    default:
      return ending satisfies never
  }
}

/**
 * A report that ends early, or contains foreign lines, may miss or add tests: then the check as a whole is red,
 * whatever its exit code is.
 */
function shownBy(ending: CommandEnding, reports: readonly RunnerReport[]): Shown {
  const isWhole = reports.every(({ doubts }) => doubts.every((doubt) => doubt === 'exit_code'))
  const exit = ending.how === 'exited' && ending.exitCode === 0 && isWhole ? 'green' : 'red'
  return reports.length === 0 ? { exit } : { exit, tests: testsOf(reports) }
}

const outcomes = { green: 'green', assertion: 'red', load: 'unloaded', skipped: 'skipped' } as const
const worstFirst: readonly TestOutcome[] = ['unloaded', 'errored', 'red', 'skipped', 'green']

/** Every test once. Of two reports with the same test the worse result is used: reports can be added, not removed. */
function testsOf(reports: readonly RunnerReport[]): TestResult[] {
  const found = new Map<string, TestResult>()
  for (const { results } of reports) {
    for (const { name, file, outcome } of results) {
      const result: TestResult = { name, ...(file !== undefined && { file }), outcome: outcomes[outcome] }
      const known = found.get(name)
      if (known === undefined || worstFirst.indexOf(result.outcome) < worstFirst.indexOf(known.outcome)) {
        found.set(name, result)
      }
    }
  }
  return [...found.values()]
}
