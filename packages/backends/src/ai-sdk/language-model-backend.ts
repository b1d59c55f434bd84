import {
  type Backend,
  type BackendDone,
  type BackendEvent,
  type ModelCapabilities,
  type ModelRequest,
  type Signal,
} from '@loader/session-core'
import type { LanguageModelV3, LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type Failing, failure } from '../failures/failure.ts'
import { thrownFailure } from '../failures/thrown-failure.ts'
import { toTheEnd } from '../http/to-the-end.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { callOptions, callOptionsV3, type CallSettings, type ProviderOptions } from './call-options.ts'
import { ForgottenThoughts } from './forgotten-thoughts.ts'
import { GrowingAnswer, type StreamPart } from './growing-answer.ts'
import { metadataOf } from './metadata.ts'
import { thoughtsLeftOut } from './own-thoughts.ts'
import { type KnownThinking, withPossibleLevel } from './possible-level.ts'
import { type Prompts, promptsFor, type Takes } from './prompt.ts'
import { eachOnce, type Prepare } from './same-messages.ts'
import { isUnreadable, unreadableNote } from './unreadable-thoughts.ts'
import { usageOf } from './usage.ts'
import { warningInWords } from './warnings.ts'

/** The part of a model's interface that is used. */
export type AskedModel =
  | Pick<LanguageModelV3, 'specificationVersion' | 'doStream'>
  | Pick<LanguageModelV4, 'specificationVersion' | 'doStream'>

interface OpenModel {
  /** Must not modify prompts, because later requests reuse the same messages. */
  readonly model: AskedModel
  readonly failing: Failing
}

/** The input for a backend made of a language model. */
export interface LanguageModelSource extends Takes, KnownThinking {
  /** `provider/id` */
  readonly id: string
  providerOptions(request: ModelRequest): ProviderOptions | undefined
  readonly prepare?: Prepare
  /** The call as the provider wants it. Must not modify the prompt. */
  readonly adapted?: (call: LanguageModelV4CallOptions) => LanguageModelV4CallOptions
  /** Opens the model for one request: its key and package are loaded when they are needed. */
  open(): Promise<OpenModel>
  describe(): Promise<ModelCapabilities>
}

export function languageModelBackend(source: LanguageModelSource): Backend {
  const words: Words = {
    prompts: promptsFor(source),
    prepare: source.prepare ? eachOnce(source.prepare) : (request) => request,
    forgotten: new ForgottenThoughts(),
    told: new Set(),
  }
  return {
    id: source.id,
    stream: (request, { signal } = {}) => answer(source, words, request, signal),
    describe: ({ signal } = {}) => unlessAborted(source.describe(), signal),
  }
}

/** The converted prompts, kept between requests so that each message is converted once. */
interface Words {
  readonly prompts: Prompts
  readonly prepare: (request: ModelRequest) => ModelRequest
  readonly forgotten: ForgottenThoughts
  /** Notes on options that the model cannot take. They hold for every request, and are told with the first. */
  readonly told: Set<string>
}

async function* answer(
  source: LanguageModelSource,
  words: Words,
  request: ModelRequest,
  signal: Signal | undefined,
): AsyncGenerator<BackendEvent, void, undefined> {
  const { model, failing } = await unlessAborted(source.open(), signal)
  const left = new AbortController()
  const { asked, note } = withPossibleLevel(request, source, model.specificationVersion)
  if (note !== undefined) yield* news(words, [note])
  const readable = words.forgotten.leftOutOf(asked)
  const prepared = words.prepare(readable)
  const leftOut = thoughtsLeftOut(readable, prepared)
  if (leftOut !== undefined) yield { type: 'status', message: leftOut }
  const askFor = (one: ModelRequest) =>
    asking(model, one, source.adapted, {
      prompts: words.prompts,
      providerOptions: source.providerOptions(one),
      signal: eitherSignal(left.signal, signal),
    })
  try {
    const { stream } = await attempt(askFor(prepared), failing, signal).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error
      return { stream: undefined }
    })
    if (stream !== undefined) return yield* eventsOf(stream.getReader(), words, failing, signal)
    yield { type: 'status', message: unreadableNote }
    words.forgotten.forget(asked)
    const again = await attempt(askFor(words.prepare(words.forgotten.leftOutOf(asked))), failing, signal)
    yield* eventsOf(again.stream.getReader(), words, failing, signal)
  } finally {
    // A consumer that stops early does not need the rest; aborting closes the connection, which tells the server.
    left.abort(nobodyReads)
  }
}

/** Those of the notes that were not told before. */
function news({ told }: Words, notes: readonly string[]): BackendEvent[] {
  const fresh = [...new Set(notes)].filter((note) => !told.has(note))
  for (const note of fresh) told.add(note)
  return fresh.map((message) => ({ type: 'status', message }))
}

/** Created once, because almost every answer needs it and it is never shown. */
const nobodyReads = /* @__PURE__ */ new DOMException('The reader of the answer has gone.', 'AbortError')

async function* eventsOf(
  reader: ReadableStreamDefaultReader<StreamPart>,
  words: Words,
  failing: Failing,
  signal: Signal | undefined,
): AsyncGenerator<BackendEvent, void, undefined> {
  const growing = new GrowingAnswer()
  const read = () => reader.read()
  try {
    for (;;) {
      const { done, value: part } = await attempt(read, failing, signal)
      if (done) throw failure(failing, 'interrupted', 'broke off its answer: it closed the stream before the end.')
      if (part.type === 'error') throw thrownFailure(part.error, failing)
      yield* part.type === 'stream-start' ? news(words, part.warnings.map(warningInWords)) : growing.take(part)
      if (part.type === 'finish') {
        yield ended(part, growing, failing)
        return await toTheEnd(read)
      }
    }
  } finally {
    // Some models ignore the signal, so the stream is cancelled too; errors from that do not matter.
    void reader.cancel().catch(() => undefined)
  }
}

/**
 * Returns a function that asks the model. The request is converted at once, so that a bug there is not reported as a
 * failure of the model.
 */
function asking(
  model: AskedModel,
  request: ModelRequest,
  adapted: LanguageModelSource['adapted'],
  settings: CallSettings,
): () => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }> {
  if (model.specificationVersion === 'v4') {
    const options = callOptions(request, settings)
    const call = adapted?.(options) ?? options
    return () => model.doStream(call)
  }
  const call = callOptionsV3(request, settings)
  return () => model.doStream(call)
}

/** Reports every error of the model as a failure of the request, unless the request was aborted. */
async function attempt<Result>(
  work: () => PromiseLike<Result>,
  failing: Failing,
  signal: Signal | undefined,
): Promise<Result> {
  try {
    return await unlessAborted(work(), signal)
  } catch (error) {
    throw signal?.aborted ? error : thrownFailure(error, failing)
  }
}

function ended(part: Extract<StreamPart, { type: 'finish' }>, growing: GrowingAnswer, failing: Failing): BackendDone {
  const { finishReason, providerMetadata } = part
  const usage = usageOf(part.usage)
  if (isCutOff(part)) throw failure(failing, 'interrupted', 'broke off its answer: the stream ended before it did.')
  // Google's way to report a call of the model that it could not parse.
  if (finishReason.unified === 'error' && growing.content.length === 0)
    throw failure(failing, 'other', `failed: its answer ended with ${finishReason.raw ?? 'an error'}${saidBy(part)}.`)
  const [provider = ''] = failing.id.split('/')
  return {
    type: 'done',
    content: growing.content,
    finishReason: finishReason.unified,
    ...(usage && { usage }),
    ...(growing.model !== undefined && { model: `${provider}/${growing.model}` }),
    ...metadataOf(providerMetadata),
  }
}

/** The provider's explanation of the end. */
function saidBy({ providerMetadata = {} }: Extract<StreamPart, { type: 'finish' }>): string {
  const messages = Object.values(providerMetadata).map((own) => own?.['finishMessage'])
  const message = messages.find((one) => typeof one === 'string')
  return message === undefined ? '' : `: ${message}`
}

/** Specification 3 cannot report an interrupted stream: it shows as an end without finish reason and usage. */
function isCutOff({ finishReason: { unified, raw }, usage }: Extract<StreamPart, { type: 'finish' }>): boolean {
  if (unified === 'interrupted') return true
  return unified === 'other' && raw === undefined && usageOf(usage) === undefined
}
