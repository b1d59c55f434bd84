import type { ServerResponse } from 'node:http'
import type { ScriptedPart } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { type Loopback, loopback } from './loopback.ts'

interface Frame {
  readonly type: string
  readonly [field: string]: unknown
}

/** OpenAI's other interface, as far as the contract needs it: one line of a script, and what goes wrong with it. */
export function responsesServer(line: WireLine, onAsked = () => {}): Promise<Loopback> {
  return loopback(async ({ path }, response) => {
    if (path !== '/v1/responses') return void response.writeHead(404).end()
    onAsked()
    const { fault } = line
    if (fault?.type === 'throw' && (fault.after ?? 0) === 0) return refuse(fault.kind, fault.retryAfterMs, response)
    const [opening, ...parts] = framesOf(line)
    const after = fault && 'after' in fault ? (fault.after ?? parts.length) : parts.length
    const bodies = parts.slice(0, after).map((frames, at) => (at === 0 ? [...(opening ?? []), ...frames] : frames))
    if (bodies.length === 0 && fault?.type === 'cut') return void response.destroy()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await send(bodies.flat(), line, response)
    if (response.destroyed) return
    if (fault?.type === 'stall') return response.flushHeaders()
    if (fault?.type === 'cut') return void response.destroy()
    const end =
      fault?.type === 'throw'
        ? [failed(fault.kind)]
        : [...(bodies.length === 0 ? (opening ?? []) : []), completed(line)]
    await send(end, line, response)
    response.end()
  })
}

/** The opening, and then the frames of each chunk. */
function framesOf({ reasoning, text, calls = [], chunks, fault }: WireLine): Frame[][] {
  const spoken: ScriptedPart[] =
    fault?.type === 'empty_answer'
      ? []
      : [
          ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
          ...(text === undefined ? [] : [{ type: 'text', text } as const]),
          ...calls.map((call) => ({ type: 'call', call }) as const),
        ]
  const pieces = typeof chunks === 'object' && 'text' in chunks ? chunks.text : chunks
  const opening = { type: 'response.created', response: { id: 'resp_1', created_at: 0, model: 'm' } }
  return [[opening], ...spoken.flatMap((part, at) => partFrames(part, at, pieces !== undefined))]
}

function partFrames(part: ScriptedPart, output_index: number, inWords: boolean): Frame[][] {
  const id = `item_${output_index}`
  const at = { output_index, item_id: id }
  const added = (item: object) => ({ type: 'response.output_item.added', output_index, item })
  const done = (item: object) => ({ type: 'response.output_item.done', output_index, item })
  switch (part.type) {
    case 'text': {
      const deltas = split(part.text, inWords).map((delta) => [{ type: 'response.output_text.delta', ...at, delta }])
      return wrapped(added({ type: 'message', id }), deltas, done({ type: 'message', id }))
    }
    case 'reasoning': {
      const item = { type: 'reasoning', id, encrypted_content: 'sealed' }
      const summary = { ...at, summary_index: 0 }
      const begin = { type: 'response.reasoning_summary_part.added', ...summary }
      const deltas = split(part.text, inWords).map((delta, place) => [
        ...(place === 0 ? [begin] : []),
        { type: 'response.reasoning_summary_text.delta', ...summary, delta },
      ])
      return wrapped(added(item), deltas, done(item))
    }
    case 'call': {
      const { name, input = {}, raw = JSON.stringify(input), id: call_id = `call_${output_index}` } = part.call
      const item = { type: 'function_call', id, call_id, name, arguments: '' }
      const deltas = split(raw, true).map((delta) => [{ type: 'response.function_call_arguments.delta', ...at, delta }])
      return wrapped(added(item), deltas, done({ ...item, arguments: raw, status: 'completed' }))
    }
    case 'file':
      return []
    default:
      return part satisfies never
  }
}

/** What begins goes with the first piece, what ends with the last one. */
function wrapped(first: Frame, pieces: readonly Frame[][], last: Frame): Frame[][] {
  return pieces.map((frames, at) => [
    ...(at === 0 ? [first] : []),
    ...frames,
    ...(at === pieces.length - 1 ? [last] : []),
  ])
}

function split(text: string, inWords: boolean): string[] {
  return inWords ? (text.match(/\s*\S+|\s+$/g) ?? []) : [text]
}

function completed({ usage, finishReason }: WireLine): Frame {
  const { inputTokens = 1, outputTokens = 1, reasoningTokens, cacheReadTokens } = usage ?? {}
  const isShort = finishReason === 'length'
  return {
    type: isShort ? 'response.incomplete' : 'response.completed',
    response: {
      incomplete_details: isShort ? { reason: 'max_output_tokens' } : null,
      usage: {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        ...(cacheReadTokens !== undefined && { input_tokens_details: { cached_tokens: cacheReadTokens } }),
        ...(reasoningTokens !== undefined && { output_tokens_details: { reasoning_tokens: reasoningTokens } }),
      },
    },
  }
}

const failures: { readonly [kind: string]: readonly [number, string, string] } = {
  rate_limited: [429, 'rate_limit_exceeded', 'Rate limit reached.'],
  overloaded: [503, 'server_overloaded', 'The server is overloaded.'],
  context_too_long: [400, 'context_length_exceeded', 'Your input exceeds the context window of this model.'],
  auth: [401, 'invalid_api_key', 'Incorrect API key provided.'],
  bad_request: [400, 'invalid_value', 'Invalid value.'],
  other: [500, 'server_error', 'The server had an error.'],
}

function refuse(kind: string, retryAfterMs: number | undefined, response: ServerResponse): void {
  const [status = 500, code, message] = failures[kind] ?? []
  const wait = retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1000) }
  response.writeHead(status, { 'content-type': 'application/json', ...wait })
  response.end(JSON.stringify({ error: { message, code, type: code } }))
}

function failed(kind: string): Frame {
  const [, code, message] = failures[kind] ?? []
  return { type: 'error', sequence_number: 9, error: { type: code, code, message } }
}

async function send(frames: readonly Frame[], { wire }: WireLine, response: ServerResponse): Promise<void> {
  const bytes = Buffer.from(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))
  const { bytesPerWrite = bytes.length, fault } = wire ?? {}
  if (fault?.type === 'malformed_event') response.write('data: {"malformed": \n\n')
  const whole = fault?.type === 'cut_bytes' ? bytes.subarray(0, fault.after) : bytes
  for (let at = 0; at < whole.length; at += bytesPerWrite) {
    await new Promise<void>((resolve) => response.write(whole.subarray(at, at + bytesPerWrite), () => resolve()))
  }
  if (fault?.type === 'cut_bytes') response.destroy()
}
