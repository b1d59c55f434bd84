import {
  type Backend,
  type BackendEvent,
  JsonObject,
  type ModelCapabilities,
  type ModelRequest,
  type Signal,
} from '@loader/session-core'
import { type ConnectionOptions, connectionTo } from '../connection/connection.ts'
import { type OllamaModel, ollamaServer } from '../discover/ollama.ts'
import { ollamaOrigin } from '../discover/ollama-origin.ts'
import { capabilitiesOf, smallWindow } from '../model/capabilities.ts'
import { once } from '../platform/once.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { chatEvents } from './chat-events.ts'
import { type OllamaPrompts, ollamaPrompts, ollamaTools } from './messages.ts'
import { type OllamaServer, openServer } from './server.ts'
import { whileWaiting } from './waiting.ts'
import { windowFor } from './window.ts'

export interface OllamaOptions extends ConnectionOptions {
  readonly model: string
  /** Whether, or how much, a model thinks that can; by default as its server has it. */
  readonly think?: boolean | 'low' | 'medium' | 'high'
  /** How long the model stays loaded after a request, such as `30m`, the default. Tools may run long between two. */
  readonly keepAlive?: string | number
  /** How often to say that nothing has come yet. */
  readonly statusEveryMs?: number
}

const second = 1000
const minute = 60 * second

/** Ollama is silent while a model writes the arguments of a call. */
const patientTimeOuts = { betweenChunksMs: 10 * minute }

/** What was found out about the model when it was first used. */
interface Profile {
  readonly model: OllamaModel
  readonly window: number
  /** The window that it was loaded with at that time. */
  readonly loaded: number | 'absent' | undefined
  readonly askedAt: number
}

/** A model on Ollama, spoken to in its own way: only there a request can say how large a window it needs. */
export function ollama(options: OllamaOptions): Backend {
  const { model, id = `ollama/${model}`, contextWindow: wanted, statusEveryMs = 5 * second } = options
  const timeOuts = { ...patientTimeOuts, ...options.timeOuts }
  const place = { id, provider: 'ollama', keyVariable: 'OLLAMA_API_KEY' }
  const connection = connectionTo(place, { ...options, timeOuts })
  const origin = ollamaOrigin(connection.variables, options.baseUrl)
  const open = () => openServer(connection, origin, model, options.headers)

  const profile = once(async (): Promise<Profile> => {
    const server = await open()
    const [shown, loaded] = await Promise.all([server.show(), server.loadedWindow()])
    const facts = { wanted, model: shown, loaded: loaded === 'absent' ? undefined : loaded }
    return { model: shown, window: windowFor(facts), loaded, askedAt: connection.now() }
  })
  let answeredAt = Number.NEGATIVE_INFINITY
  const prompts = ollamaPrompts()

  async function* answer(request: ModelRequest, signal: Signal | undefined): AsyncGenerator<BackendEvent, void> {
    const known = await unlessAborted(profile(), signal)
    const server = await unlessAborted(open(), signal)
    const left = new AbortController()
    try {
      // Whoever answered a moment ago is still there.
      const isFresh = connection.now() - answeredAt < minute
      if (!isFresh && !known.model.remote) yield* loading(server, known, connection.now(), signal)
      const chat = server.chat(chatBody(request, prompts(request), known, options), eitherSignal(left.signal, signal))
      yield* whileWaiting(chat, statusEveryMs, (seconds) => `Waiting for ${id} (${seconds} s)…`)
      yield* chatEvents(await chat, request.requestId, server.failing, signal)
      answeredAt = connection.now()
    } finally {
      // Whoever leaves early does not want the rest; the server is told by closing the connection.
      left.abort()
    }
  }

  return {
    id,
    stream: (request, { signal } = {}) => answer(request, signal),
    describe: async ({ signal } = {}) => described(id, await unlessAborted(profile(), signal), options),
  }
}

/** Says that the model has to be loaded first, when it has. */
async function* loading(
  server: OllamaServer,
  { window, loaded: last, askedAt }: Profile,
  now: number,
  signal: Signal | undefined,
): AsyncGenerator<BackendEvent, void> {
  const loaded = now - askedAt < second ? last : await unlessAborted(server.loadedWindow(), signal)
  if (loaded === undefined || loaded === window) return
  const how = loaded === 'absent' ? '' : `again, because it has a window of ${loaded}, `
  yield { type: 'status', message: `Loading ${server.failing.id} ${how}with a window of ${window} tokens…` }
}

function chatBody(
  request: ModelRequest,
  messages: ReturnType<OllamaPrompts>,
  { model, window }: Profile,
  options: OllamaOptions,
): object {
  const { temperature, maxOutputTokens, tools } = request
  const { think, keepAlive = '30m', providerOptions } = options
  const { options: beyond, ...fields } = providerOptions?.['ollama'] ?? {}
  return {
    model: options.model,
    messages,
    stream: true,
    // What does not fit is an error. By default the oldest messages would go, and nobody would be told.
    truncate: false,
    shift: false,
    ...(tools.length > 0 && { tools: ollamaTools(request) }),
    ...(think !== undefined && model.thinking && { think }),
    ...(!model.remote && { keep_alive: keepAlive }),
    ...fields,
    options: {
      ...(!model.remote && { num_ctx: window }),
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...JsonObject.safeParse(beyond).data,
    },
  }
}

function described(id: string, { model, window }: Profile, { capabilities }: OllamaOptions): ModelCapabilities {
  const largest = model.largestWindow
  const remedy =
    largest !== undefined && largest <= window ? 'it was not made for more; take another model' : ollamaServer.remedy
  const notes = [
    largest === undefined ? 'the server does not tell how large its window can be' : undefined,
    smallWindow(window, remedy),
  ].filter((note) => note !== undefined)
  return capabilitiesOf({ id, nativeTools: model.nativeTools, contextWindow: window, notes }, capabilities)
}
