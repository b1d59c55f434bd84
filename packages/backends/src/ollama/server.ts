import type { Signal } from '@loader/session-core'
import type { Connection } from '../connection/connection.ts'
import { isSameModel, type OllamaModel, ollamaModel, runningModels } from '../discover/ollama.ts'
import { type Failing, failure, reportedFailure } from '../failures/failure.ts'
import { errorInBody } from '../failures/reported-error.ts'
import { asking } from '../http/ask.ts'
import { deadline } from '../http/deadline.ts'
import type { Reply } from '../http/transport.ts'
import { jsonIn } from '../platform/json-text.ts'

const patienceMs = 30_000

/** One model on one server, with the connection of one request. */
export interface OllamaServer {
  readonly failing: Failing
  /** What it is, from `/api/show`. */
  show(): Promise<OllamaModel>
  /** The window that it is loaded with, if the server tells; `absent` when it is not loaded. */
  loadedWindow(): Promise<number | 'absent' | undefined>
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

  const post = async (path: string, body: object, signal: Signal): Promise<Reply> => {
    const response = await transport(`${origin}${path}`, {
      method: 'POST',
      headers: allHeaders,
      body: JSON.stringify(body),
      signal,
    })
    if (!response.ok) throw await refusal(response, model, failing)
    return response
  }

  const patience = () =>
    deadline(patienceMs, () => failure(failing, 'connection', `said nothing about itself for ${patienceMs / 1000} s.`))

  return {
    failing,
    async show() {
      const response = await post('/api/show', { model }, patience())
      const shown = ollamaModel(jsonIn(await response.text()))
      return shown ?? { nativeTools: true, thinking: false, largestWindow: undefined, remote: false }
    },
    async loadedWindow() {
      const running = await runningModels(origin, asking({ transport, headers: allHeaders, signal: patience() }))
      const entry = [...running].find(([name]) => isSameModel(name, model))
      return entry === undefined ? 'absent' : entry[1]
    },
    async chat(body, signal) {
      const response = await post('/api/chat', body, signal)
      return response.body ?? new ReadableStream({ start: (controller) => controller.close() })
    },
  }
}

async function refusal(response: Reply, model: string, failing: Failing): Promise<Error> {
  const { status, headers } = response
  const { message, words } = errorInBody(await response.text())
  const advice = status === 404 && /not found/i.test(message) ? `\nRun: ollama pull ${model}` : ''
  const headerOf = (name: string) => headers.get(name)
  return reportedFailure(failing, { message: `${message}${advice}`, words }, { status, headerOf })
}
