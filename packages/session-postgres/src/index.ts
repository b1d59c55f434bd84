export { PostgresSessionStore, type PostgresPool, type PostgresSessionStoreOptions } from './store.ts'
export type { Processes } from './stored/holder.ts'
