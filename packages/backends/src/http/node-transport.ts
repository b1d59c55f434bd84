import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Variables } from '../platform/variables.ts'
import { lazy } from '../platform/lazy.ts'
import { isLoopback, knowsProxies, proxyVariables } from './proxy.ts'
import { type Reply, replyWith, type Transport, type TransportRequest } from './transport.ts'

const withoutBody = new Set([101, 204, 205, 304])

/**
 * Sends requests with Node's HTTP client. Node's `fetch` gives up after five minutes without a header, which no option
 * changes, and a large model takes longer to load; here only our own timeouts apply. It uses the proxy that the
 * variables name, except for this machine, and follows no redirects, so that keys are not sent elsewhere.
 */
export function nodeTransport(variables: Variables): Transport {
  const proxy = proxyVariables(variables)
  const direct = clientOn(undefined)
  const proxied = clientOn(proxy)
  return (target, request) => {
    const url = new URL(target)
    const viaProxy = proxy !== undefined && !isLoopback(url)
    const sent = send(url, request, viaProxy ? proxied : direct)
    return viaProxy && !knowsProxies(process.version) ? sent.catch(blameProxy) : sent
  }
}

function blameProxy(error: unknown): never {
  if (!(error instanceof Error) || error.name === 'AbortError') throw error
  const why = `Node ${process.version} cannot use the proxy that the environment names; 22.21, 24.5 and newer can`
  throw new Error(`${error.message}. ${why}`)
}

type Client = (url: URL, options: RequestOptions) => ClientRequest

/** Reuses connections. */
function clientOn(proxyEnv: Variables | undefined): Client {
  // Loaded on demand: importing them takes a third of a program's start time, and most runs ask no model.
  const options = { keepAlive: true, ...(proxyEnv && { proxyEnv }) }
  const plain = lazy(() => {
    const { Agent, request } = process.getBuiltinModule('node:http')
    return { agent: new Agent(options), request }
  })
  const secure = lazy(() => {
    const { Agent, request } = process.getBuiltinModule('node:https')
    return { agent: new Agent(options), request }
  })
  return (url, wanted) => {
    const { agent, request } = url.protocol === 'https:' ? secure() : plain()
    return request(url, { ...wanted, agent })
  }
}

function send(url: URL, wanted: TransportRequest = {}, client: Client): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', signal, body, isAside = false } = wanted
    signal?.throwIfAborted()
    // Compression would delay streamed data, and bodies are not decompressed here.
    const headers = { ...wanted.headers, 'accept-encoding': 'identity' }
    const request = client(url, { method, headers })
    request.on('response', (message) => resolve(replyOf(message)))
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    // Destroys only this request, so that its connection stays usable for others.
    const abort = () => void request.destroy()
    signal?.addEventListener('abort', abort)
    if (isAside) request.on('socket', (socket) => socket.unref())
    request.on('close', () => signal?.removeEventListener('abort', abort))
    request.end(body)
  })
}

function replyOf(message: IncomingMessage): Reply {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  const fields = Object.entries(message.headersDistinct).map(
    ([name, values = []]) => [name, values.join(', ')] as const,
  )
  const hasBody = !withoutBody.has(status)
  if (!hasBody) message.resume()
  return replyWith({ status, statusText, headers: new Map(fields) }, hasBody ? bodyOf(message) : null)
}

/** Cancelling the stream closes the socket. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await chunks.next()
      if (chunk.done) controller.close()
      else controller.enqueue(chunk.value)
    },
    cancel() {
      message.destroy()
    },
  })
}
