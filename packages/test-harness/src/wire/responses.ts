import type { Usage } from '@loader/session-core'
import * as z from 'zod'
import { type JsonFields, fieldsOf, listOf } from '../history-faults/check.ts'
import { itemId, kindOf } from '../history-faults/responses.ts'
import { argumentsText } from '../script/answer.ts'
import type { ScriptedPart } from '../script/script.ts'
import { type BodyFault, readBody } from './body-faults.ts'
import { estimateTokens } from './estimate.ts'
import { openaiWords } from './openai-words.ts'
import type { PartChunk } from './part-chunks.ts'
import type { Frames, Headers, Protocol, Read, Refusal, WireAnswer } from './protocol.ts'
import { responsesUnknownFields } from './responses-fields.ts'
import { responsesWords } from './responses-words.ts'
import { sealOf } from './sealed.ts'
import type { WireMessage, WireRequest } from './wire-request.ts'

const Tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
})

const Body = z
  .looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(z.looseObject({}))]),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    store: z.boolean().nullish(),
    include: z.array(z.string()).nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    tools: z.array(Tool).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_output_tokens: z.int().min(16).nullish(),
    previous_response_id: z.string().nullish(),
  })
  .superRefine(({ previous_response_id: previous }, context) => {
    // Nothing is kept here between requests.
    if (typeof previous === 'string')
      context.addIssue({
        code: 'custom',
        path: ['previous_response_id'],
        message: `Previous response with id '${previous}' not found.`,
      })
  })
type Body = z.infer<typeof Body>

/** What any item consists of; the rest is for the rules of histories. */
const Item = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
  output: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
})

export const responses: Protocol = {
  ...responsesWords,
  dialect: 'responses',
  streamType: 'text/event-stream; charset=utf-8',
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  refuseHeaders,
  unknownFields: responsesUnknownFields,
  read,
  whole: (answer) => ({ status: 200, body: responseOf(answer, 'ended') }),
  frames,
  errorFrame: ({ message, code, param }, sent) =>
    event(sent.split('\n\n').length - 1, {
      type: 'error',
      code: code ?? 'server_error',
      message,
      param: param ?? null,
    }),
  brokenFrame: (text) => `event: response.output_text.delta\ndata: ${text}\n\n`,
}

function refuseHeaders(headers: Headers): Refusal[] {
  if (headers['authorization'] !== undefined) return []
  const message = 'Missing bearer or basic authentication in header'
  return [{ violation: { rule: 'key', message }, said: { status: 401, message } }]
}

function read(body: unknown): Read {
  const result = readBody(Body, body)
  if ('faults' in result) return { type: 'refused', refusals: result.faults.map(refusalOf) }
  const { input } = result.read
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input.map(fieldsOf)
  const contents = readBody(z.object({ input: z.array(Item) }), { input: items })
  if ('faults' in contents) return { type: 'refused', refusals: contents.faults.map(refusalOf) }
  return { type: 'request', request: requestOf(result.read, items), messages: items }
}

function refusalOf(fault: BodyFault): Refusal {
  const said = openaiWords.sayBody(fault)
  return { violation: { rule: 'schema', message: said.message }, said }
}

function requestOf(body: Body, items: readonly JsonFields[]): WireRequest {
  const { instructions, max_output_tokens: most, reasoning } = body
  const isInstruction = (item: JsonFields) => item['role'] === 'system' || item['role'] === 'developer'
  const said = items.filter(isInstruction).map(textOf)
  return {
    protocol: 'responses',
    model: body.model,
    answer: body.stream === true ? 'stream' : 'whole',
    system: [...(typeof instructions === 'string' ? [instructions] : []), ...said].join('\n'),
    messages: together(items.filter((item) => !isInstruction(item)).flatMap(messageOf)),
    // The tools that the provider runs itself have no schema.
    tools: (body.tools ?? []).flatMap(({ type, name, parameters }) =>
      type === 'function' ? [{ name: name ?? '', schema: parameters ?? { type: 'object', properties: {} } }] : [],
    ),
    tokens: estimateTokens(body.input, body.instructions, body.tools),
    ...(typeof most === 'number' && { maxOutputTokens: most }),
    thinking: reasoning?.effort === 'none' ? 'off' : reasoning?.effort ? 'on' : 'unsaid',
    usage: 'told',
    keeps: body.store === false ? 'nothing' : 'history',
    sealsThinking: body.include?.includes('reasoning.encrypted_content') ?? false,
  }
}

function messageOf(item: JsonFields): WireMessage[] {
  const { role, call_id: callId, name, arguments: input, output } = item
  switch (kindOf(item)) {
    case 'function_call':
      return [{ role: 'assistant', text: '', calls: [{ id: String(callId), name: String(name), input }], results: [] }]
    case 'function_call_output':
      return [{ role: 'tool', text: '', calls: [], results: [{ callId: String(callId), text: textIn(output) }] }]
    case 'message':
      return [{ role: role === 'assistant' ? 'assistant' : 'user', text: textOf(item), calls: [], results: [] }]
    default:
      return []
  }
}

/** An answer is several items on the wire, and one message in the script. */
function together(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = []
  for (const next of messages) {
    const last = joined.at(-1)
    if (last?.role !== 'assistant' || next.role !== 'assistant') joined.push(next)
    else joined.splice(-1, 1, { ...last, text: last.text + next.text, calls: [...last.calls, ...next.calls] })
  }
  return joined
}

function textOf({ content }: JsonFields): string {
  return textIn(content)
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('')
}

/** Always the same time: an answer depends on nothing but the script and the request. */
const created = 1_767_225_600

const incomplete: Readonly<Partial<Record<string, string>>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

function responseOf(answer: WireAnswer, state: 'begun' | 'ended'): object {
  const { number, request, parts, done } = answer
  const reason = incomplete[done.finishReason]
  const status = state === 'begun' ? 'in_progress' : reason === undefined ? 'completed' : 'incomplete'
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: null,
    max_output_tokens: request.maxOutputTokens ?? null,
    model: request.model,
    output: state === 'begun' ? [] : parts.map((_part, at) => itemOf(answer, at)),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: request.keeps !== 'nothing',
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: state === 'begun' ? null : usageOf(done.usage),
    metadata: {},
  }
}

/** The item of a part, whole. */
function itemOf({ number, request, parts, done }: WireAnswer, at: number): object {
  const part = parts[at]
  const id = idOf(number, parts, at)
  switch (part?.type) {
    case 'reasoning':
      return {
        id,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: part.text }],
        ...(request.sealsThinking && { encrypted_content: sealOf('responses', part) }),
      }
    case 'call': {
      const called = done.content[at]
      const callId = called?.type === 'call' ? called.call.id : ''
      const { name } = part.call
      return {
        id,
        type: 'function_call',
        status: 'completed',
        arguments: argumentsText(part.call),
        call_id: callId,
        name,
      }
    }
    default:
      return {
        id,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: part?.type === 'text' ? part.text : '', annotations: [], logprobs: [] }],
      }
  }
}

/** The same item when nothing of it has come yet. */
function begunItem(answer: WireAnswer, at: number): object {
  const item = itemOf(answer, at)
  switch (answer.parts[at]?.type) {
    case 'reasoning':
      return { ...item, summary: [] }
    case 'call':
      return { ...item, status: 'in_progress', arguments: '' }
    default:
      return { ...item, status: 'in_progress', content: [] }
  }
}

const prefixes = { reasoning: 'rs', call: 'fc', text: 'msg', file: 'msg' } as const

/** The id of a call tells which reasoning it came behind, so that the server can see that it is kept. */
function idOf(number: number, parts: readonly ScriptedPart[], at: number): string {
  const type = parts[at]?.type ?? 'text'
  const before = type === 'call' ? parts.slice(0, at).findLastIndex((part) => part.type === 'reasoning') : -1
  return itemId(prefixes[type], number, at, before < 0 ? undefined : itemId('rs', number, before, undefined))
}

function frames(answer: WireAnswer): Frames {
  // Parts without a chunk are left out, so items have places of their own.
  const shown = [...new Set(answer.chunks.map(({ index }) => index))]
  const pieces = answer.chunks.map((chunk) => eventsOf(answer, chunk, shown.indexOf(chunk.index)))
  const ended = responseOf(answer, 'ended')
  const whole = { ...ended, output: shown.map((at) => itemOf(answer, at)) }
  const isWhole = incomplete[answer.done.finishReason] === undefined
  const begun = responseOf(answer, 'begun')
  const opening = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ]
  const closing = [{ type: isWhole ? 'response.completed' : 'response.incomplete', response: whole }]
  return numbered(opening, pieces, closing)
}

interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

/** Every event of a stream has a number. */
function numbered(opening: readonly Event[], pieces: readonly (readonly Event[])[], closing: readonly Event[]): Frames {
  let number = 0
  const text = (events: readonly Event[]) => events.map((one) => event(number++, one)).join('')
  return { opening: text(opening), chunks: pieces.map(text), closing: text(closing) }
}

function eventsOf(
  answer: WireAnswer,
  { index, part, delta, place }: PartChunk,
  output_index: number,
): readonly Event[] {
  const item_id = idOf(answer.number, answer.parts, index)
  const at = { item_id, output_index }
  const added = { type: 'response.output_item.added', output_index, item: begunItem(answer, index) }
  const done = { type: 'response.output_item.done', output_index, item: itemOf(answer, index) }
  const { begin, grow, end } = growth(part, delta, at)
  return [...(place.isFirst ? [added, ...begin] : []), grow, ...(place.isLast ? [...end, done] : [])]
}

/** What comes between the begin and the end of an item. */
function growth(part: ScriptedPart, delta: string, at: { readonly item_id: string; readonly output_index: number }) {
  switch (part.type) {
    case 'reasoning': {
      const summary = { ...at, summary_index: 0 }
      const told = (text: string) => ({ type: 'summary_text', text })
      return {
        begin: [{ type: 'response.reasoning_summary_part.added', ...summary, part: told('') }],
        grow: { type: 'response.reasoning_summary_text.delta', ...summary, delta },
        end: [
          { type: 'response.reasoning_summary_text.done', ...summary, text: part.text },
          { type: 'response.reasoning_summary_part.done', ...summary, part: told(part.text) },
        ],
      }
    }
    case 'call': {
      const done = { ...at, name: part.call.name, arguments: argumentsText(part.call) }
      return {
        begin: [],
        grow: { type: 'response.function_call_arguments.delta', ...at, delta },
        end: [{ type: 'response.function_call_arguments.done', ...done }],
      }
    }
    default: {
      const content = { ...at, content_index: 0 }
      const text = part.type === 'text' ? part.text : ''
      const told = (words: string) => ({ type: 'output_text', text: words, annotations: [], logprobs: [] })
      return {
        begin: [{ type: 'response.content_part.added', ...content, part: told('') }],
        grow: { type: 'response.output_text.delta', ...content, delta, logprobs: [] },
        end: [
          { type: 'response.output_text.done', ...content, text, logprobs: [] },
          { type: 'response.content_part.done', ...content, part: told(text) },
        ],
      }
    }
  }
}

/** There is no answer without usage here: what the script does not tell is 0. */
function usageOf({ inputTokens = 0, outputTokens = 0, reasoningTokens = 0, cacheReadTokens = 0 }: Usage = {}) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

function event(number: number, value: Event): string {
  return `event: ${value.type}\ndata: ${JSON.stringify({ ...value, sequence_number: number })}\n\n`
}
