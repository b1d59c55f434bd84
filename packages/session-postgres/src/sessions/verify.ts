import {
  fold,
  LoaderError,
  parseState,
  type SeqRange,
  type SessionState,
  type StoredEvent,
  type Verification,
  type VerifiedFile,
  type VerifyFinding,
} from '@loader/session-core'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../database/database.ts'
import { blobNamesIn, isWhole } from '../stored/blobs.ts'
import type { HolderStanding } from '../stored/holder.ts'
import { messageIn } from '../stored/messages.ts'
import type { RowPlace } from '../stored/place.ts'
import { eventOf } from '../stored/read.ts'
import * as statements from '../stored/statements.ts'

const pageSize = 500

export const unnamedBlob = 'unnamed_blob'
const unnamedMessage =
  'No event names it: a writer ended between storing it and naming it, or is about to. It is removed with the next claim after an end that was not in order.'

const damagedMessage = 'It is not as it was written, and is not taken. Send it again, or remove it.'
const newerMessage = 'It is of a kind that this version does not know. It stays until one takes it that does.'

/** Looks at everything that the tables hold of a session, and says whether it is as it was written. Reads only. */
export async function verifySession(
  database: Database,
  place: RowPlace,
  standing: Pick<HolderStanding, 'id' | 'headSeq'>,
): Promise<Verification> {
  const events = await lookAtEvents(database, place, standing)
  const snapshot = await lookAtState(database, place, events)
  const blobs = await lookAtBlobs(database, place, events.read)
  const inbox = await lookAtInbox(database, place)
  const findings = [...events.findings, ...snapshot.findings, ...blobs.findings, ...inbox.findings]
  const { read, missing } = events
  return {
    id: standing.id,
    intact: findings.every(({ severity }) => severity !== 'damage'),
    events: { first: read[0]?.seq ?? 0, last: read.at(-1)?.seq ?? 0, missing },
    files: [events.file, ...snapshot.files, ...blobs.files, ...inbox.files],
    findings,
  }
}

interface SeenEvents {
  readonly read: readonly StoredEvent[]
  readonly missing: readonly SeqRange[]
  readonly file: VerifiedFile
  readonly findings: readonly VerifyFinding[]
}

async function lookAtEvents(
  database: Database,
  { tenant, key }: RowPlace,
  { headSeq }: Pick<HolderStanding, 'headSeq'>,
): Promise<SeenEvents> {
  const read: StoredEvent[] = []
  const missing: SeqRange[] = []
  const findings: VerifyFinding[] = []
  let [next, bytes] = [1, 0]
  const lose = (last: number, message: string) => {
    missing.push({ first: next, last })
    findings.push(damage('event', 'missing_events', message))
  }
  for (let from = 1; from <= headSeq; from += pageSize) {
    const to = Math.min(headSeq, from + pageSize - 1)
    const { rows } = await database.run(statements.readEvents, [tenant, key, from, to, pageSize])
    for (const row of rows) {
      const seq = Number(row['seq'])
      if (seq > next) lose(seq - 1, `Events ${next} to ${seq - 1} are missing.`)
      next = seq
      try {
        read.push(eventOf(key, seq, row['body']))
        bytes += Buffer.byteLength(String(row['body']))
      } catch (error) {
        if (!LoaderError.is(error)) throw error
        lose(seq, error.message)
      }
      next = seq + 1
    }
  }
  if (next <= headSeq) lose(headSeq, `Events ${next} to ${headSeq} are missing.`)
  return { read, missing, file: { file: 'event', kind: 'journal', bytes, found: `${read.length} events` }, findings }
}

async function lookAtState(
  database: Database,
  { tenant, key }: RowPlace,
  { read, missing }: SeenEvents,
): Promise<{ readonly files: readonly VerifiedFile[]; readonly findings: readonly VerifyFinding[] }> {
  const findings: VerifyFinding[] = []
  const { rows } = await database.run(statements.savedState, [tenant, key])
  const text = rows[0]?.['state']
  const saved = stateIn(text)
  try {
    const upTo = saved?.seq ?? 0
    const folded = missing.length === 0 ? fold(read.filter(({ seq }) => seq <= upTo)) : null
    fold(
      read.filter(({ seq }) => seq > upTo),
      folded ?? saved,
    )
    if (saved !== null && folded !== null && !isSame(saved, folded)) {
      findings.push(
        damage(
          'state',
          'snapshot_differs',
          'The saved state is not what the events say. It is not used where they are.',
        ),
      )
    }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    findings.push(damage('event', 'impossible_events', error.message))
  }
  if (typeof text !== 'string') return { files: [], findings }
  const found = saved === null ? 'a state of another version' : `the state at event ${saved.seq}`
  return { files: [{ file: 'state', kind: 'snapshot', bytes: Buffer.byteLength(text), found }], findings }
}

function stateIn(text: unknown): SessionState | null {
  if (typeof text !== 'string') return null
  try {
    return parseState(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError || LoaderError.is(error)) return null
    throw error
  }
}

function isSame(one: SessionState, other: SessionState): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
}

async function lookAtBlobs(
  database: Database,
  { tenant, key }: RowPlace,
  events: readonly StoredEvent[],
): Promise<{ readonly files: readonly VerifiedFile[]; readonly findings: readonly VerifyFinding[] }> {
  const files: VerifiedFile[] = []
  const findings: VerifyFinding[] = []
  for (let last = ''; ;) {
    const { rows } = await database.run(statements.readBlobs, [tenant, key, last, 50])
    for (const row of rows) {
      const [name, bytes] = [String(row['name']), row['bytes'] as Uint8Array]
      const whole = isWhole(name, bytes)
      files.push({ file: name, kind: 'blob', bytes: bytes.length, found: whole ? 'a long text' : 'other bytes' })
      if (!whole) findings.push(damage(name, 'damaged_blob', `The text ${name} is not as it was written.`))
      last = name
    }
    if (rows.length < 50) break
  }
  const named = new Set(events.flatMap((event) => blobNamesIn(JSON.stringify(event))))
  for (const { file } of files) {
    if (!named.has(file)) findings.push({ file, what: unnamedBlob, message: unnamedMessage, severity: 'note' })
  }
  const there = new Set(files.map(({ file }) => file))
  for (const name of namedBlobs(events)) {
    if (!there.has(name))
      findings.push(damage(name, 'missing_blob', `The text ${name}, which an event names, is not there.`))
  }
  return { files, findings }
}

async function lookAtInbox(
  database: Database,
  { tenant, key }: RowPlace,
): Promise<{ readonly files: readonly VerifiedFile[]; readonly findings: readonly VerifyFinding[] }> {
  const { rows } = await database.run(statements.readMessages, [tenant, key])
  const files: VerifiedFile[] = []
  const findings: VerifyFinding[] = []
  for (const row of rows) {
    const [name, body] = [`message ${String(row['name'])}`, String(row['body'])]
    const { kind } = messageIn(String(row['name']), body)
    const found = kind === 'damaged' ? 'a message that cannot be read' : 'a message that waits'
    files.push({ file: name, kind: 'other', bytes: Buffer.byteLength(body), found })
    if (kind === 'damaged') findings.push(damage(name, 'damaged_message', damagedMessage))
    if (kind === 'newer') findings.push({ file: name, what: 'newer_message', message: newerMessage, severity: 'note' })
  }
  const waiting = rows.length - findings.length
  const message = `${waiting} of its messages wait to be taken.`
  if (waiting > 0) findings.unshift({ file: 'message', what: 'inbox', message, severity: 'note' })
  return { files, findings }
}

function namedBlobs(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'blob' in value && 'excerpt' in value && typeof value.blob === 'string' ? [value.blob] : []
  return [...new Set([...own, ...Object.values(value).flatMap(namedBlobs)])]
}

function damage(file: string, what: string, message: string): VerifyFinding {
  return { file, what, message, severity: 'damage' }
}
