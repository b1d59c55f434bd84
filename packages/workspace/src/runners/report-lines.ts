import * as z from 'zod'
import { runnerNames } from './runner.ts'

const Start = z.object({
  runner: z.enum(runnerNames),
  cwd: z.string(),
  arguments: z.array(z.string()),
  patterns: z.array(z.string()).optional(),
})
const Test = z.object({
  path: z.array(z.string()),
  file: z.string().nullish(),
  outcome: z.enum(['green', 'assertion', 'load', 'skipped']),
})

/** The lines of a report, as the parts of the kit write them. `raw` is text that a part cannot parse itself. */
export const ReportLine = z.union([
  z.strictObject({ start: Start }),
  z.strictObject({ test: Test }),
  z.strictObject({ file: z.string() }),
  z.strictObject({ setting: z.string() }),
  z.strictObject({ pattern: z.string() }),
  z.strictObject({ counts: z.strictObject({ all: z.number().optional(), ran: z.number().optional() }) }),
  z.strictObject({ raw: z.string() }),
  z.strictObject({ complaint: z.string() }),
  z.strictObject({ exit: z.number().optional() }),
  z.strictObject({ end: z.object({}) }),
])

export type ReportLine = z.infer<typeof ReportLine>

/** One test as reported, before its name is made unique. */
export type ToldTest = z.infer<typeof Test>

/** The results read from the output of a runner. */
export interface Reading {
  readonly tests: readonly ToldTest[]
  readonly files?: readonly string[]
  readonly isWhole: boolean
  readonly countsAgree: boolean
}
