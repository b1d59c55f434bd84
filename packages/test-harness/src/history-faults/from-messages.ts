import { callsOf, type Message, type Part, shownText, textOf } from '@loader/session-core'
import { type JsonFields, fieldsOf, listOf } from './check.ts'
import { geminiContents } from './gemini-contents.ts'
import { responsesItems } from './responses-items.ts'
import type { Dialect } from './rules.ts'

/** A message of a dialect, and the index of its source message. */
export interface Converted {
  readonly from: number
  readonly message: JsonFields
}

/** The messages of a window in the simplest form of a dialect; shortened texts stay shortened. */
export function inDialect(messages: readonly Message[], dialect: Dialect): Converted[] {
  switch (dialect) {
    case 'openai':
      return each(messages, openaiMessages)
    case 'anthropic':
      return withResultsTogether(each(withoutInstructions(messages), anthropicMessages))
    case 'responses':
      return each(messages, responsesItems)
    case 'gemini':
      return withTurnsTogether(each(withoutInstructions(messages), geminiContents))
    case 'ollama':
      return each(messages, ollamaMessages)
    default:
      return dialect satisfies never
  }
}

function each(
  messages: readonly (Message | undefined)[],
  convert: (message: Message) => readonly JsonFields[],
): Converted[] {
  return messages.flatMap((message, from) =>
    message === undefined ? [] : convert(message).map((converted) => ({ from, message: converted })),
  )
}

function openaiMessages({ role, content }: Message): JsonFields[] {
  if (role === 'tool') {
    return resultsOf(content).map(({ callId, text }) => ({ role, tool_call_id: callId, content: shownText(text) }))
  }
  const calls = callsOf(content).map(({ id, name, input, malformed }) => ({
    id,
    type: 'function',
    function: { name, arguments: malformed ?? JSON.stringify(input) },
  }))
  if (isThought(content)) return []
  return [{ role, content: saidOf(content), ...(calls.length > 0 && { tool_calls: calls }) }]
}

function ollamaMessages({ role, content }: Message): JsonFields[] {
  if (role === 'tool') {
    return resultsOf(content).map(({ name, text }) => ({ role, tool_name: name, content: shownText(text) }))
  }
  const calls = callsOf(content).map(({ name, input }) => ({ function: { name, arguments: input } }))
  return [{ role, content: textOf(content), ...(calls.length > 0 && { tool_calls: calls }) }]
}

function anthropicMessages({ role, content }: Message): JsonFields[] {
  if (isThought(content)) return []
  const blocks = content.flatMap(anthropicBlocks)
  return [{ role: role === 'tool' ? 'user' : role, content: blocks }]
}

function anthropicBlocks(part: Part): JsonFields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: shownText(part.text) }]
    case 'reasoning': {
      // Thinking without a signature is from another model and cannot be sent back.
      const { signature } = fieldsOf(part.providerMetadata?.['anthropic'])
      return signature === undefined ? [] : [{ type: 'thinking', thinking: shownText(part.text), signature }]
    }
    case 'call':
      return [{ type: 'tool_use', id: part.call.id, name: part.call.name, input: part.call.input }]
    case 'result':
      return [{ type: 'tool_result', tool_use_id: part.callId, content: shownText(part.text) }]
    case 'file':
      return [{ type: part.mediaType.startsWith('image/') ? 'image' : 'document', name: part.name }]
    default:
      return part satisfies never
  }
}

/** All results of an answer go into one message. */
function withResultsTogether(converted: readonly Converted[]): Converted[] {
  return joined(converted, 'content', (message) => (bringsResults(message) ? 'results' : undefined))
}

/** All results of an answer, and consecutive texts of the model, become one content. */
function withTurnsTogether(converted: readonly Converted[]): Converted[] {
  return joined(converted, 'parts', ({ role, parts }) => {
    if (role === 'model') return 'answer'
    return listOf(parts).some((part) => part['functionResponse'] !== undefined) ? 'results' : undefined
  })
}

/** Joins consecutive messages of one kind; undefined never joins. */
function joined(
  converted: readonly Converted[],
  key: 'content' | 'parts',
  kindOf: (message: JsonFields) => string | undefined,
): Converted[] {
  const together: Converted[] = []
  for (const next of converted) {
    const last = together.at(-1)
    const kind = kindOf(next.message)
    if (last === undefined || kind === undefined || kindOf(last.message) !== kind) {
      together.push(next)
      continue
    }
    const both = [...listOf(last.message[key]), ...listOf(next.message[key])]
    together.splice(-1, 1, { ...last, message: { ...last.message, [key]: both } })
  }
  return together
}

/** Instructions at the beginning go into a field of the request. */
function withoutInstructions(messages: readonly Message[]): (Message | undefined)[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  return messages.map((message, index) => (first >= 0 && index < first ? undefined : message))
}

function bringsResults({ role, content }: JsonFields): boolean {
  return role === 'user' && Array.isArray(content) && content.some((block) => fieldsOf(block)['type'] === 'tool_result')
}

function resultsOf(content: readonly Part[]) {
  return content.flatMap((part) => (part.type === 'result' ? [part] : []))
}

/** The text of an answer; null when it contains only calls. */
function saidOf(content: readonly Part[]): string | null {
  return content.some((part) => part.type === 'text' || part.type === 'file') ? textOf(content) : null
}

/** Whether an answer has only reasoning: most dialects have no message for it, and agents leave it out. */
function isThought(content: readonly Part[]): boolean {
  return content.length > 0 && content.every((part) => part.type === 'reasoning')
}
