import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { PostgresSessionStore, type PostgresSessionStoreOptions } from '../src/index.ts'
import type { LeaseScene } from './lease-clauses.ts'

/** How a pool sends what a store asks for: as it is, or as a store that is wrong would. */
export type Sending = (
  client: pg.PoolClient,
  query: { readonly name?: string; readonly text: string; readonly values: unknown[] },
  store: PostgresSessionStoreOptions,
) => Promise<unknown>

export async function withLeaseScene(
  address: string,
  work: (scene: LeaseScene) => Promise<void>,
  { sending, options: wrong = {} }: { readonly sending?: Sending; readonly options?: PostgresSessionStoreOptions } = {},
): Promise<void> {
  const tenant = randomUUID()
  const pools: pg.Pool[] = []
  const stores: PostgresSessionStore[] = []
  const poolOf = () => {
    const pool = new pg.Pool({ connectionString: address })
    pool.on('error', () => {})
    pools.push(pool)
    return pool
  }
  const plain = poolOf()
  try {
    await work({
      store: (options = {}) => {
        const pool = poolOf()
        const all = { tenant, ...options, ...wrong }
        if (sending !== undefined) sendAs(pool, (client, query) => sending(client, query, all))
        const store = new PostgresSessionStore(pool, all)
        stores.push(store)
        return store
      },
      leaseUntil: async (id) => {
        const text =
          'select extract(epoch from lease_until) as until from loader.session where tenant = $1 and key = $2'
        const { rows } = await plain.query<{ until: string }>(text, [tenant, id])
        return Number(rows[0]?.until)
      },
      endLease: async (id) => {
        await plain.query(
          `update loader.session set lease_until = clock_timestamp() - interval '1 ms' where tenant = $1 and key = $2`,
          [tenant, id],
        )
      },
    })
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

type Query = { readonly name?: string; readonly text: string; readonly values: unknown[] }

function sendAs(pool: pg.Pool, send: (client: pg.PoolClient, query: Query) => Promise<unknown>): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  Object.assign(pool, {
    connect: async () => {
      const client = await connect()
      return new Proxy(client, {
        get(target, key) {
          if (key === 'query') {
            return (query: Query | string) => (typeof query === 'string' ? target.query(query) : send(target, query))
          }
          const value: unknown = Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  })
}
