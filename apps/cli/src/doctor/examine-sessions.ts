import {
  LoaderError,
  type SessionRow,
  type SessionStore,
  type StoreCapabilities,
  withCapability,
} from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import type { DoctorSession } from '../schemas/doctor.ts'

/** Looks at every byte of every session. With `repair`, a damaged one gets a copy beside it; nothing of it is touched. */
export async function examineSessions(
  kept: SessionStore,
  rows: readonly SessionRow[],
  repair: 'copies' | 'nothing',
): Promise<DoctorSession[]> {
  const store = withCapability(kept, 'verify')
  const sessions: DoctorSession[] = []
  for (const { id } of rows) {
    const examined = await examine(store, id)
    const needsCopy = !examined.intact && repair === 'copies'
    sessions.push(needsCopy ? { ...examined, ...(await copyOf(kept, id)) } : examined)
  }
  return sessions
}

async function examine(store: Pick<StoreCapabilities, 'verify'>, id: string): Promise<DoctorSession> {
  try {
    const { intact, events, findings } = await store.verify(id)
    const told = findings.map(({ file, what, message, severity }) => ({ file, what, message, severity }))
    return { id, intact, events: events.last, findings: told, repaired: null, refused: null }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    // That it cannot be looked at now says nothing of it: it is neither called damaged nor copied.
    if (error.code === 'storage_refused') throw error
    // Written by a newer version: nothing is wrong with it.
    const intact = error.code === 'format_newer'
    return { id, intact, events: 0, findings: [], repaired: null, refused: error.message }
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
