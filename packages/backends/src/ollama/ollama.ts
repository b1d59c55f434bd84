import { type Backend, type BackendEvent, JsonObject, type ModelRequest, type Signal } from '@loader/session-core'
import { type ConnectionOptions, connectionTo, placeOf } from '../connection/connection.ts'
import { ollamaServer } from '../discover/ollama.ts'
import { ollamaOrigin } from '../discover/ollama-origin.ts'
import { attentive } from '../known/attentive.ts'
import { keyOf } from '../known/key-of.ts'
import { Known } from '../known/known.ts'
import { capabilitiesOf, smallWindow } from '../model/capabilities.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { chatEvents } from './chat-events.ts'
import { OllamaFacts } from './facts.ts'
import { type OllamaPrompts, ollamaPrompts, ollamaTools } from './messages.ts'
import { openServer } from './server.ts'
import { type Think, thinkFor } from './think.ts'
import { whileWaiting } from './waiting.ts'
import { windowFor } from './window.ts'

export interface OllamaOptions extends ConnectionOptions {
  readonly model: string
  /** Whether, or how much, a thinking model thinks; by default as the server decides. */
  readonly think?: boolean | 'low' | 'medium' | 'high'
  /**
   * How long the model stays loaded after a request; default `30m`, because tools may run long between two requests.
   */
  readonly keepAlive?: string | number
  /** How often to report that no output has arrived yet. */
  readonly statusEveryMs?: number
}

const second = 1000
const minute = 60 * second

/** Longer, because Ollama sends no data while a model writes the arguments of a call. */
const patientTimeOuts = { betweenChunksMs: 10 * minute }

/** A model on Ollama, through its native API: only there a request can set the size of the window. */
export function ollama(options: OllamaOptions): Backend {
  const { model, statusEveryMs = 5 * second } = options
  const timeOuts = { ...patientTimeOuts, ...options.timeOuts }
  const place = placeOf('ollama', options)
  const { id } = place
  const connection = connectionTo(place, { ...options, timeOuts })
  const origin = ollamaOrigin(connection.variables, options.baseUrl)
  const open = () => openServer(connection, origin, model, options.headers)

  let askedAt = Number.NEGATIVE_INFINITY
  const known = new Known<OllamaFacts>(
    {
      key: keyOf('ollama', origin, model),
      schema: OllamaFacts,
      isTelling: () => true,
      isAsAble: (one, other) =>
        one.nativeTools === other.nativeTools &&
        one.thinking === other.thinking &&
        one.images === other.images &&
        one.remote === other.remote &&
        windowFor(options.contextWindow, one) === windowFor(options.contextWindow, other),
      async ask(urgency) {
        const server = await open()
        const [shown, loaded] = await Promise.all([server.show(urgency), server.loadedWindow(urgency)])
        if (urgency === 'awaited') askedAt = connection.now()
        return { ...shown, loaded }
      },
    },
    options.knownModelsFile,
  )
  const facts = async () => factsGiven(options) ?? known.get()
  /** A level is the one thing that needs to be asked even of a model that the caller knows. */
  const factsFor = async ({ thinking }: ModelRequest) => (thinking === undefined ? facts() : known.get())
  let answeredAt = Number.NEGATIVE_INFINITY
  /** The last note on thinking: the same one is told once. */
  let told: string | undefined
  const prompts = ollamaPrompts()

  async function* answer(request: ModelRequest, signal: Signal | undefined): AsyncGenerator<BackendEvent, void> {
    const about = await unlessAborted(factsFor(request), signal)
    const server = await unlessAborted(open(), signal)
    const left = new AbortController()
    const { think, note } = thinkOf(request, about, options)
    if (note !== undefined && note !== told) yield { type: 'status', message: note }
    told = note
    try {
      const body = chatBody(request, prompts(request), about, think, options)
      const chat = server.chat(body, eitherSignal(left.signal, signal))
      const now = connection.now()
      // A server that answered a moment ago is assumed to be still there.
      const isFresh = now - answeredAt < minute || about.remote
      const loaded = async () => (now - askedAt < second ? about.loaded : server.loadedWindow('aside'))
      const news = isFresh ? undefined : loading(id, windowFor(options.contextWindow, about), loaded)
      yield* whileWaiting(chat, statusEveryMs, (seconds) => `Waiting for ${id} (${seconds} s)…`, news)
      yield* chatEvents(await chat, request.requestId, server.failing, signal)
      answeredAt = connection.now()
    } finally {
      // A consumer that stops early does not need the rest; aborting closes the connection, which tells the server.
      left.abort()
    }
  }

  const backend: Backend = {
    id,
    stream: (request, { signal } = {}) => answer(request, signal),
    describe: async ({ signal } = {}) => described(id, await unlessAborted(facts(), signal), options),
  }
  return attentive(backend, known)
}

/** The facts, if the caller has given all of them, so that the server need not be asked. */
function factsGiven({ contextWindow, capabilities, think }: OllamaOptions): OllamaFacts | undefined {
  if (contextWindow === undefined || capabilities?.nativeTools === undefined || think !== undefined) return undefined
  const { nativeTools } = capabilities
  return {
    nativeTools,
    thinking: false,
    thinkingValues: null,
    images: null,
    largestWindow: Number.POSITIVE_INFINITY,
    remote: false,
    loaded: null,
  }
}

/** Reports that the model has to be loaded first, if so. */
async function loading(
  id: string,
  window: number,
  loadedWindow: () => Promise<OllamaFacts['loaded']>,
): Promise<string | undefined> {
  const loaded = await loadedWindow()
  if (loaded === null || loaded === window) return undefined
  const how = loaded === 'absent' ? '' : `again, because it has a window of ${loaded}, `
  return `Loading ${id} ${how}with a window of ${window} tokens…`
}

/** An option of the caller goes before the level of a request. */
function thinkOf({ thinking }: ModelRequest, about: OllamaFacts, { think, model }: OllamaOptions): Think {
  if (think !== undefined) return about.thinking ? { think } : {}
  return thinking === undefined ? {} : thinkFor(thinking, model, about)
}

function chatBody(
  request: ModelRequest,
  messages: ReturnType<OllamaPrompts>,
  about: OllamaFacts,
  think: Think['think'],
  options: OllamaOptions,
): object {
  const { temperature, maxOutputTokens, tools } = request
  const { keepAlive = '30m', providerOptions } = options
  const { options: beyond, ...fields } = providerOptions?.['ollama'] ?? {}
  return {
    model: options.model,
    messages,
    stream: true,
    // A prompt that is too long must fail: by default Ollama would drop the oldest messages silently.
    truncate: false,
    shift: false,
    ...(tools.length > 0 && { tools: ollamaTools(request) }),
    ...(think !== undefined && { think }),
    ...(!about.remote && { keep_alive: keepAlive }),
    ...fields,
    options: {
      ...(!about.remote && { num_ctx: windowFor(options.contextWindow, about) }),
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...JsonObject.safeParse(beyond).data,
    },
  }
}

function described(id: string, about: OllamaFacts, { contextWindow: wanted, capabilities }: OllamaOptions) {
  const { nativeTools, images, largestWindow: largest } = about
  const window = windowFor(wanted, about)
  const remedy =
    largest !== null && largest <= window ? 'it was not made for more; take another model' : ollamaServer.remedy
  const notes = [
    largest === null ? 'the server does not tell how large its window can be' : undefined,
    smallWindow(window, remedy),
  ].filter((note) => note !== undefined)
  return capabilitiesOf(
    { id, nativeTools, contextWindow: window, notes, images: images ?? undefined, documents: false },
    capabilities,
  )
}
