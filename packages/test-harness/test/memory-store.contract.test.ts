import { sessionStoreContract } from '../src/vitest.ts'
import { mortal } from './mortal-store.ts'

sessionStoreContract('MemoryStore', mortal())
