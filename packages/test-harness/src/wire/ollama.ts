import type { ToolCall, Usage } from '@loader/session-core'
import * as z from 'zod'
import { type JsonFields, fieldsOf, listOf } from '../history-faults/check.ts'
import { type BodyFault, readBody } from './body-faults.ts'
import { estimateTokens } from './estimate.ts'
import { ollamaWords } from './ollama-words.ts'
import type { PartChunk } from './part-chunks.ts'
import type { Frames, Protocol, Read, Refusal, Said, WireAnswer } from './protocol.ts'
import { answerText, reasoningText } from './spoken.ts'
import type { WireMessage, WireRequest } from './wire-request.ts'

const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), parameters: z.unknown().optional() }),
})

const Body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({})).nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(Tool).nullish(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high', 'max'])]).nullish(),
  options: z.looseObject({ num_ctx: z.int().min(1).optional(), num_predict: z.int().optional() }).nullish(),
  keep_alive: z.union([z.string(), z.number()]).nullish(),
})
type Body = z.infer<typeof Body>

export const ollama: Protocol = {
  ...ollamaWords,
  dialect: 'ollama',
  streamType: 'application/x-ndjson',
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  refuseHeaders: () => [],
  // Ollama ignores unknown fields.
  unknownFields: () => [],
  read,
  whole,
  frames,
  errorFrame: (said) => line(ollamaWords.errorBody(said, 0)),
  brokenFrame: (text) => `${text}\n`,
}

function read(body: unknown): Read {
  const result = readBody(Body, body)
  if ('faults' in result) return { type: 'refused', refusals: result.faults.map(refusalOf) }
  const messages = (result.read.messages ?? []).map(fieldsOf)
  if (messages.length === 0) return { type: 'aside', body: loaded(result.read) }
  return { type: 'request', request: requestOf(result.read, messages), messages }
}

function refusalOf(fault: BodyFault): Refusal {
  const said = ollamaWords.sayBody(fault)
  return { violation: { rule: 'schema', message: said.message }, said }
}

/** A request without messages loads or unloads the model. */
function loaded({ model, keep_alive: keepAlive }: Body): object {
  return { ...head(model, { content: '' }), done: true, done_reason: keepAlive === 0 ? 'unload' : 'load' }
}

function requestOf(body: Body, messages: readonly JsonFields[]): WireRequest {
  const { num_ctx: window, num_predict: most = -1 } = body.options ?? {}
  const isInstruction = ({ role }: JsonFields) => role === 'system'
  return {
    protocol: 'ollama',
    model: body.model,
    answer: body.stream === false ? 'whole' : 'stream',
    system: messages
      .filter(isInstruction)
      .map(({ content }) => String(content))
      .join('\n'),
    messages: messages.filter((message) => !isInstruction(message)).map(messageOf),
    tools: (body.tools ?? []).map(({ function: { name, parameters } }) => ({
      name,
      schema: parameters ?? { type: 'object', properties: {} },
    })),
    tokens: estimateTokens(body.messages, body.tools),
    ...(most > 0 && { maxOutputTokens: most }),
    ...(window !== undefined && { window }),
    thinking: body.think === undefined || body.think === null ? 'unsaid' : body.think === false ? 'off' : 'on',
    usage: 'told',
  }
}

function messageOf({ role, content, tool_calls: calls, tool_call_id: callId }: JsonFields): WireMessage {
  const text = typeof content === 'string' ? content : ''
  if (role === 'tool')
    return {
      role,
      text: '',
      calls: [],
      results: [{ ...(typeof callId === 'string' && { callId }), text }],
    }
  return {
    role: role === 'assistant' ? role : 'user',
    text,
    calls: listOf(calls).map(({ id, function: called }) => {
      const { name, arguments: input } = fieldsOf(called)
      return { ...(typeof id === 'string' && { id }), name: String(name), input }
    }),
    results: [],
  }
}

function whole({ request, parts, done }: WireAnswer): { status: number; body: object } {
  const calls = done.content.flatMap((part) => (part.type === 'call' ? [part.call] : []))
  const broken = calls.find(isBroken)
  if (broken) return { status: 500, body: ollamaWords.errorBody(brokenCall(broken), 0) }
  const thinking = reasoningText(parts)
  const message = {
    content: answerText(parts),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
  }
  return { status: 200, body: { ...head(request.model, message), ...end(done.finishReason, done.usage) } }
}

/** Calls are sent whole, with their last chunk; a call with invalid JSON is an error of the server. */
function frames({ request, parts, chunks, done }: WireAnswer): Frames {
  const calls = done.content.map((part) => (part.type === 'call' ? part.call : undefined))
  const indexes = parts.map((_part, at) => calls.slice(0, at).filter(Boolean).length)
  const frame = ({ index, part, delta, place }: PartChunk): string => {
    const message = (fields: object) => line({ ...head(request.model, fields), done: false })
    if (part.type === 'reasoning') return message({ content: '', thinking: delta })
    const call = calls[index]
    if (call === undefined) return message({ content: delta })
    if (!place.isLast) return ''
    if (isBroken(call)) return line(ollamaWords.errorBody(brokenCall(call), 0))
    return message({ content: '', tool_calls: [callOf(call, indexes[index] ?? 0)] })
  }
  const broken = chunks.findIndex(({ index, place }) => {
    const call = calls[index]
    return call !== undefined && place.isLast && isBroken(call)
  })
  const texts = chunks.map(frame)
  if (broken >= 0) return { opening: '', chunks: texts.slice(0, broken + 1), closing: '' }
  const last = { ...head(request.model, { content: '' }), ...end(done.finishReason, done.usage) }
  return { opening: '', chunks: texts, closing: line(last) }
}

function callOf({ id, name, input }: ToolCall, index: number): object {
  return { id, function: { index, name, arguments: input } }
}

/** Whether the arguments are not an object, which Ollama cannot send. */
function isBroken({ input, malformed }: ToolCall): boolean {
  return malformed !== undefined || typeof input !== 'object' || input === null || Array.isArray(input)
}

function brokenCall({ input, malformed = JSON.stringify(input) }: ToolCall): Said {
  return { status: 500, message: `error parsing tool call: raw='${malformed}', err=invalid character in arguments` }
}

function head(model: string, message: object) {
  // A fixed time: an answer depends only on the script and the request.
  return { model, created_at: '2026-01-01T00:00:00.000000000Z', message: { role: 'assistant', ...message } }
}

function end(reason: string, usage: Usage | undefined) {
  const isPlain = reason === 'stop' || reason === 'tool-calls'
  return {
    done: true,
    done_reason: isPlain ? 'stop' : reason,
    total_duration: 2_000_000,
    load_duration: 500_000,
    ...(usage?.inputTokens !== undefined && { prompt_eval_count: usage.inputTokens, prompt_eval_duration: 500_000 }),
    ...(usage?.outputTokens !== undefined && { eval_count: usage.outputTokens, eval_duration: 1_000_000 }),
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
