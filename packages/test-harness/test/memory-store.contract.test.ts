import { sessionStoreContract } from '../src/vitest.ts'
import { mortal } from './mortal-store.ts'
import { KeepsFiles } from './wrong-stores/keeping-files.ts'

sessionStoreContract('MemoryStore', mortal())
sessionStoreContract(
  'MemoryStore, as one that keeps files',
  mortal(() => new KeepsFiles()),
)
