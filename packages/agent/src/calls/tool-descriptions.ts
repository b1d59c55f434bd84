import { JsonObject, type SessionState, type ToolDescription } from '@loader/session-core'
import { invalidPort, type Tool } from '@loader/session-core/coding'
import { askUserToolName } from '@loader/workflow'
import * as z from 'zod'

/** Tools as models are told about them; cached by the list, which comes with every request. */
export function describeTools(tools: readonly Tool[]): readonly ToolDescription[] {
  const known = lists.get(tools)
  if (known !== undefined) return known
  const descriptions = tools.map(describe)
  lists.set(tools, descriptions)
  return descriptions
}

const lists = new WeakMap<readonly Tool[], readonly ToolDescription[]>()
const described = new WeakMap<Tool, ToolDescription>()

function describe(tool: Tool): ToolDescription {
  const known = described.get(tool)
  if (known !== undefined) return known
  const { $schema: _, ...inputSchema } = asJsonSchema(tool)
  const description: ToolDescription = { name: tool.name, description: tool.description, inputSchema }
  described.set(tool, description)
  return description
}

function asJsonSchema({ name, input }: Tool): JsonObject {
  try {
    return JsonObject.parse(z.toJSONSchema(input, { io: 'input' }))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw invalidPort(
      `Models cannot be told what the input of the tool ${name} is: ${error.message}. Use only what JSON can hold.`,
      error,
    )
  }
}

/** The tools that go with an answer in this turn. */
export function toolsOf(state: SessionState, tools: readonly Tool[]): readonly Tool[] {
  const lane = state.turn?.lane ?? 'main'
  switch (lane) {
    case 'chat':
    case 'compact':
      return []
    case 'explore':
      return tools.filter(({ effect }) => effect === 'probe')
    case 'main':
      return tools
    default:
      return lane satisfies never
  }
}

/** The tools that a call of the last answer may use: models also call tools that they were not offered. */
export function callableTools(state: SessionState, tools: readonly Tool[]): readonly Tool[] {
  if (state.turn?.request?.purpose === 'clarify') return tools.filter(({ name }) => name === askUserToolName)
  // In the lane `explore` the policy refuses tools that change something, and says why.
  return state.turn?.lane === 'explore' ? tools : toolsOf(state, tools)
}
