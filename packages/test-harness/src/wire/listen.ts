import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface Listening {
  readonly url: string
  readonly closed: Promise<void>
  readonly close: () => Promise<void>
}

/** Listens on this machine only. Closing also ends unfinished replies. */
export async function listen(
  port: number,
  take: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const server = createServer((request, response) => void take(request, response))
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const close = () => {
    server.close()
    server.closeAllConnections()
    return closed
  }
  return { url: `http://127.0.0.1:${address.port}`, closed, close }
}
