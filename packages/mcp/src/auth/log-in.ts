import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import type { Signal } from '@loader/session-core'
import type { McpServer } from '../config/server-settings.ts'
import { anySchema } from '../transport/any-schema.ts'
import { limitedFetch } from '../transport/limited-fetch.ts'
import { loopback } from './loopback.ts'
import { Login } from './oauth-provider.ts'
import type { LoginStore } from './token-store.ts'

/** What a login needs: the server, where its result is kept, and a way to show an address to the user. */
export interface LogInOptions {
  readonly name: string
  readonly server: McpServer
  readonly logins: LoginStore
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly signal: Signal
  /** Shows the address to the user, or opens it. */
  open(address: string): Promise<void>
}

const patienceMs = 10 * 60 * 1000

/**
 * Logs in with a server: the browser of the user returns to an address of this machine, with a code that is worth
 * something only together with a secret that stays here. `not_needed`: the server asked for no login.
 */
export async function logIn(options: LogInOptions): Promise<'logged_in' | 'not_needed'> {
  const { name, server, logins: store, variables, signal } = options
  const returning = await loopback(server.oauth?.port)
  const over = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const login = new Login({
      name,
      server,
      store,
      variables,
      redirect: { url: returning.url, open: (url) => options.open(url.href) },
    })
    // The browser may be back before the library is done.
    const back = returning.returned(() => login.expectedState)
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(server.url ?? ''), {
        authProvider: login,
        ...(server.headers && { requestInit: { headers: server.headers } }),
        fetch: limitedFetch(() => undefined),
      })
    // A user who logs in again wants to replace the kept login.
    login.invalidateCredentials('tokens')
    const first = transport()
    try {
      await connect(first, options)
      return 'not_needed'
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    await first.finishAuth(await unlessOver(back, over))
    await connect(transport(), options)
    return 'logged_in'
  } finally {
    returning.close()
  }
}

async function connect(transport: StreamableHTTPClientTransport, { version }: LogInOptions): Promise<void> {
  const client = new Client({ name: 'loader', version }, { jsonSchemaValidator: anySchema })
  try {
    await client.connect(transport)
    // Some servers let everybody connect, and want a login for what they offer.
    if (client.getServerCapabilities()?.tools !== undefined) await client.listTools()
  } finally {
    await client.close().catch(() => undefined)
  }
}

function unlessOver<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('nobody came back from the browser'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject)
  })
}
