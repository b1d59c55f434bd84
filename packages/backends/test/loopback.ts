import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Loopback extends AsyncDisposable {
  readonly url: string
  /** Every request, in order. */
  readonly asked: Asked[]
  /** How each response ended, when none is open any more. */
  settled(): Promise<readonly ('open' | 'sent' | 'left')[]>
}

/** A server on this machine that answers as the test says. */
export async function loopback(
  answer: (asked: Asked, response: ServerResponse) => void | Promise<void>,
): Promise<Loopback> {
  const asked: Asked[] = []
  const ends: ('open' | 'sent' | 'left')[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    const place = asked.push(one) - 1
    ends[place] = 'open'
    response.once('close', () => (ends[place] = response.writableFinished ? 'sent' : 'left'))
    await answer(one, response)
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async settled() {
      // A server learns a moment later that its client has left.
      while (ends.includes('open')) await new Promise((resolve) => setImmediate(resolve))
      return ends
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A server that answers with this JSON, by path; 404 elsewhere. */
export function jsonServer(pages: { readonly [path: string]: unknown }): Promise<Loopback> {
  return loopback(({ path, body }, response) => {
    const page = pages[path]
    const value: unknown = typeof page === 'function' ? page(body === '' ? undefined : JSON.parse(body)) : page
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? { error: { message: 'not found' } }))
  })
}

/** An address where nobody listens. */
export async function deserted(): Promise<string> {
  await using server = await loopback(() => {})
  return server.url
}
