import * as z from 'zod'
import { jsonSchemas } from './all.ts'
import { ConfigOutput } from './config.ts'
import { ModelsOutput } from './models.ts'
import { PermissionsExplainOutput, PermissionsListOutput } from './permissions.ts'
import { ReplayOutput } from './replay.ts'
import { EventsLine, ResultLine, StreamJsonLine } from './runs.ts'

/** The output of runs by format, and the --json output of commands that are not about sessions. */
export const otherSchemas = {
  config: ConfigOutput,
  models: ModelsOutput,
  'permissions-explain': PermissionsExplainOutput,
  'permissions-list': PermissionsListOutput,
  replay: ReplayOutput,
  'run-events': EventsLine,
  'run-json': ResultLine,
  'run-stream-json': StreamJsonLine,
} as const

/** Every machine-readable output of the command, as JSON Schema. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  const others = Object.entries(otherSchemas).map(([name, schema]) => [
    name,
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  ])
  return { ...jsonSchemas(), ...Object.fromEntries(others) }
}
