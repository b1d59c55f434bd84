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
 * Looks at every byte of every session. With `repair`, a damaged one gets a copy beside it, unless it has one already;
 * nothing of it is touched.
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
    // That it cannot be looked at now says nothing of it: it is neither called damaged nor copied.
    if (error.code === 'storage_refused') throw error
    // Written by a newer version: nothing is wrong with it.
    const intact = error.code === 'format_newer'
    return { id, intact, events: 0, findings: [], ...rest, refused: error.message }
  }
}

/** A copy that was repaired earlier, and has all that can be read today. */
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
