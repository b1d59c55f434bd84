import type { Signal } from '@loader/session-core'
import type { Connection } from '../connection/connection.ts'
import { isSameModel, ollamaModel, runningModels } from '../discover/ollama.ts'
import { type Failing, failure, reportedFailure } from '../failures/failure.ts'
import { errorInBody } from '../failures/reported-error.ts'
import { asking } from '../http/ask.ts'
import { deadline } from '../http/deadline.ts'
import type { Reply } from '../http/transport.ts'
import type { OllamaFacts } from './facts.ts'
import { jsonIn } from '../platform/json-text.ts'

const silenceMs = 30_000

/** `aside`: in the background. */
type Urgency = 'awaited' | 'aside'

/** One model on one server, over the connection of one request. */
export interface OllamaServer {
  readonly failing: Failing
  /** Its facts, from `/api/show`. */
  show(urgency: Urgency): Promise<Omit<OllamaFacts, 'loaded'>>
  /** The window it is loaded with; `absent` when it is not loaded, null when the server does not report it. */
  loadedWindow(urgency: Urgency): Promise<OllamaFacts['loaded']>
  /** The body of a successful response. */
  chat(body: object, signal: Signal): Promise<ReadableStream<Uint8Array>>
}

export async function openServer(
  connection: Connection,
  origin: string,
  model: string,
  headers: { readonly [name: string]: string } = {},
): Promise<OllamaServer> {
  const { transport, key, failing } = await connection.open()
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const allHeaders = { ...authorization, ...headers, 'content-type': 'application/json' }

  const post = async (path: string, body: object, signal: Signal, isAside = false): Promise<Reply> => {
    const response = await transport(`${origin}${path}`, {
      method: 'POST',
      headers: allHeaders,
      body: JSON.stringify(body),
      signal,
      ...(isAside && { isAside }),
    })
    if (!response.ok) throw await refusal(response, model, failing)
    return response
  }

  const untilSilent = () =>
    deadline(silenceMs, () => failure(failing, 'connection', `said nothing about itself for ${silenceMs / 1000} s.`))

  return {
    failing,
    async show(urgency) {
      const response = await post('/api/show', { model }, untilSilent(), urgency === 'aside')
      const { largestWindow = null, images = null, ...shown } = ollamaModel(jsonIn(await response.text())) ?? silent
      return { ...shown, images, largestWindow }
    },
    async loadedWindow(urgency) {
      const ask = asking({ transport, headers: allHeaders, signal: untilSilent(), isAside: urgency === 'aside' })
      const entry = [...(await runningModels(origin, ask))].find(([name]) => isSameModel(name, model))
      return entry === undefined ? 'absent' : (entry[1] ?? null)
    },
    async chat(body, signal) {
      const response = await post('/api/chat', body, signal)
      return response.body ?? new ReadableStream({ start: (controller) => controller.close() })
    },
  }
}

/** Assumed for a model about which its server reports nothing. */
const silent = {
  nativeTools: true,
  thinking: false,
  thinkingValues: null,
  images: undefined,
  largestWindow: undefined,
  remote: false,
}

async function refusal(response: Reply, model: string, failing: Failing): Promise<Error> {
  const { status, headers } = response
  const reported = errorInBody(await response.text())
  const { message } = reported
  const advice = status === 404 && /not found/i.test(message) ? `\nRun: ollama pull ${model}` : ''
  const headerOf = (name: string) => headers.get(name)
  return reportedFailure(failing, { ...reported, message: `${message}${advice}` }, { status, headerOf })
}
