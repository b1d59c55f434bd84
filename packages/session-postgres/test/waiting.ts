import pg from 'pg'
import { expect } from 'vitest'

/** Until a statement waits for a lock. Asked over a connection of its own: within a transaction the answer stays the same. */
export async function untilSomebodyWaits(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const waiting = async () => {
    const { rows } = await client.query(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`)
    return Number(rows[0]?.count)
  }
  try {
    await expect.poll(waiting).toBeGreaterThan(0)
  } finally {
    await client.end()
  }
}
