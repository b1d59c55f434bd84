import * as z from 'zod'
import type { Reading, ToldTest } from './report-lines.ts'

const Results = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: z.string().nullish(),
        severity: z.number(),
        message: z.string(),
      }),
    ),
  }),
)

/** Reads ESLint's own report: errors are red, parse errors included; warnings are ignored. */
export function readEslint(lines: readonly string[]): Reading {
  const results = resultsOf(lines.join('\n'))
  const tests = (results ?? []).flatMap(({ filePath, messages }) =>
    messages
      .filter((it) => it.severity === 2)
      .map(({ ruleId, message }): ToldTest => ({
        path: [ruleId ?? 'syntax', message],
        file: filePath,
        outcome: 'assertion',
      })),
  )
  return { tests, isWhole: results !== undefined, countsAgree: true }
}

function resultsOf(text: string): z.infer<typeof Results> | undefined {
  try {
    return Results.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
