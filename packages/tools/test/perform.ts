import { MemoryStore } from '@loader/session-core'
import type { Examination, Tool, ToolContext, ToolResult, ValidExamination } from '@loader/session-core/coding'

/** What a call gets from whoever runs it. The blobs are those of a session in memory. */
export async function toolContext(options: Partial<ToolContext> = {}): Promise<ToolContext> {
  const owner = { type: 'Agent', path: 'test' }
  const { writer } = await new MemoryStore().claim('ses_test', { owner, expect: 'new' })
  return { callId: 'call_1', blobs: writer.blobs, ...options }
}

/** Looks at a call, with arguments as a model would give them. */
export async function examine<Input>(tool: Tool<Input>, input: unknown, context?: ToolContext) {
  return tool.examine(tool.input.parse(input), context ?? (await toolContext()))
}

export async function examineValid<Input>(
  tool: Tool<Input>,
  input: unknown,
  context?: ToolContext,
): Promise<ValidExamination<Input>> {
  return requireValid(await examine(tool, input, context))
}

/** Why a call is not valid; throws when it is. */
export async function refusalOf<Input>(tool: Tool<Input>, input: unknown): Promise<string> {
  const examined = await examine(tool, input)
  if (examined.valid) throw new Error(`The call is valid: ${JSON.stringify(examined.paths)}`)
  return examined.message
}

/** Looks at a call and then runs it. */
export async function perform<Input>(tool: Tool<Input>, input: unknown, context?: ToolContext): Promise<ToolResult> {
  const given = context ?? (await toolContext())
  return tool.run(await examineValid(tool, input, given), given)
}

function requireValid<Input>(examined: Examination<Input>): ValidExamination<Input> {
  if (!examined.valid) throw new Error(`The call is not valid: ${examined.message}`)
  return examined
}
