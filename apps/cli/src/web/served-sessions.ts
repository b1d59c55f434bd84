import { randomBytes } from 'node:crypto'
import { compareRows, LoaderError, pageOf, readSession, type SessionRow, summarize } from '@loader/session-core'
import { findProject, type Project } from '@loader/workspace'
import type { ListedSession } from '@loader/readings'
import type { ServedSession, ServedSessions, WaitsFor } from '@loader/web/server'
import { treesOf } from '../diffs/difference.ts'
import { diffOfSession } from '../diffs/diff-of-session.ts'
import { exportText } from '../export/export-text.ts'
import { asTheyAre, foundIn, type Source, withSizes } from '../listing/sources.ts'
import { Redactor } from '../redact/redactor.ts'
import { searchFor } from '../tables/search.ts'
import { redactedSession } from './redacted-session.ts'
import { allSources, type Located, located, type ServedFrom } from './sessions/located.ts'
import type { Standings } from './standing/standings.ts'

/** The most sessions that are listed of a database. */
const mostOfDatabase = 2_000

type ListRequest = Parameters<ServedSessions['list']>[0]

/** Every session that this user can list, for the page. `secrets` are those that this user has, whatever they look like. */
export function servedSessions(
  from: ServedFrom,
  { standings, secrets }: { readonly standings: Standings; readonly secrets: readonly string[] },
): ServedSessions {
  const redactor = new Redactor(randomBytes(32), secrets)
  return {
    async list(query) {
      const answer = await listed(await allSources(from), query)
      return { ...answer, waiting: await waitingOf(answer.sessions, from, standings) }
    },
    async find(id) {
      const session = await located(id, from)
      return session && served(session, { from, redactor, standings })
    },
  }
}

/** What the open sessions of a page wait for. */
async function waitingOf(
  rows: readonly ListedSession[],
  from: ServedFrom,
  standings: Standings,
): Promise<Record<string, WaitsFor>> {
  const waiting: Record<string, WaitsFor> = {}
  for (const { id, status, gone } of rows) {
    if (status !== 'open' || gone === true) continue
    const session = await located(id, from)
    const waitsFor = session && (await standings.waitsFor(session).catch(nothing))
    if (waitsFor !== undefined) waiting[id] = waitsFor
  }
  return waiting
}

/** One session that cannot be read must not fail the list. */
function nothing(error: unknown): undefined {
  if (!LoaderError.is(error)) throw error
}

async function listed(sources: readonly Source[], query: ListRequest): ReturnType<ServedSessions['list']> {
  const { limit = 100, cursor, search } = query
  const unreadable: { readonly root: string; readonly reason: string }[] = []
  const all: ListedSession[] = []
  const sourceOf = new Map<ListedSession, Source>()
  for (const source of sources) {
    try {
      for (const row of await rowsOf(source, search, limit)) {
        all.push(row)
        sourceOf.set(row, source)
      }
    } catch (error) {
      // Of several folders the others are shown. A database is all that there is: one that is away has not lost its sessions.
      if (!LoaderError.is(error) || typeof source.where !== 'string') throw error
      unreadable.push({ root: source.root, reason: error.message })
    }
  }
  const matching = all.filter(isWanted(query)).toSorted(compareRows)
  const page = pageOf(matching, { limit, ...(cursor !== undefined && { cursor }) })
  const shown = new Set<SessionRow>(page.rows)
  // Search the files of a source once, even if several of its sessions are on the page.
  const sessions = sources
    .flatMap((source) =>
      withSizes(
        source,
        matching.filter((row) => shown.has(row) && sourceOf.get(row) === source),
      ),
    )
    .toSorted(compareRows)
  return {
    sessions,
    unreadable,
    projects: [...new Set(all.map(({ root }) => root))].toSorted(),
    ...(page.cursor !== undefined && { cursor: page.cursor }),
    ...(search === undefined && { total: matching.length }),
  }
}

async function rowsOf(source: Source, search: string | undefined, limit: number): Promise<ListedSession[]> {
  const matchesOf = search === undefined ? undefined : searchFor(search, source.where)
  const most = typeof source.where === 'string' ? Number.POSITIVE_INFINITY : mostOfDatabase
  return asTheyAre(source, await foundIn(source, search === undefined ? most : limit, matchesOf))
}

function isWanted({ text, verdict, activity, project }: ListRequest): (row: ListedSession) => boolean {
  const wanted = text?.toLowerCase()
  return (row) =>
    (verdict === undefined || row.verdict === verdict) &&
    (activity === undefined || row.activity === activity) &&
    (project === undefined || row.root === project || row.project === project) &&
    (wanted === undefined || wordsOf(row).includes(wanted))
}

function wordsOf({ id, title, lastExcerpt, metadata }: SessionRow): string {
  return `${id}\n${title}\n${lastExcerpt}\n${JSON.stringify(metadata)}`.toLowerCase()
}

interface ServedParts {
  readonly from: ServedFrom
  readonly redactor: Redactor
  readonly standings: Standings
}

function served(session: Located, { from, redactor, standings }: ServedParts): ServedSession {
  const { id, source, store } = session
  const shown: ServedSession = {
    store,
    async row() {
      const row = summarize((await readSession(store, id, { gaps: 'mark' })).state)
      const [found] = await asTheyAre(source, [{ source, row }])
      if (found === undefined) throw new LoaderError('session_not_found', `There is no session ${id}.`)
      return found
    },
    async diff(wanted) {
      const { state, history } = await readSession(store, id, { gaps: 'mark' })
      return diffOfSession(id, history, wanted, () => {
        return treesOf(projectOf(summarize(state), source, from), from.console.environment)
      })
    },
    standing: () => standings.of(session),
    async exported(format) {
      const { state, history } = await readSession(store, id, { gaps: 'mark' })
      const row = summarize(state)
      const places = { ...from.places, project: () => projectOf(row, source, from) }
      const chosen = { places, store, row, state, history }
      const wanted = format === 'markdown' ? 'md' : format
      const { text } = await exportText(chosen, wanted, redactor, from.console)
      return { text, type: types[format] }
    },
    redacted: () => Promise.resolve(redactedSession(id, shown, redactor)),
  }
  return shown
}

const types = { json: 'application/json', html: 'text/html', markdown: 'text/markdown' } as const

/** The project on this machine: of a session in a database, the folder that it was begun in. */
function projectOf(
  { id, project }: SessionRow,
  { where, root, gone }: Source,
  { places, console }: ServedFrom,
): Project {
  const folder = typeof where === 'string' ? root : project
  if (folder === null || gone) {
    throw new LoaderError(
      'unsupported',
      `The project of session ${id} is not on this machine, and its trees are not either.`,
    )
  }
  const own = places.project()
  return own.root === folder ? own : findProject(folder, { variables: console.environment })
}
