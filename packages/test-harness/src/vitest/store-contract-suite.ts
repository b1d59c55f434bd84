import { describe, test } from 'vitest'
import { type CreateStore, assertStoreClause } from '../store-contract/clause.ts'
import { storeContract } from '../store-contract/store-contract.ts'

/** Declares the contract of a store as a suite: one test a clause, each over a store of its own. */
export function sessionStoreContract(name: string, createStore: CreateStore): void {
  describe(name, () => {
    for (const about of new Set(storeContract.map((clause) => clause.about))) {
      describe(about, () => {
        for (const clause of storeContract.filter((other) => other.about === about)) {
          test(clause.name, () => assertStoreClause(clause, createStore))
        }
      })
    }
  })
}
