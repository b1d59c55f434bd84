import {
  fromModelMessages,
  JsonObject,
  type ModelRequest,
  type ThinkingLevel,
  type ToolDescription,
} from '@loader/session-core'
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, SharedV4Warning } from '@ai-sdk/provider'

/** A prompt has no times, and no reader of these messages needs them. */
const noTime = '1970-01-01T00:00:00.000Z'

export interface RequestFromCall {
  readonly request: ModelRequest
  /** Options that cannot be passed on. */
  readonly warnings: SharedV4Warning[]
}

export function requestFromCall(options: LanguageModelV4CallOptions, requestId: string): RequestFromCall {
  const { prompt, temperature, maxOutputTokens } = options
  const thinking = levels[options.reasoning ?? 'provider-default']
  const { system, rest } = withoutInstructions(prompt)
  let ids = 0
  const newId = (prefix: string) => `${requestId}_${prefix}_${(ids += 1)}`
  const { messages } = fromModelMessages(rest, 'ai-sdk', { newId, at: noTime })
  return {
    request: {
      requestId,
      purpose: 'answer',
      system,
      messages,
      tools: options.toolChoice?.type === 'none' ? [] : toolsOf(options),
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(thinking !== undefined && { thinking }),
    },
    warnings: warningsOf(options),
  }
}

/** The nearest of our levels. */
const levels: Readonly<Record<NonNullable<LanguageModelV4CallOptions['reasoning']>, ThinkingLevel | undefined>> = {
  'provider-default': undefined,
  none: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** Instructions at the beginning become the system prompt; later ones stay messages. */
function withoutInstructions(prompt: LanguageModelV4Prompt): { system: string; rest: LanguageModelV4Prompt } {
  const first = prompt.findIndex(({ role }) => role !== 'system')
  const place = first < 0 ? prompt.length : first
  const instructions = prompt.slice(0, place).flatMap((message) => (message.role === 'system' ? [message.content] : []))
  return { system: instructions.join('\n\n'), rest: prompt.slice(place) }
}

function toolsOf({ tools = [] }: LanguageModelV4CallOptions): ToolDescription[] {
  return tools.flatMap((tool) =>
    tool.type === 'function'
      ? [{ name: tool.name, description: tool.description ?? '', inputSchema: JsonObject.parse(tool.inputSchema) }]
      : [],
  )
}

const passedOver = ['topP', 'topK', 'presencePenalty', 'frequencyPenalty', 'seed', 'stopSequences'] as const

function warningsOf(options: LanguageModelV4CallOptions): SharedV4Warning[] {
  const { tools = [], toolChoice, responseFormat } = options
  const unsupported = [
    ...passedOver.filter((name) => options[name] !== undefined),
    ...(responseFormat?.type === 'json' ? ['responseFormat'] : []),
    ...(toolChoice?.type === 'required' || toolChoice?.type === 'tool' ? ['toolChoice'] : []),
    ...tools.flatMap((tool) => (tool.type === 'provider' ? [`tool ${tool.id}`] : [])),
  ]
  return unsupported.map((feature) => ({ type: 'unsupported', feature }))
}
