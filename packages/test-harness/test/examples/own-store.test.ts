import { MemoryStore } from '@loader/session-core'
import { sessionStoreContract } from '@loader/test-harness/vitest'
import { OwnStore } from '../../examples/own-store.ts'

sessionStoreContract('OwnStore', async () => {
  const server = new MemoryStore() // yours is a folder, a database, a bucket: a fresh one for every test
  const store = new OwnStore(server)
  const reopen = () => store.disconnect().then(() => new OwnStore(server))
  return { store, reopen, dispose: async () => {} }
})
