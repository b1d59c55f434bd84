import { sessionStoreContract } from '@loader/test-harness/vitest'
import { sample, tier } from '@loader/test-tier'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { processTable } from './processes.ts'
import {
  anyInstallation,
  hasPooler,
  type Installation,
  installations,
  otherInstallations,
  Server,
  sharedServer,
  startPooler,
} from '@loader/test-postgres'

/** Those that are at hand everywhere, and in the long tier every version that is supported. */
const tried = tier === 'long' ? [...installations(), ...otherInstallations()] : installations()

const ways = tried.flatMap((installation) => [
  { installation, pooled: false },
  ...(hasPooler ? [{ installation, pooled: true }] : []),
])

for (const { installation, pooled } of sample(ways, { quick: 1, ci: 4 })) contractOver(installation, pooled)

function contractOver(installation: Installation, pooled: boolean): void {
  describe(`PostgreSQL ${installation.version}${pooled ? ' through PgBouncer' : ''}`, () => {
    const isShared = installation.bin === anyInstallation().bin
    let server: Server
    let pooler: Awaited<ReturnType<typeof startPooler>> | undefined
    beforeAll(async () => {
      server = isShared ? await sharedServer() : await Server.start(installation)
      if (pooled) pooler = await startPooler(server.port)
    })
    afterAll(async () => {
      await pooler?.dispose()
      if (!isShared) await server.dispose()
    })

    sessionStoreContract('PostgresSessionStore', async () => {
      const processes = processTable()
      const tenant = randomUUID()
      const stores: PostgresSessionStore[] = []
      const open = () => {
        const address = pooler?.address ?? server.address
        const store = new PostgresSessionStore(address, { tenant, processes: processes.table(), pollMs: 20 })
        stores.push(store)
        return store
      }
      return {
        store: open(),
        reopen: async () => {
          processes.kill()
          return open()
        },
        dispose: async () => {
          await Promise.all(stores.map((store) => store.close()))
        },
      }
    })
  })
}
