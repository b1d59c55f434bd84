import pg from 'pg'
import { type Cable, letIn, makeCable, reachable } from './cable.ts'
import { anyInstallation } from './installations.ts'
import { Server } from './server.ts'

/** A server on this machine, and another machine, whose cable to it can be pulled while it waits for something. */
export interface TwoMachines extends AsyncDisposable {
  readonly server: Server
  readonly cable: Cable
  /** Makes whatever writes to a session of the tenant wait, until what this returns is called. */
  readonly hold: (tenant: string) => Promise<() => Promise<void>>
  /** Settles when a statement that says this waits for what is held. */
  readonly untilWaiting: (words?: string) => Promise<void>
}

export async function twoMachines(): Promise<TwoMachines> {
  const server = await Server.start(anyInstallation(), { settings: reachable })
  const cable = makeCable()
  letIn(server)
  return {
    server,
    cable,
    async hold(tenant) {
      const client = await connected(server.address)
      await client.query('begin')
      await client.query('select 1 from loader.session where tenant = $1 for update', [tenant])
      return async () => {
        await client.query('commit')
        await client.end()
      }
    },
    untilWaiting: (words) => untilWaiting(server.address, words),
    async [Symbol.asyncDispose]() {
      cable.dispose()
      await server.dispose()
    },
  }
}

const [lookMs, longestMs] = [20, 60_000]

/** Settles when a statement that says this waits for a lock. */
export async function untilWaiting(address: string, words = ''): Promise<void> {
  // A connection of its own: within a transaction the answer stays the same.
  const client = await connected(address)
  const text = `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like $1`
  try {
    for (let looks = 0; looks * lookMs < longestMs; looks += 1) {
      const { rows } = await client.query<{ count: string }>(text, [`%${words}%`])
      if (Number(rows[0]?.count) > 0) return
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    throw new Error(`No statement with "${words}" came to wait for a lock.`)
  } finally {
    await client.end()
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  // A server that ends takes its connections along.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
