import type { Database } from './database/database.ts'
import type { Processes } from './stored/holder.ts'

/** What other entries of this package need of a store. */
export interface Inside {
  readonly database: Database
  readonly tenant: string
  readonly processes: Processes | undefined
}

const insides = new WeakMap<object, Inside>()

export function keepInside(store: object, inside: Inside): void {
  insides.set(store, inside)
}

export function insideOf(store: object): Inside {
  const inside = insides.get(store)
  if (inside === undefined) throw new TypeError('This is no PostgresSessionStore of this package.')
  return inside
}
