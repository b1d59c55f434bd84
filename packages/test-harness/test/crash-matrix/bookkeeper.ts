import {
  isSessionEvent,
  LoaderError,
  type History,
  readSession,
  Session,
  type SessionStore,
} from '@loader/session-core'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type CrashPorts, line, ScriptedBackend } from '../../src/index.ts'
import { runTurn, startTurn, type Tools } from '../../examples/own-loop.ts'
import { linesStore } from './lines-store.ts'

/** An agent that writes one line into a ledger. Whatever happens, the line is never there twice. */

export interface Folder {
  readonly root: string
}

export interface Books {
  readonly ledger: readonly string[]
  readonly outcome: string
}

export function storeOf({ root }: Folder): SessionStore {
  return linesStore(root)
}

export function scenario(ports: CrashPorts<Folder>): Promise<Books> {
  return work(ports, ports.store, { book: () => book(ports) })
}

export const resume = scenario

/** Opens the session or goes on with it, until the turn is over. */
export async function work(ports: CrashPorts<Folder>, store: SessionStore, tools: Tools): Promise<Books> {
  const before = await historyOf(ports.store)
  const script = [line('I book it.', call('book', {})), line('Done.')]
  const backend = ScriptedBackend.from(script, { after: before })
  const session = await openOrLoad(ports, store)
  if (session.state.turn === null && session.state.messages.length === 0) await startTurn(session, 'Book the invoice.')
  await runTurn(session, backend, tools)
  await session.close()
  return books(ports)
}

export async function book({ effect, world }: CrashPorts<Folder>): Promise<string> {
  await effect('book', async () => appendFileSync(ledgerOf(world), 'invoice 7\n'))
  return 'Booked.'
}

export function problemsOf({ ledger, outcome }: Books): readonly string[] {
  return [
    ...(ledger.length > 1 ? [`booked ${ledger.length} times`] : []),
    ...(outcome === 'ok' && ledger.length === 0 ? ['said to be booked, but is not'] : []),
  ]
}

async function openOrLoad({ environment }: CrashPorts<Folder>, store: SessionStore): Promise<Session> {
  try {
    return await Session.load(store, 'books', { environment })
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return Session.open(store, { environment, id: 'books' })
    throw error
  }
}

async function historyOf(store: SessionStore): Promise<History> {
  try {
    return (await readSession(store, 'books')).history
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return []
    throw error
  }
}

async function books({ world, store }: CrashPorts<Folder>): Promise<Books> {
  const { history } = await readSession(store, 'books')
  const events = history.filter(isSessionEvent)
  const outcomes = events.flatMap((event) => (event.type === 'tool.finished' ? [event.outcome] : []))
  const ledger = existsSync(ledgerOf(world)) ? readFileSync(ledgerOf(world), 'utf8').split('\n').slice(0, -1) : []
  return { ledger, outcome: outcomes.join() }
}

function ledgerOf({ root }: Folder): string {
  return join(root, 'ledger')
}
