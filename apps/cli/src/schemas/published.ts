import * as z from 'zod'
import { jsonSchemas } from './all.ts'
import { AnswerOutput } from './answer.ts'
import { ConfigGetOutput, ConfigOutput } from './config.ts'
import { McpListOutput, McpTestOutput } from './mcp.ts'
import { FleetOutput } from './fleet.ts'
import { ModelsOutput } from './models.ts'
import { PermissionsExplainOutput, PermissionsListOutput } from './permissions.ts'
import { ReplayOutput } from './replay.ts'
import { EventsLine, ResultLine, StreamJsonLine } from './runs.ts'

/** The output of runs by format, and the --json output of commands that are not about sessions. */
export const otherSchemas = {
  answer: AnswerOutput,
  config: ConfigOutput,
  'config-get': ConfigGetOutput,
  'config-list': ConfigOutput,
  'mcp-list': McpListOutput,
  'mcp-test': McpTestOutput,
  fleet: FleetOutput,
  models: ModelsOutput,
  'permissions-explain': PermissionsExplainOutput,
  'permissions-list': PermissionsListOutput,
  replay: ReplayOutput,
  run: ResultLine,
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
