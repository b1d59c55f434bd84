import {
  type Claim,
  type ClaimOptions,
  type ListQuery,
  pageOf,
  type SessionPage,
  type SessionRow,
} from '@loader/session-core'
import { systemProcesses } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import type { StoreAddress } from '../settings/store-address.ts'

export interface DatabaseOptions {
  /** Whose sessions are listed, as a folder; without it those of every project. */
  readonly root?: string
  readonly beforeClaim?: () => void
  /** How long a session stays with a process of which nothing is heard. */
  readonly leaseMs?: number
}

const atOnce = 500

/**
 * The sessions of a project in a database, which keeps those of others beside them. Only the list knows a difference: a
 * session that is named by its id is found wherever it was begun. One that is damaged may not tell whose it is, and is
 * listed everywhere.
 */
class DatabaseStore extends PostgresSessionStore {
  readonly #options: DatabaseOptions

  constructor({ connection, tenant, schema }: StoreAddress, options: DatabaseOptions) {
    super(connection, {
      processes: systemProcesses(),
      ...(tenant !== undefined && { tenant }),
      ...(schema !== undefined && { schema }),
      ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    })
    this.#options = options
  }

  override async list(query: ListQuery = {}): Promise<SessionPage> {
    const { root } = this.#options
    if (root === undefined) return super.list(query)
    const { limit = 50, cursor: first } = query
    const rows: SessionRow[] = []
    let cursor = first
    do {
      const page = await super.list({ ...query, limit: atOnce, ...(cursor !== undefined && { cursor }) })
      rows.push(...page.rows.filter(({ project, status }) => project === root || status === 'damaged'))
      cursor = page.cursor
    } while (cursor !== undefined && rows.length <= limit)
    return pageOf(rows, { limit })
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    this.#options.beforeClaim?.()
    return super.claim(id, options)
  }
}

/** Its connections keep no process alive. */
export function databaseStore(address: StoreAddress, options: DatabaseOptions = {}): PostgresSessionStore {
  return new DatabaseStore(address, options)
}
