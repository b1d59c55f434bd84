import { createServer, type Server } from 'node:http'
import { LoaderError } from '@loader/session-core'
import type { WorkerHealth } from './worker.ts'

/**
 * Answers a supervisor: `/live` while the process answers at all, `/ready` while it takes sessions and the database answers
 * (503 otherwise), and `/` both. The body says the rest.
 */
export function healthServer(health: () => WorkerHealth, port: number, host: string): Promise<Server> {
  const server = createServer(({ method, url = '/' }, response) => {
    const path = url.split('?')[0]
    const isKnown = (method === 'GET' || method === 'HEAD') && ['/', '/live', '/ready'].includes(path ?? '')
    const { worker, state, reachesStore, sessions, concurrency } = health()
    const ready = state === 'working' && reachesStore
    const status = !isKnown ? 404 : path === '/ready' && !ready ? 503 : 200
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    const body = isKnown
      ? {
          live: true,
          ready,
          worker,
          state,
          store: reachesStore ? 'reached' : 'away',
          sessions: sessions.length,
          concurrency,
        }
      : { error: 'Ask for /live, /ready or /.' }
    response.end(method === 'HEAD' ? undefined : `${JSON.stringify(body)}\n`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const message = `The health endpoint cannot listen on ${host} port ${port}: ${error.message}. Choose another --health-port.`
      reject(new LoaderError('invalid_config', message, { cause: error }))
    })
    server.listen(port, host, () => resolve(server.unref()))
  })
}
