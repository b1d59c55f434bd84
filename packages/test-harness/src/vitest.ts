export { type LoaderMatchers, loaderMatchers, useLoaderMatchers } from './vitest/matchers.ts'
export { sessionStoreContract } from './vitest/store-contract-suite.ts'
export type { CreateStore, StoreUnderTest } from './store-contract/clause.ts'
