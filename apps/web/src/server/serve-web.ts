import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { LoaderError } from '@loader/session-core'
import { appOf } from './app.ts'
import { inUrl, isLoopback, type OwnAddress, ownAddress } from './guards/address.ts'
import { Keys } from './guards/keys.ts'
import { readPage } from './page-files.ts'
import type { Acting } from './ports/acting.ts'
import type { ServedSessions } from './ports/served-sessions.ts'
import { OpenStreams } from './streams/open-streams.ts'

/** What a server of the page is started with. */
export interface WebOptions {
  readonly sessions: ServedSessions
  /** Carries out what the page asks for; absent where it only shows. */
  readonly acting?: Acting
  /** The folder of the built page. */
  readonly pageFolder: string
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** The address that browsers use, where something else is in front of the server. */
  readonly url?: URL
  /** A token of the user's own; without it one is made. */
  readonly token?: string
  readonly version: string
  readonly store: string
  readonly project: string
  readonly readOnly: boolean
  /** Whether there are workers that tasks can be given to. */
  readonly fleet?: boolean
  readonly report: (error: unknown) => void
}

/** A server that runs. */
export interface WebServer {
  readonly port: number
  /** With the token in its fragment, which no browser sends to anyone. */
  readonly address: string
  /** Ends every answer, also those without an end, and then the server. */
  close(): Promise<void>
}

/** Shorter ones could be guessed by trying. */
const shortestToken = 20

/** Starts the server. Rejects with the error of the system where the port cannot be had. */
export async function serveWeb(options: WebOptions): Promise<WebServer> {
  const { host, port, url, version, store, project, readOnly, report } = options
  const token = requireGoodToken(options)
  const page = readPage(options.pageFolder)
  const streams = new OpenStreams(report)
  let own: OwnAddress | undefined
  const app = appOf({
    sessions: options.sessions,
    acting: options.acting,
    keys: new Keys(token),
    page,
    streams,
    address: () => own ?? { hosts: new Set(), origins: new Set() },
    about: { version, store, project, readOnly, fleet: options.fleet ?? false, transport: transportOf(options) },
    instance: randomBytes(9).toString('base64url'),
    report,
  })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer(limits, (request, response) => void answer(request, response))
  server.maxConnections = mostConnections
  await listening(server, host, port)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens at no port.')
  own = ownAddress(host, address.port, url)
  const shown =
    url?.href ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : inUrl(host)}:${address.port}/`
  return {
    port: address.port,
    address: `${shown}#token=${encodeURIComponent(token)}`,
    async close() {
      streams.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const late = setTimeout(() => server.closeAllConnections(), 500)
      await closed
      clearTimeout(late)
    },
  }
}

/** A client that is slow to ask, or asks with megabytes of headers, is left; others do not notice. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 10_000,
} as const

const mostConnections = 256

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function transportOf({ host, url }: Pick<WebOptions, 'host' | 'url'>): 'loopback' | 'encrypted' | 'plain' {
  if (url !== undefined)
    return url.protocol === 'https:' ? 'encrypted' : isLoopback(url.hostname) ? 'loopback' : 'plain'
  return isLoopback(host) ? 'loopback' : 'plain'
}

/** On a network everybody can try, so the token is one that the user has chosen to hand out. */
function requireGoodToken({ token, host, url }: WebOptions): string {
  if (token !== undefined) {
    if (/^[\w.~+/=-]+$/.test(token) && token.length >= shortestToken) return token
    throw new LoaderError(
      'invalid_config',
      `The token must have at least ${shortestToken} letters or digits. Make one: openssl rand -hex 24`,
    )
  }
  if (isLoopback(host) && url === undefined) return randomBytes(32).toString('base64url')
  throw new LoaderError(
    'invalid_config',
    `Others can reach ${url?.host ?? host}, so it needs a token of your own: set LOADER_WEB_TOKEN, or --token-file.`,
  )
}
