import { JsonObject, type SessionState, type ToolDescription } from '@loader/session-core'
import { invalidPort, type Tool } from '@loader/session-core/coding'
import { askUserToolName, isPlanHeld } from '@loader/workflow'
import * as z from 'zod'
import { offeredTools } from './offered-tools.ts'

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
  const { $schema: _, ...inputSchema } = tool.inputSchema ?? asJsonSchema(tool)
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
export function toolsOf(state: SessionState, all: readonly Tool[]): readonly Tool[] {
  const tools = offeredTools(state, all)
  const lane = state.turn?.lane ?? 'main'
  switch (lane) {
    case 'chat':
    case 'compact':
      return []
    case 'explore':
      return tools.filter(({ effect }) => effect === 'probe')
    case 'main':
      return isPlanHeld(state) ? tools.filter(({ effect }) => effect !== 'write') : tools
    default:
      return lane satisfies never
  }
}

/** The tools that a call of the last answer may use: models also call tools that they were not offered. */
export function callableTools(state: SessionState, tools: readonly Tool[]): readonly Tool[] {
  if (state.turn?.request?.purpose === 'clarify') return tools.filter(({ name }) => name === askUserToolName)
  // In the lane `explore`, and before a plan is approved, the policy refuses what changes something, and says why.
  if (state.turn?.lane === 'explore' || isPlanHeld(state)) return tools
  // A tool that has not been found yet can be called by a model that knows its name.
  return state.turn?.lane === 'main' ? tools : toolsOf(state, tools)
}
