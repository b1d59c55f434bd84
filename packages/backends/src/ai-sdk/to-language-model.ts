import { type Backend, BackendError, type BackendEvent, type ModelRequest } from '@loader/session-core'
/** @ts-ignore The package is an optional peer: programs that use such a model have installed it. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider'
import { eitherSignal } from '../platform/signal.ts'
import { AnswerStream } from './answer-stream.ts'
import { toModelMetadata } from './metadata.ts'
import { modelContent } from './model-content.ts'
import { requestFromCall, type RequestFromCall } from './request-from-call.ts'
import { toModelUsage } from './usage.ts'

/**
 * Wraps a backend as a language model of the AI SDK, so that the SDK's loop, streams and user interfaces run on it.
 * Options that a Loader request does not have (stop sequences, sampling, formats) are ignored with a warning.
 */
export function toLanguageModel(backend: Backend): LanguageModelV4 {
  let requests = 0
  const ask = (options: LanguageModelV4CallOptions) => requestFromCall(options, `request_${(requests += 1)}`)
  const slash = backend.id.indexOf('/')
  return {
    specificationVersion: 'v4',
    provider: slash < 0 ? 'loader' : backend.id.slice(0, slash),
    modelId: backend.id.slice(slash + 1),
    // URLs are passed on, because only the model behind the backend knows whether it can read them.
    supportedUrls: { '*/*': [/^https?:\/\//] },
    doGenerate: async (options) => generated(backend, options, ask(options)),
    doStream: async (options) => ({ stream: await streamed(backend, options, ask(options)) }),
  }
}

type Call = Pick<LanguageModelV4CallOptions, 'abortSignal'>
type Generated = Awaited<ReturnType<LanguageModelV4['doGenerate']>>

async function generated(backend: Backend, call: Call, { request, warnings }: RequestFromCall): Promise<Generated> {
  for await (const event of eventsOf(backend, call, request)) {
    if (event.type !== 'done') continue
    const { content, finishReason, usage, model } = event
    return {
      content: content.flatMap(modelContent),
      finishReason: { unified: finishReason, raw: finishReason },
      usage: toModelUsage(usage),
      warnings,
      ...toModelMetadata(event),
      ...(model !== undefined && { response: { modelId: model } }),
    }
  }
  throw new BackendError({ kind: 'interrupted', message: `${backend.id} broke off its answer.` })
}

async function streamed(
  backend: Backend,
  call: Call,
  { request, warnings }: RequestFromCall,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const left = new AbortController()
  const abortSignal = eitherSignal(left.signal, call.abortSignal)
  const events = eventsOf(backend, { abortSignal }, request)[Symbol.asyncIterator]()
  // A request that fails at once must reject instead of returning a stream.
  const first = await events.next()
  return readableOf(partsOf(first, events, warnings), left)
}

async function* partsOf(
  first: IteratorResult<BackendEvent, unknown>,
  events: AsyncIterator<BackendEvent, unknown>,
  warnings: SharedV4Warning[],
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const answer = new AnswerStream()
  yield { type: 'stream-start', warnings }
  try {
    for (let next = first; ; next = await events.next()) {
      if (next.done) return yield* answer.cutOff()
      const event = next.value
      if (event.type === 'done') {
        if (event.model !== undefined) yield { type: 'response-metadata', modelId: event.model }
        return yield* answer.end(event)
      }
      yield* answer.take(event)
    }
  } finally {
    await events.return?.()
  }
}

function eventsOf(backend: Backend, { abortSignal: signal }: Call, request: ModelRequest): AsyncIterable<BackendEvent> {
  return backend.stream(request, signal && { signal })
}

function readableOf<Part>(parts: AsyncGenerator<Part, void, undefined>, left: AbortController): ReadableStream<Part> {
  return new ReadableStream<Part>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      // Otherwise a pending read of the backend would never end.
      left.abort()
      await parts.return()
    },
  })
}
