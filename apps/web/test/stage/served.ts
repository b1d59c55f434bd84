import { builtPage } from '@loader/test-browser'
import { type Environment, MemoryStore, Session, type SessionStore } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import type { ServedSessions } from '../../src/server/ports/served-sessions.ts'
import { serveWeb, type WebOptions, type WebServer } from '../../src/server/serve-web.ts'
import { sessionsOf } from './sessions-of.ts'

export type Overrides = Partial<Omit<WebOptions, 'sessions'>> & { readonly sessions?: ServedSessions }

export interface Served extends AsyncDisposable {
  readonly server: WebServer
  readonly origin: string
  readonly token: string
  readonly faults: readonly unknown[]
}

/** A server of the page, in this process. */
export async function served(store: SessionStore, overrides: Overrides = {}): Promise<Served> {
  const faults: unknown[] = []
  const server = await serveWeb({
    sessions: sessionsOf(store),
    pageFolder: builtPage(),
    host: '127.0.0.1',
    port: 0,
    version: '0.0.0',
    store: 'memory',
    project: '/project',
    readOnly: true,
    report: (error) => faults.push(error),
    ...overrides,
  })
  const token = decodeURIComponent(server.address.split('#token=')[1] ?? '')
  return {
    server,
    origin: `http://127.0.0.1:${server.port}`,
    token,
    faults,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** A store with one open session. */
export async function storeWithSession(environment: Environment = fixedEnvironment()) {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment, title: 'One' })
  return { store, session }
}
