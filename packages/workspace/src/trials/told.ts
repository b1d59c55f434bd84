import * as z from 'zod'
import { runnerNames, type RunnerReport } from '../runners/runner.ts'

/** The part of a report that later rooms need: how its runner works, and which files had tests that ran. */
const ToldReport = z.object({
  runner: z.enum(runnerNames),
  folder: z.string(),
  arguments: z.array(z.string()),
  testFiles: z.array(z.string()),
  greenFiles: z.array(z.string()),
  settings: z.array(z.string()),
  patterns: z.array(z.string()),
})

export function toldBy(reports: readonly RunnerReport[]): string {
  return JSON.stringify(
    reports.map(({ results, doubts: _doubts, exitCode: _exitCode, ...report }) => ({
      ...report,
      greenFiles: [...new Set(results.flatMap(({ file, outcome }) => (file && outcome !== 'load' ? [file] : [])))],
    })),
  )
}

/** The stored reports, with one result for each file. */
export function reportsOf(told: string): readonly RunnerReport[] {
  const reports = told === '' ? [] : z.array(ToldReport).parse(JSON.parse(told))
  return reports.map(({ greenFiles, ...report }) => ({
    ...report,
    results: greenFiles.map((file) => ({ name: file, file, outcome: 'green' })),
    exitCode: undefined,
    doubts: [],
  }))
}
