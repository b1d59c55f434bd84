import { JsonValue } from '@loader/session-core'
import * as z from 'zod'

export const ConfigOutput = z
  .object({
    settings: z.array(
      z.object({
        name: z.string().describe('with dots: limits.maxIterations, providers.groq'),
        value: JsonValue.check(z.describe('null when nothing is set and nothing is usual; passwords are replaced')),
        source: z.string().describe('the file, variable or flag that it comes from; or default'),
        summary: z.string().describe('what it is'),
        others: z
          .array(z.object({ value: JsonValue, source: z.string(), ignored: z.string().nullable() }))
          .describe('what weaker layers say, and why a value does not hold'),
      }),
    ),
    files: z.array(z.object({ file: z.string(), isThere: z.boolean(), holds: z.string() })),
    project: z.object({ root: z.string(), trusted: z.boolean() }),
  })
  .describe('loader config --json')
export type ConfigOutput = z.infer<typeof ConfigOutput>

export const ConfigGetOutput = z
  .object({
    name: z.string().describe('as it was asked for, with dots'),
    value: JsonValue.check(z.describe('null when nothing is set and nothing is usual')),
    source: z.string().describe('the file, variable or flag that it comes from; or default'),
  })
  .describe('loader config get --json')
