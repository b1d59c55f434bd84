import { createServer, type ServerResponse } from 'node:http'

/** An address of this machine that the browser returns to at the end of a login. */
export interface Loopback {
  readonly url: string
  /** What the browser brought back for the login with this state. */
  returned(state: () => string | undefined): Promise<URLSearchParams>
  close(): void
}

const path = '/callback'
const page = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>Loader</title><p>${text}</p><p>You can close this page.</p>`

/** Listens on the loopback only, for one answer. Other requests are refused. */
export async function loopback(port = 0): Promise<Loopback> {
  let taken: ((parameters: URLSearchParams) => void) | undefined
  let expected: () => string | undefined = () => undefined
  const waiting = new Promise<URLSearchParams>((resolve) => (taken = resolve))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const state = expected()
    if (request.method !== 'GET' || url.pathname !== path) return answer(response, 404, 'There is nothing here.')
    if (state === undefined || url.searchParams.get('state') !== state) {
      return answer(response, 400, 'This is not the answer to the login that is going on.')
    }
    const failed = url.searchParams.has('error')
    answer(response, failed ? 400 : 200, failed ? 'The login was refused.' : 'You are logged in.')
    taken?.(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${own}${path}`,
    returned(state) {
      expected = state
      return waiting
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
  response.end(page(text))
}
