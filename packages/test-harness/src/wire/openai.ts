import type { Usage } from '@loader/session-core'
import * as z from 'zod'
import { type JsonFields, fieldsOf, listOf } from '../history-faults/check.ts'
import { argumentsText } from '../script/answer.ts'
import { type BodyFault, readBody } from './body-faults.ts'
import { estimateTokens } from './estimate.ts'
import { openaiWords } from './openai-words.ts'
import type { PartChunk } from './part-chunks.ts'
import type { Frames, Protocol, Read, Refusal, WireAnswer } from './protocol.ts'
import { answerText, reasoningText } from './spoken.ts'
import { openaiUnknownFields } from './unknown-fields.ts'
import type { WireMessage, WireRequest } from './wire-request.ts'

const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.unknown().optional(),
  }),
})

const Body = z
  .looseObject({
    model: z.string(),
    messages: z.array(z.looseObject({})),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z.array(Tool).min(1).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
  })
  .superRefine(({ stream, stream_options: options, tools, tool_choice: choice }, context) => {
    if (options && stream !== true)
      context.addIssue({
        code: 'custom',
        path: ['stream_options'],
        message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      })
    if (choice && !tools)
      context.addIssue({
        code: 'custom',
        path: ['tool_choice'],
        message: "'tool_choice' is only allowed when 'tools' are specified.",
      })
  })
type Body = z.infer<typeof Body>

/** The fields of any message; all else is checked by the history rules. */
const Message = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).nullish(),
})

export const openai: Protocol = {
  ...openaiWords,
  dialect: 'openai',
  streamType: 'text/event-stream; charset=utf-8',
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  refuseHeaders: () => [],
  unknownFields: openaiUnknownFields,
  read,
  whole,
  frames,
  errorFrame: (said) => event(openaiWords.errorBody(said, 0)),
  brokenFrame: (text) => `data: ${text}\n\n`,
}

function read(body: unknown): Read {
  const result = readBody(Body, body)
  if ('faults' in result) return { type: 'refused', refusals: result.faults.map(refusalOf) }
  const contents = readBody(z.object({ messages: z.array(Message) }), result.read)
  const messages = result.read.messages.map(fieldsOf)
  if ('faults' in contents) return { type: 'refused', refusals: contents.faults.map(refusalOf) }
  return { type: 'request', request: requestOf(result.read, messages), messages }
}

function refusalOf(fault: BodyFault): Refusal {
  const said = openaiWords.sayBody(fault)
  return { violation: { rule: 'schema', message: said.message }, said }
}

function requestOf(body: Body, messages: readonly JsonFields[]): WireRequest {
  const isInstruction = ({ role }: JsonFields) => role === 'system' || role === 'developer'
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined
  return {
    protocol: 'openai',
    model: body.model,
    answer: body.stream === true ? 'stream' : 'whole',
    system: messages.filter(isInstruction).map(textOf).join('\n'),
    messages: messages.filter((message) => !isInstruction(message)).map(messageOf),
    tools: (body.tools ?? []).map(({ function: { name, parameters } }) => ({
      name,
      schema: parameters ?? { type: 'object', properties: {} },
    })),
    tokens: estimateTokens(body.messages, body.tools),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    thinking: 'unsaid',
    usage: body.stream === true && body.stream_options?.include_usage !== true ? 'untold' : 'told',
  }
}

function messageOf(message: JsonFields): WireMessage {
  const text = textOf(message)
  if (message['role'] === 'tool')
    return { role: 'tool', text: '', calls: [], results: [{ callId: String(message['tool_call_id']), text }] }
  const calls = listOf(message['tool_calls']).map((call) => {
    const { name, arguments: input } = fieldsOf(call['function'])
    return { id: String(call['id']), name: String(name), input }
  })
  return { role: message['role'] === 'assistant' ? 'assistant' : 'user', text, calls, results: [] }
}

function textOf({ content }: JsonFields): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('')
}

function whole({ number, request, parts, done }: WireAnswer): { status: number; body: object } {
  const [text, reasoning] = [answerText(parts), reasoningText(parts)]
  const calls = done.content.flatMap((part, at) => {
    const scripted = parts[at]
    if (part.type !== 'call' || scripted?.type !== 'call') return []
    const { id, name } = part.call
    return [{ id, type: 'function', function: { name, arguments: argumentsText(scripted.call) } }]
  })
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(done.finishReason) }
  return {
    status: 200,
    body: {
      ...head('chat.completion', number, request),
      choices: [choice],
      ...(done.usage && { usage: usageOf(done.usage) }),
    },
  }
}

function frames({ number, request, parts, chunks, done }: WireAnswer): Frames {
  const usage = request.usage === 'told' ? { usage: null } : {}
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      ...head('chat.completion.chunk', number, request),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usage,
    })
  const told = event({
    ...head('chat.completion.chunk', number, request),
    choices: [],
    usage: done.usage && usageOf(done.usage),
  })
  const callIndexes = parts.map((_part, at) => parts.slice(0, at).filter(({ type }) => type === 'call').length)
  return {
    opening: chunk({ role: 'assistant', content: '', refusal: null }),
    chunks: chunks.map((one) =>
      deltasOf(one, callIndexes[one.index] ?? 0)
        .map((delta) => chunk(delta))
        .join(''),
    ),
    closing:
      chunk({}, finishReason(done.finishReason)) +
      (request.usage === 'told' && done.usage ? told : '') +
      'data: [DONE]\n\n',
  }
}

/** The first chunk of a call is its name; the arguments follow. */
function deltasOf({ part, delta, place }: PartChunk, index: number): object[] {
  if (part.type === 'reasoning') return [{ reasoning_content: delta }]
  if (part.type !== 'call') return [{ content: delta }]
  const { id, name } = part.call
  const begin = { index, id, type: 'function', function: { name, arguments: '' } }
  return [
    ...(place.isFirst ? [{ tool_calls: [begin] }] : []),
    ...(delta === '' ? [] : [{ tool_calls: [{ index, function: { arguments: delta } }] }]),
  ]
}

/** A fixed time: an answer depends only on the script and the request. */
const created = 1_767_225_600

function head(object: string, number: number, { model }: WireRequest) {
  return { id: `chatcmpl-${number}`, object, created, model, system_fingerprint: null }
}

function finishReason(reason: string): string {
  if (reason === 'tool-calls') return 'tool_calls'
  return reason === 'content-filter' ? 'content_filter' : reason
}

function usageOf({ inputTokens = 0, outputTokens = 0, reasoningTokens, cacheReadTokens }: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { prompt_tokens_details: { cached_tokens: cacheReadTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
