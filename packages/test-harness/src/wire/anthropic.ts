import type { Usage } from '@loader/session-core'
import * as z from 'zod'
import { type JsonFields, fieldsOf, listOf } from '../history-faults/check.ts'
import type { ScriptedPart } from '../script/script.ts'
import { anthropicWords, errorEvent } from './anthropic-words.ts'
import { type BodyFault, readBody } from './body-faults.ts'
import { estimateTokens } from './estimate.ts'
import type { Frames, Headers, Protocol, Read, Refusal, WireAnswer } from './protocol.ts'
import { bindingOf, signatureOf } from './signature.ts'
import { anthropicUnknownFields } from './unknown-fields.ts'
import type { WireMessage, WireRequest } from './wire-request.ts'

const Text = z.looseObject({ type: z.literal('text'), text: z.string() })
const Block = z.looseObject({ type: z.string() })

const Tool = z.looseObject({ name: z.string(), type: z.string().nullish(), input_schema: z.unknown().optional() })

const Thinking = z.looseObject({ type: z.string(), budget_tokens: z.int().min(1024).optional() })

const Body = z
  .looseObject({
    model: z.string().min(1),
    max_tokens: z.int().min(1),
    messages: z.array(z.looseObject({})),
    system: z.union([z.string(), z.array(Text)]).optional(),
    stream: z.boolean().nullish(),
    tools: z.array(Tool).optional(),
    tool_choice: z
      .looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']), name: z.string().optional() })
      .optional(),
    temperature: z.number().min(0).max(1).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    thinking: Thinking.optional(),
  })
  .superRefine(({ max_tokens: most, messages, thinking, tools = [], tool_choice: choice }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (thinking?.type === 'enabled' && thinking.budget_tokens === undefined)
      refuse('thinking', 'thinking.enabled.budget_tokens: Field required')
    if ((thinking?.budget_tokens ?? 0) >= most)
      refuse('max_tokens', '`max_tokens` must be greater than `thinking.budget_tokens`.')
    if (tools.length === 0 && messages.some(hasCallOrResult))
      refuse('tools', 'Requests which include `tool_use` or `tool_result` blocks must define tools.')
    if (choice && choice.type !== 'none' && tools.length === 0)
      refuse('tool_choice', 'tool_choice may only be specified while providing tools.')
    if (choice?.type === 'tool' && tools.length > 0 && !tools.some(({ name }) => name === choice.name))
      refuse('tool_choice', `Tool '${choice.name}' not found in provided tools`)
  })
type Body = z.infer<typeof Body>

function hasCallOrResult({ content }: JsonFields): boolean {
  return listOf(content).some(({ type }) => type === 'tool_use' || type === 'tool_result')
}

/** The fields of any message; all else is checked by the history rules. */
const Message = z.looseObject({ content: z.union([z.string(), z.array(Block)]).optional() })

export const anthropic: Protocol = {
  ...anthropicWords,
  dialect: 'anthropic',
  streamType: 'text/event-stream; charset=utf-8',
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  refuseHeaders,
  unknownFields: anthropicUnknownFields,
  read,
  whole,
  frames,
  errorFrame: (said) => event('error', errorEvent(said)),
  brokenFrame: (text) => `event: content_block_delta\ndata: ${text}\n\n`,
}

function refuseHeaders(headers: Headers): Refusal[] {
  const refuse = (rule: 'headers' | 'key', status: number, message: string): Refusal => ({
    violation: { rule, message },
    said: { status, message },
  })
  if (headers['x-api-key'] === undefined && headers['authorization'] === undefined)
    return [refuse('key', 401, 'x-api-key header is required')]
  if (headers['anthropic-version'] === undefined)
    return [refuse('headers', 400, 'anthropic-version: header is required')]
  return []
}

function read(body: unknown): Read {
  const result = readBody(Body, body)
  if ('faults' in result) return { type: 'refused', refusals: result.faults.map(refusalOf) }
  const contents = readBody(z.object({ messages: z.array(Message) }), result.read)
  if ('faults' in contents) return { type: 'refused', refusals: contents.faults.map(refusalOf) }
  const messages = result.read.messages.map(fieldsOf)
  return { type: 'request', request: requestOf(result.read, messages), messages }
}

function refusalOf(fault: BodyFault): Refusal {
  const said = anthropicWords.sayBody(fault)
  return { violation: { rule: 'schema', message: said.message }, said }
}

function requestOf(body: Body, messages: readonly JsonFields[]): WireRequest {
  const { system = '' } = body
  const binding = bindingOf(body, messages.length)
  return {
    protocol: 'anthropic',
    model: body.model,
    answer: body.stream === true ? 'stream' : 'whole',
    system: typeof system === 'string' ? system : system.map(({ text }) => text).join('\n'),
    messages: messages.map(messageOf),
    // Tools that the provider runs itself have no schema.
    tools: (body.tools ?? [])
      .filter(({ type }) => type === undefined || type === null || type === 'custom')
      .map(({ name, input_schema: schema }) => ({ name, schema })),
    tokens: estimateTokens(body.messages, body.system, body.tools),
    maxOutputTokens: body.max_tokens,
    thinking: thinkingOf(body),
    ...(binding !== undefined && { binding }),
    usage: 'told',
  }
}

function thinkingOf({ thinking }: Body): WireRequest['thinking'] {
  if (thinking === undefined || thinking.type === 'disabled') return 'off'
  return thinking.type === 'enabled' ? 'on' : 'adaptive'
}

function messageOf({ role, content }: JsonFields): WireMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: textOf(blocks),
    calls: blocks.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id: String(id), name: String(name), input }] : [],
    ),
    results: blocks.flatMap(({ type, tool_use_id: id, content: result }) =>
      type === 'tool_result'
        ? [{ callId: String(id), text: typeof result === 'string' ? result : textOf(listOf(result)) }]
        : [],
    ),
  }
}

function textOf(blocks: readonly JsonFields[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('')
}

function whole(answer: WireAnswer): { status: number; body: object } {
  const { parts, done } = answer
  const content = done.content.map((part, at) => {
    const scripted = parts[at]
    if (part.type === 'call')
      return { type: 'tool_use', id: part.call.id, name: part.call.name, input: part.call.input }
    return scripted?.type === 'reasoning'
      ? {
          type: 'thinking',
          thinking: scripted.text,
          signature: signatureOf(scripted.text, scripted, answer.request.binding),
        }
      : { type: 'text', text: scripted?.type === 'text' ? scripted.text : '' }
  })
  return {
    status: 200,
    body: {
      ...head(answer),
      content,
      stop_reason: stopReason(done.finishReason),
      stop_sequence: null,
      usage: usageOf(answer),
    },
  }
}

function frames(answer: WireAnswer): Frames {
  const { chunks, done, parts } = answer
  const message = { ...head(answer), content: [], stop_reason: null, stop_sequence: null }
  const { output_tokens: output, ...input } = usageOf(answer)
  // Parts without a chunk are left out, but for thoughts that are kept from the reader, so blocks are numbered anew.
  const spoken = new Set(chunks.map(({ index }) => index))
  const blocks = [...parts.keys()].filter((index) => spoken.has(index) || isHidden(parts[index]))
  const hiddenBefore = (index: number) => {
    const at = blocks.indexOf(index)
    const last = blocks.slice(0, at).findLastIndex((one) => spoken.has(one))
    return blocks.slice(last + 1, at).map((one) => hidden(parts[one], blocks.indexOf(one), answer.request))
  }
  const closing =
    event('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: stopReason(done.finishReason), stop_sequence: null },
      usage: { output_tokens: output, ...detailsOf(done.usage) },
    }) + event('message_stop', { type: 'message_stop' })
  return {
    opening:
      event('message_start', {
        type: 'message_start',
        message: { ...message, usage: { ...input, output_tokens: Math.min(output, 1) } },
      }) + event('ping', { type: 'ping' }),
    chunks: chunks.map(({ index, part, delta, place }) => {
      const at = blocks.indexOf(index)
      return (
        (place.isFirst ? hiddenBefore(index).join('') + event('content_block_start', begin(part, at)) : '') +
        event('content_block_delta', { type: 'content_block_delta', index: at, delta: deltaOf(part, delta) }) +
        (place.isLast ? end(part, at, answer.request.binding) : '')
      )
    }),
    closing,
  }
}

/** A thought without words: its text is omitted, as newer models do it by default, or it is redacted. */
function isHidden(part: ScriptedPart | undefined): part is Extract<ScriptedPart, { type: 'reasoning' }> {
  return part?.type === 'reasoning' && part.text === ''
}

function hidden(part: ScriptedPart | undefined, index: number, request: WireRequest): string {
  if (!isHidden(part)) return ''
  const { signature, ...block } = thoughtOf(part, request)
  const begun = signature === undefined ? block : { ...block, signature: '' }
  const delta = { type: 'signature_delta', signature }
  return (
    event('content_block_start', { type: 'content_block_start', index, content_block: begun }) +
    (signature === undefined ? '' : event('content_block_delta', { type: 'content_block_delta', index, delta })) +
    event('content_block_stop', { type: 'content_block_stop', index })
  )
}

function thoughtOf(part: Extract<ScriptedPart, { type: 'reasoning' }>, { binding }: WireRequest) {
  const { redactedData: data } = fieldsOf(part.providerMetadata?.['anthropic'])
  if (data !== undefined) return { type: 'redacted_thinking', data }
  return { type: 'thinking', thinking: part.text, signature: signatureOf(part.text, part, binding) }
}

function begin(part: ScriptedPart, index: number): object {
  return { type: 'content_block_start', index, content_block: blockOf(part) }
}

function blockOf(part: ScriptedPart): object {
  if (part.type === 'call') return { type: 'tool_use', id: part.call.id, name: part.call.name, input: {} }
  return part.type === 'reasoning' ? { type: 'thinking', thinking: '', signature: '' } : { type: 'text', text: '' }
}

function deltaOf(part: ScriptedPart, delta: string): object {
  if (part.type === 'call') return { type: 'input_json_delta', partial_json: delta }
  return part.type === 'reasoning' ? { type: 'thinking_delta', thinking: delta } : { type: 'text_delta', text: delta }
}

function end(part: ScriptedPart, index: number, binding: string | undefined): string {
  const stop = event('content_block_stop', { type: 'content_block_stop', index })
  if (part.type !== 'reasoning') return stop
  const delta = { type: 'signature_delta', signature: signatureOf(part.text, part, binding) }
  return event('content_block_delta', { type: 'content_block_delta', index, delta }) + stop
}

function head({ number, request }: WireAnswer) {
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model: request.model }
}

const stopReasons: Readonly<Partial<Record<string, string>>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
}

function stopReason(reason: string): string {
  return stopReasons[reason] ?? reason
}

/** Answers always have usage; figures missing in the script are 0. */
function usageOf({ done: { usage = {} }, writtenForAnHour = 0 }: WireAnswer) {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    // Cached tokens are counted separately from the others.
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - writtenForAnHour,
      ephemeral_1h_input_tokens: writtenForAnHour,
    },
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
    ...detailsOf(usage),
  }
}

function detailsOf({ reasoningTokens }: Usage = {}) {
  return reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }
}

function event(name: string, value: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
}
