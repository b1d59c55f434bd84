import { readSession, type SessionStore, summarize } from '@loader/session-core'
import type { ListedSession } from '@loader/readings'
import type { ListRequest, Standing } from '../../src/protocol.ts'
import type { ServedSession, ServedSessions } from '../../src/server/ports/served-sessions.ts'

/** A session that nobody works on. */
export const resting: Standing = {
  phase: 'resting',
  holder: null,
  turnId: null,
  question: null,
  queue: [],
  undelivered: [],
  trouble: null,
}

/** The sessions of a store, as the command serves those of a folder. */
export function sessionsOf(
  store: SessionStore,
  project = '/project',
  standingOf: () => Standing = () => resting,
): ServedSessions {
  const rowOf = async (id: string): Promise<ListedSession> => {
    return { ...summarize((await readSession(store, id, { gaps: 'mark' })).state), root: project }
  }
  const served = (id: string): ServedSession => ({
    store,
    row: () => rowOf(id),
    diff: () =>
      Promise.resolve({ session: id, turnIds: [], before: null, after: null, files: [], patch: '', unseen: [] }),
    standing: () => Promise.resolve(standingOf()),
    exported: (format) => Promise.resolve({ text: format, type: 'text/plain' }),
    redacted: () => Promise.resolve(served(id)),
  })
  return {
    async list({ limit = 100, cursor }: ListRequest) {
      const page = await store.list({ limit, ...(cursor !== undefined && { cursor }) })
      const sessions = page.rows.map((row) => ({ ...row, root: project }))
      return {
        sessions,
        unreadable: [],
        projects: [project],
        waiting: standingOf().question === null ? {} : Object.fromEntries(sessions.map(({ id }) => [id, 'permit'])),
        ...(page.cursor !== undefined && { cursor: page.cursor }),
      }
    },
    async find(id) {
      const { rows } = await store.list({ limit: 1_000 })
      return rows.some((row) => row.id === id) ? served(id) : undefined
    },
  }
}
