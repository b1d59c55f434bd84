import {
  type Backend,
  type BackendDone,
  type BackendEvent,
  type ModelCapabilities,
  type ModelRequest,
  type Signal,
} from '@loader/session-core'
import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { type Failing, failure } from '../failures/failure.ts'
import { thrownFailure } from '../failures/thrown-failure.ts'
import { toTheEnd } from '../http/to-the-end.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { callOptions, callOptionsV3, type CallSettings, type ProviderOptions } from './call-options.ts'
import { GrowingAnswer, type StreamPart } from './growing-answer.ts'
import { metadataOf } from './metadata.ts'
import { thoughtsLeftOut } from './own-thoughts.ts'
import { type Prompts, promptsFor, type Takes } from './prompt.ts'
import { eachOnce, type Prepare } from './same-messages.ts'
import { isUnreadable, unreadableNote, withoutThoughts } from './unreadable-thoughts.ts'
import { usageOf } from './usage.ts'

/** As much of a model as is asked. */
export type AskedModel =
  | Pick<LanguageModelV3, 'specificationVersion' | 'doStream'>
  | Pick<LanguageModelV4, 'specificationVersion' | 'doStream'>

interface OpenModel {
  /** It must leave prompts as they are: those of later requests are made of the same messages. */
  readonly model: AskedModel
  readonly failing: Failing
}

/** What a backend made of a language model consists of. */
export interface LanguageModelSource extends Takes {
  /** `provider/id` */
  readonly id: string
  providerOptions(request: ModelRequest): ProviderOptions | undefined
  readonly prepare?: Prepare
  /** The model for one request: its key, and its package, are looked for when they are needed. */
  open(): Promise<OpenModel>
  describe(): Promise<ModelCapabilities>
}

export function languageModelBackend(source: LanguageModelSource): Backend {
  const words: Words = {
    prompts: promptsFor(source),
    prepare: source.prepare ? eachOnce(source.prepare) : (request) => request,
    withoutThoughts: eachOnce(withoutThoughts),
  }
  return {
    id: source.id,
    stream: (request, { signal } = {}) => answer(source, words, request, signal),
    describe: ({ signal } = {}) => unlessAborted(source.describe(), signal),
  }
}

/** What stays from one request to the next, so that what was said before is put into words once. */
interface Words {
  readonly prompts: Prompts
  readonly prepare: (request: ModelRequest) => ModelRequest
  readonly withoutThoughts: (request: ModelRequest) => ModelRequest
}

async function* answer(
  source: LanguageModelSource,
  words: Words,
  request: ModelRequest,
  signal: Signal | undefined,
): AsyncGenerator<BackendEvent, void, undefined> {
  const { model, failing } = await unlessAborted(source.open(), signal)
  const left = new AbortController()
  const prepared = words.prepare(request)
  const note = thoughtsLeftOut(request, prepared)
  if (note !== undefined) yield { type: 'status', message: note }
  const askFor = (asked: ModelRequest) =>
    asking(model, asked, {
      prompts: words.prompts,
      providerOptions: source.providerOptions(asked),
      signal: eitherSignal(left.signal, signal),
    })
  try {
    const { stream } = await attempt(askFor(prepared), failing, signal).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error
      return { stream: undefined }
    })
    if (stream !== undefined) return yield* eventsOf(stream.getReader(), failing, signal)
    yield { type: 'status', message: unreadableNote }
    const again = await attempt(askFor(words.prepare(words.withoutThoughts(request))), failing, signal)
    yield* eventsOf(again.stream.getReader(), failing, signal)
  } finally {
    // Whoever leaves early does not want the rest; the server is told by closing the connection.
    left.abort(nobodyReads)
  }
}

/** Made once: most answers have ended by then, and nobody sees it. */
const nobodyReads = /* @__PURE__ */ new DOMException('Nobody reads the answer any more.', 'AbortError')

async function* eventsOf(
  reader: ReadableStreamDefaultReader<StreamPart>,
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
      yield* growing.take(part)
      if (part.type === 'finish') {
        yield ended(part, growing, failing)
        return await toTheEnd(read)
      }
    }
  } finally {
    // Some models know no signal. What this one says about being left is of no interest.
    void reader.cancel().catch(() => undefined)
  }
}

/** How the model is asked. The request is put into its words at once: what goes wrong with that is no failure of it. */
function asking(
  model: AskedModel,
  request: ModelRequest,
  settings: CallSettings,
): () => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }> {
  if (model.specificationVersion === 'v4') {
    const call = callOptions(request, settings)
    return () => model.doStream(call)
  }
  const call = callOptionsV3(request, settings)
  return () => model.doStream(call)
}

/** Whatever the model throws is a failure of the request, unless the request was aborted. */
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
  // Google says so when its model wrote a call that nobody can read.
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

/** What the provider says of the end. */
function saidBy({ providerMetadata = {} }: Extract<StreamPart, { type: 'finish' }>): string {
  const messages = Object.values(providerMetadata).map((own) => own?.['finishMessage'])
  const message = messages.find((one) => typeof one === 'string')
  return message === undefined ? '' : `: ${message}`
}

/** Version 3 has no word for a stream that was cut off: nothing that a server says at the end has arrived then. */
function isCutOff({ finishReason: { unified, raw }, usage }: Extract<StreamPart, { type: 'finish' }>): boolean {
  if (unified === 'interrupted') return true
  return unified === 'other' && raw === undefined && usageOf(usage) === undefined
}
