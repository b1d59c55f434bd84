import type { StoredEvent } from '@loader/session-core'
import type { ListedSession } from '@loader/readings'
import {
  dataElement,
  type DiffAnswer,
  type DiffRequest,
  type Hello,
  type LinkAnswer,
  type ListAnswer,
  type ListRequest,
  type FleetAnswer,
  type PageData,
  paths,
  type Standing,
} from '../../protocol.ts'
import type { Connection } from './connection.ts'
import { listWire } from './follow-list.ts'
import { sessionWire } from './follow-session.ts'
import { keepConnected } from './keep-connected.ts'
import { ask, askJson, logIn, RequestError } from './login.ts'

/** Where a page gets its sessions: from a server, or from data in the page itself. Views do not know which. */
export interface Source {
  readonly kind: 'server' | 'export'
  hello(): Promise<Hello>
  list(query?: ListRequest): Promise<ListAnswer>
  session(id: string): Promise<ListedSession>
  /** Follows the first page of a list, until the returned function is called. */
  followList(query: ListRequest, on: FollowList): () => void
  /** Follows a session from an event on, until the returned function is called. */
  follow(id: string, after: number, on: Follow): () => void
  /** A long text, by the name that an event gives it. */
  blob(id: string, name: string): Promise<string>
  diff(id: string, wanted?: DiffRequest): Promise<DiffAnswer>
  /** An address that shows this session alone. */
  link(id: string): Promise<string>
  /** The session as a file, with secrets replaced. */
  exported(id: string, format: ExportFormat): Promise<Blob>
  /** The workers of a database, and what stands in line. */
  fleet(): Promise<FleetAnswer>
}

/** What a session can be exported as. */
export type ExportFormat = 'html' | 'markdown' | 'json'

interface FollowList {
  readonly list: (list: ListAnswer) => void
  readonly connection: (connection: Connection) => void
  /** Goes on while the page is hidden. */
  readonly staysHidden?: boolean
}

interface Follow {
  /** Events in the order of their seqs, each once; those that came together in one call. */
  readonly events: (events: readonly StoredEvent[]) => void
  /**
   * All words of the current answer after the last event; they replace those of the call before. They are not durable
   * yet, and come again among the events.
   */
  readonly partial?: (events: readonly StoredEvent[]) => void
  /** What can be done with it, and what it asks; told anew whenever that has changed. */
  readonly standing?: (standing: Standing) => void
  /** What to show of the connection, after every change of it. */
  readonly connection: (connection: Connection) => void
}

/** Opens the source of this page, and logs in where its address has a token. */
export async function openSource(): Promise<Source> {
  const element = document.getElementById(dataElement)
  if (element !== null) return exportSource(JSON.parse(element.textContent ?? '') as PageData)
  await logIn()
  // A token may also be pasted into the address of a page that is open.
  window.addEventListener('hashchange', () => void logIn())
  return serverSource
}

const serverSource: Source = {
  kind: 'server',
  hello: () => askJson<Hello>(paths.hello),
  list: (query = {}) => askJson<ListAnswer>(paths.sessions, query),
  session: (id) => askJson<ListedSession>(paths.session(id)),
  followList: (query, { list, connection, staysHidden }) =>
    keepConnected({ after: 0, open: listWire(query, list), staysHidden, onConnection: connection }),
  follow(id, after, on) {
    const batch = batches(on.events)
    const onConnection = (connection: Connection) => {
      // What the connection says must hold for the events that were delivered before it.
      batch.flush()
      on.connection(connection)
    }
    const partial = (events: readonly StoredEvent[]) => {
      batch.flush()
      on.partial?.(events)
    }
    const standing = (told: Standing) => {
      batch.flush()
      on.standing?.(told)
    }
    return keepConnected({ after, open: sessionWire(id, { event: batch.add, partial, standing }), onConnection })
  },
  blob: async (id, name) => (await ask(paths.blob(id, name))).text(),
  diff: (id, wanted = {}) => askJson<DiffAnswer>(paths.diff(id), wanted),
  async link(id) {
    const { fragment } = await askJson<LinkAnswer>(paths.link(id))
    return `${location.origin}${location.pathname}${fragment}`
  },
  exported: async (id, format) => (await ask(paths.export(id), { format })).blob(),
  fleet: () => askJson<FleetAnswer>(paths.fleet),
}

/** Events that come in one piece are given on in one call. */
function batches(tell: (events: readonly StoredEvent[]) => void) {
  let waiting: StoredEvent[] = []
  const flush = () => {
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    tell(events)
  }
  return {
    add: (event: StoredEvent) => {
      if (waiting.push(event) === 1) queueMicrotask(flush)
    },
    flush,
  }
}

/** The data that an export brings along. */
function exportSource({ document: exported, row, diffs = {} }: PageData): Source {
  const listed: ListedSession = { ...row, root: row.project ?? '' }
  const refuse = (what: string) => Promise.reject(new RequestError('unsupported', `An export has no ${what}.`))
  return {
    kind: 'export',
    hello: () =>
      Promise.resolve({
        protocol: 1,
        build: '',
        version: exported.loader,
        scope: { kind: 'session', id: row.id },
        readOnly: true,
        fleet: false,
        transport: 'loopback',
        store: `export of ${exported.exportedAt}`,
        project: row.project ?? '',
        now: new Date().toISOString(),
      }),
    list: () => Promise.resolve({ sessions: [listed], unreadable: [], projects: [listed.root], total: 1 }),
    session: () => Promise.resolve(listed),
    followList(_query, on) {
      on.list({ sessions: [listed], unreadable: [], projects: [listed.root], total: 1 })
      return () => undefined
    },
    follow(_id, after, on) {
      on.events(exported.events.filter(({ seq }) => seq > after))
      return () => undefined
    },
    blob: (_id, name) => {
      const text = Object.hasOwn(exported.blobs, name) ? exported.blobs[name] : undefined
      return text === undefined ? refuse(`text ${name}`) : Promise.resolve(text)
    },
    diff: (_id, { turn, call } = {}) => {
      const answer = diffs[call === undefined ? (turn === undefined ? 'all' : `turn ${turn}`) : `call ${call}`]
      return answer === undefined ? refuse('trees of the files') : Promise.resolve(answer)
    },
    link: () => refuse('server'),
    exported: () => refuse('server'),
    fleet: () => refuse('server'),
  }
}
