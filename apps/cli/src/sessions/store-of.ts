import type { SessionStore } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import type { Places } from '../places/places.ts'

/** Where the sessions of a project are kept. The only place that knows how. */
export function storeOf({ root }: Pick<Places, 'root'>): SessionStore {
  return new FileSessionStore({ root })
}
