import type { AnswerPart, BackendDone, ToolCall } from '@loader/session-core'
import { type Completion, piecesOf, type ScriptedCall, type ScriptedPart } from './script.ts'

/** The parts of a line in order, with its fault applied. */
export function partsOf(line: Completion): readonly ScriptedPart[] {
  if (line.fault?.type === 'empty_answer') return []
  const parts = line.content ?? shortParts(line)
  if (line.fault?.type !== 'malformed_call') return parts
  const { raw } = line.fault
  const last = parts.findLastIndex(({ type }) => type === 'call')
  return parts.map((part, at) =>
    part.type === 'call' && at === last ? { ...part, call: malform(part.call, raw) } : part,
  )
}

/** The end of the stream: the whole answer. */
export function doneOf(line: Completion, parts: readonly ScriptedPart[], model: string): BackendDone {
  const calls = parts.some(({ type }) => type === 'call')
  const end: BackendDone = {
    type: 'done',
    content: parts.map((part): AnswerPart => (part.type === 'call' ? { ...part, call: toolCall(part.call) } : part)),
    finishReason: line.finishReason ?? (calls ? 'tool-calls' : 'stop'),
    model,
    ...(line.usage && { usage: line.usage }),
  }
  // A copy, because a caller may change the answer, and the script must stay the same.
  return structuredClone(end)
}

/** The arguments of a call as the model writes them. */
export function argumentsText({ input = {}, raw }: ScriptedCall): string {
  return raw ?? JSON.stringify(input)
}

function shortParts(line: Completion): readonly ScriptedPart[] {
  const { reasoning, calls = [] } = line
  const text = line.text ?? piecesOf(line)?.join('')
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...calls.map((call) => ({ type: 'call', call }) as const),
  ]
}

function malform(call: ScriptedCall, raw: string | undefined): ScriptedCall {
  const text = argumentsText(call)
  return { ...call, raw: raw ?? text.slice(0, Math.ceil(text.length / 2)) }
}

function toolCall({ id = '', name, input = {}, raw }: ScriptedCall): ToolCall {
  if (raw === undefined) return { id, name, input }
  try {
    return { id, name, input: JSON.parse(raw) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { id, name, input: {}, malformed: raw }
  }
}
