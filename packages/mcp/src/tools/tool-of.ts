import type { JsonObject, JsonValue } from '@loader/session-core'
import type { Tool, ToolContext, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'
import { offeredSchema } from './input-schema.ts'
import { longestDescription, told } from './told-text.ts'

/** A tool as its server has described it. */
export interface ListedTool {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
  /** What the server says about its effects; no decision depends on it. */
  readonly hints: readonly string[]
  /** What a permission for it depends on. */
  readonly definition: string
  /** Whether the user says that it changes nothing. */
  readonly readOnly: boolean
}

/** Runs a call at its server, which must describe the tool as it was when the call was looked at. */
export type CallAtServer = (tool: ListedTool, input: JsonObject, context: ToolContext) => Promise<ToolResult>

const Arguments = z.record(z.string(), z.unknown())

/** The tool of a server as one of the agent's. Whether a call may run is decided elsewhere. */
export function toolOf(listed: ListedTool, name: string, run: CallAtServer, onlyFound: boolean): Tool {
  const { schema, why } = offeredSchema(listed.inputSchema)
  const description = told(listed.description, longestDescription)
  const effect = listed.readOnly ? 'probe' : 'unknown'
  return {
    name,
    title: `Call ${told(listed.name, 100)} of the MCP server ${listed.server}`,
    description: why === undefined ? description : `${description}\n(The arguments are not described here.)`.trim(),
    input: Arguments as z.ZodType<unknown>,
    inputSchema: schema,
    definition: listed.definition,
    // Patterns of other programs: `mcp__server` is all tools of it.
    rule: { names: [`mcp__${listed.server}__${listed.name}`, `mcp__${listed.server}`], takes: 'path' },
    effect,
    ...(onlyFound && { onlyFound: true as const }),
    examine: async (input) => ({
      valid: true,
      input,
      effect,
      paths: [],
      intent: [],
      preview: previewOf(input as JsonObject),
    }),
    run: async ({ input }, context) => run(listed, input as JsonObject, context),
  }
}

function previewOf(input: JsonObject): string {
  const entries = Object.entries(input)
  if (entries.length === 0) return '(without arguments)'
  return entries.map(([key, value]) => `${key}: ${shown(value)}`).join('\n')
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.includes('\n') ? `\n${text}` : text
}
