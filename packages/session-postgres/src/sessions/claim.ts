import {
  type Claim,
  type ClaimOptions,
  isSessionEvent,
  LoaderError,
  parseState,
  type RecoveryFinding,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { failureOf } from '../database/failure.ts'
import type { Time } from '../database/time.ts'
import { standing as standingStatement } from '../stored/statements.ts'
import { PostgresSessionWriter } from '../writer/writer.ts'
import {
  currentHolder,
  describeHolder,
  holderText,
  isFree,
  type Processes,
  type HolderStanding,
  standingOf,
} from '../stored/holder.ts'
import { notFound } from '../stored/presence.ts'
import { type RowPlace, placeOf } from '../stored/place.ts'
import { eventOf, eventsBetween } from '../stored/read.ts'
import * as statements from './statements.ts'
import { sweepBlobs } from './sweep-blobs.ts'

export interface ClaimParts {
  readonly database: Database
  readonly tenant: string
  readonly processes: Processes | undefined
  readonly leaseMs: number
  readonly time: Time
  /** Called when something was stored. */
  readonly onStored: () => void
}

type Row = Readonly<Record<string, unknown>>
interface Claimed {
  readonly row: Row
  readonly token: string
  readonly since: number
  readonly findings: readonly RecoveryFinding[]
}

export async function claimSession(parts: ClaimParts, id: string, options: ClaimOptions): Promise<Claim> {
  const place = placeOf(parts.tenant, id)
  const { row, token, since, findings } = await take(parts, place, id, options)
  const headSeq = Number(row['head_seq'] ?? 0)
  const writer = new PostgresSessionWriter({
    ...parts,
    place,
    id: String(row['id']),
    epoch: Number(row['epoch']),
    token,
    headSeq,
    since,
  })
  try {
    const state = stateOf(row['state'], headSeq)
    const events = await eventsAfter(parts.database, place, row, state)
    await writer.goAbove(lastEpoch(state, events))
    if (isCutOff(row)) await sweepBlobs(parts.database, place, writer, headSeq)
    return { writer, state, events, report: { findings } }
  } catch (error) {
    await writer.release()
    throw error
  }
}

/** How often to retry while other processes claim and release the session. */
const mostTries = 10

/** Takes the session if it is free, if its holder is dead, or if the caller insists; then only from the claim that was seen. */
async function take(parts: ClaimParts, place: RowPlace, id: string, options: ClaimOptions): Promise<Claimed> {
  const { expect, takeover = false } = options
  const { database, processes } = parts
  let seen = takeover ? await standingAt(database, place) : undefined
  for (let tries = 1; ; tries += 1) {
    const claimed = await ask(parts, place, id, { ...options, epoch: seen?.epoch ?? null })
    if (claimed !== undefined) return { ...claimed, findings: findingsOf(seen, processes) }
    seen = await standingAt(database, place)
    const isThere = seen !== undefined && seen.headSeq > 0
    const mayBeTaken = seen === undefined || takeover || isFree(seen, processes)
    if (isThere !== (expect === 'existing') || !mayBeTaken || tries === mostTries) throw refusal(id, expect, seen)
  }
}

async function ask(
  { database, processes, leaseMs, time }: ClaimParts,
  { tenant, key }: RowPlace,
  id: string,
  { owner, expect, epoch }: ClaimOptions & { readonly epoch: number | null },
): Promise<{ readonly row: Row; readonly token: string; readonly since: number } | undefined> {
  const send = async (token: string, before: string | null) => {
    const since = time.now()
    const terms = [token, holderText(owner, processes), leaseMs, epoch, before] as const
    const { rows } =
      expect === 'new'
        ? await database.run(statements.claimNew, [tenant, key, id, ...terms])
        : await database.run(statements.claimExisting, [tenant, key, ...terms])
    return rows[0] && { row: rows[0], token, since }
  }
  const first = randomUUID()
  try {
    return await send(first, null)
  } catch (error) {
    if (LoaderError.is(error) || failureOf(error) !== 'lost') throw error
    // The claim may have succeeded, which only its token can show. It may also arrive after this claim is over, and must
    // not make it good again: so this one goes by another token.
    return send(randomUUID(), first)
  }
}

export async function standingAt(database: Database, { tenant, key }: RowPlace): Promise<HolderStanding | undefined> {
  const { rows } = await database.run(standingStatement, [tenant, key])
  return rows[0] && standingOf(rows[0])
}

function refusal(id: string, expect: ClaimOptions['expect'], standing: HolderStanding | undefined): LoaderError {
  const isThere = standing !== undefined && standing.headSeq > 0
  if (expect === 'new' && isThere) {
    return new LoaderError('session_exists', `Session ${standing.id} is already there. Load it, or choose another id.`)
  }
  if (!isThere && (expect === 'existing' || standing === undefined)) return notFound(id)
  return busy(standing as HolderStanding)
}

export function busy(standing: HolderStanding): LoaderError {
  return new LoaderError(
    'session_busy',
    `Session ${standing.id} is held by ${describeHolder(standing)}. Close it there, wait until its lease is over, or go ` +
      'on in a copy of it (fork).',
  )
}

function findingsOf(before: HolderStanding | undefined, processes: Processes | undefined): readonly RecoveryFinding[] {
  if (before === undefined || currentHolder(before, processes) === null) return []
  const message = `The session was taken over from ${describeHolder(before)}, which writes nothing more to it.`
  return [{ what: 'taken_over', message }]
}

/** Whether the claim before ended without releasing the session. If it never stored an event, its row is left then. */
function isCutOff(row: Row): boolean {
  return row['head_seq'] === undefined ? Number(row['epoch']) > 1 : row['was_held'] === true
}

/** The epoch of the last claim that is recorded. */
function lastEpoch(state: SessionState | null, events: readonly StoredEvent[]): number {
  const claims = events.flatMap((event) =>
    isSessionEvent(event) && event.type === 'session.claimed' ? event.epoch : [],
  )
  return claims.at(-1) ?? state?.epoch ?? 0
}

/** The state as it was saved, unless another version wrote it or it does not fit: then the events say it all. */
function stateOf(saved: unknown, headSeq: number): SessionState | null {
  if (typeof saved !== 'string') return null
  try {
    const state = parseState(JSON.parse(saved))
    return state.seq <= headSeq ? state : null
  } catch (error) {
    if (error instanceof SyntaxError || LoaderError.is(error)) return null
    throw error
  }
}

async function eventsAfter(
  database: Database,
  place: RowPlace,
  row: Row,
  state: SessionState | null,
): Promise<readonly StoredEvent[]> {
  const last = Number(row['head_seq'] ?? 0)
  const first = (state?.seq ?? 0) + 1
  const bodies = row['bodies']
  const came = Array.isArray(bodies) && Number(row['state_seq']) === first - 1 ? bodies : undefined
  // What was being written while this claim waited for it is not among what came along.
  if (came?.length === last - first + 1) return came.map((body, index) => eventOf(place.key, first + index, body))
  const events: StoredEvent[] = []
  for await (const event of eventsBetween(database, place, { first, last })) events.push(event)
  return events
}
