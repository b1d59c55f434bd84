import {
  LoaderError,
  readSession,
  type SessionRow,
  type SessionStore,
  type StoreCapabilities,
  withCapability,
} from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import type { DoctorSession } from '../schemas/doctor.ts'

/**
 * Verifies every byte of every session. With `repair`, a damaged one gets a repaired copy unless it already has one;
 * the original is not changed.
 */
export async function examineSessions(
  kept: SessionStore,
  rows: readonly SessionRow[],
  repair: 'copies' | 'nothing',
): Promise<DoctorSession[]> {
  const store = withCapability(kept, 'verify')
  const sessions: DoctorSession[] = []
  for (const { id } of rows) {
    const examined = await examine(store, id)
    const copy = examined.intact ? null : await copyMadeBefore(kept, rows, examined)
    const needsCopy = !examined.intact && copy === null && repair === 'copies'
    sessions.push(needsCopy ? { ...examined, ...(await copyOf(kept, id)) } : { ...examined, copy })
  }
  return sessions
}

async function examine(store: Pick<StoreCapabilities, 'verify'>, id: string): Promise<DoctorSession> {
  const rest = { repaired: null, copy: null }
  try {
    const { intact, events, findings } = await store.verify(id)
    return { id, intact, events: events.last, findings, ...rest, refused: null }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    // A read error of the disk is not damage of the session, so it is neither reported as damaged nor copied.
    if (error.code === 'storage_refused') throw error
    // A session of a newer version is not damaged.
    const intact = error.code === 'format_newer'
    return { id, intact, events: 0, findings: [], ...rest, refused: error.message }
  }
}

/** An earlier repaired copy that holds everything still readable today. */
async function copyMadeBefore(
  store: SessionStore,
  rows: readonly SessionRow[],
  { id, events }: DoctorSession,
): Promise<string | null> {
  for (const row of rows) {
    if (row.forkedFrom?.toLowerCase() !== id.toLowerCase() || !/-salvaged(?:-\d+)?$/.test(row.id)) continue
    const from = await originOf(store, row.id)
    if (from !== undefined && from >= events) return row.id
  }
  return null
}

async function originOf(store: SessionStore, id: string): Promise<number | undefined> {
  try {
    return (await readSession(store, id, { gaps: 'mark' })).state.forkedFrom?.seq
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

async function copyOf(store: SessionStore, id: string): Promise<Pick<DoctorSession, 'repaired' | 'refused'>> {
  try {
    return {
      repaired: await withCapability(store, 'salvage').salvage(id, { environment: systemEnvironment() }),
      refused: null,
    }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return { repaired: null, refused: error.message }
  }
}
