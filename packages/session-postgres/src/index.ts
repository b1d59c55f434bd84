export { PostgresSessionStore, type PostgresPool, type PostgresSessionStoreOptions } from './store.ts'
export type { Time } from './database/time.ts'
export type { Processes } from './stored/holder.ts'
