import { fromCi } from '@loader/test-tier'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemTime } from '../src/database/time.ts'
import type { PostgresSessionStoreOptions } from '../src/index.ts'
import { leaseClauses } from './lease-clauses.ts'
import { type Sending, withLeaseScene } from './lease-scene.ts'
import { type Server, sharedServer } from '@loader/test-postgres'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

describe('leases', () => {
  for (const [name, run] of Object.entries(leaseClauses))
    test(name, () => expect(withLeaseScene(server.address, run)).resolves.toBeUndefined())
})

/** Stores that are wrong in one way, and the clauses that notice. */
const wrong: Readonly<
  Record<
    string,
    { readonly sending?: Sending; readonly options?: PostgresSessionStoreOptions; readonly noticed: readonly string[] }
  >
> = {
  'the lease is not looked at': {
    sending: rewriting((text) => text.replaceAll('and lease_until > pg_catalog.clock_timestamp()', '')),
    noticed: [
      'a writer whose lease is over appends nothing, also where nobody took the session',
      'a writer whose lease is over saves nothing, and keeps no long text',
      'a process whose clock is a day behind does not keep what its lease has lost',
    ],
  },
  'the claim is not looked at': {
    sending: rewriting((text) =>
      text.replaceAll(
        /and token (= \$3|in \(\$3, \$4\))/g,
        (found) => `and ($3::uuid is not null)${found.includes('$4') ? ' and ($4::uuid is not null)' : ''}`,
      ),
    ),
    noticed: ['a session whose lease is over is free for another process, and the one before is out'],
  },
  'its own clock is believed': {
    sending: (client, query, { time = { ...systemTime, now: Date.now } }) =>
      client.query({
        text: query.text.replaceAll('clock_timestamp()', `to_timestamp(${time.now() / 1000})`),
        values: query.values,
      }),
    noticed: ['a process whose clock is a day ahead takes nothing from a living one'],
  },
  'the claim is looked at in one statement, and the event stored in the next': {
    sending: async (client, query) => {
      if (query.name?.startsWith('loader_append_one') !== true) return client.query(query)
      const [tenant, key, token, before, , body] = query.values
      const { rows } = await client.query<{ epoch: string }>(
        'select epoch from loader.session where tenant = $1 and key = $2 and token = $3 and lease_until > clock_timestamp()',
        [tenant, key, token],
      )
      if (rows[0] === undefined) return { rows: [], rowCount: 0 }
      await new Promise((resolve) => setTimeout(resolve, 50))
      await client.query('update loader.session set head_seq = $3 where tenant = $1 and key = $2', [
        tenant,
        key,
        Number(before) + 1,
      ])
      return client.query('insert into loader.event values ($1, $2, $3, $4, $5)', [
        tenant,
        key,
        Number(before) + 1,
        rows[0].epoch,
        body,
      ])
    },
    noticed: ['what was sent before a takeover, and comes after it, is not in the way'],
  },
  'no lease is renewed': {
    sending: (client, query) =>
      query.name?.startsWith('loader_renew') === true
        ? Promise.resolve({ rows: [], rowCount: 1 })
        : client.query(query),
    noticed: ['a lease is renewed while nothing is written'],
  },
  'hints are believed': {
    options: { pollMs: 86_400_000 },
    noticed: ['a watcher sees every event once and in order, whichever hints are lost'],
  },
}

describe.runIf(fromCi)('a store is noticed when', () => {
  for (const [name, { sending, options, noticed }] of Object.entries(wrong)) {
    test(name, async () => {
      for (const clause of noticed) {
        const run = leaseClauses[clause]
        if (run === undefined) throw new Error(`There is no clause ${clause}`)
        const scene = { ...(sending && { sending }), ...(options && { options }) }
        // Some are wrong only where one process is quicker than the other, which it is not each time.
        let isNoticed = false
        for (let tries = 0; tries < 20 && !isNoticed; tries += 1) {
          isNoticed = await withLeaseScene(server.address, run, scene).then(
            () => false,
            () => true,
          )
        }
        expect({ clause, isNoticed }).toEqual({ clause, isNoticed: true })
      }
    })
  }
})

function rewriting(change: (text: string) => string): Sending {
  return (client: pg.PoolClient, { text, values }) => client.query({ text: change(text), values })
}
