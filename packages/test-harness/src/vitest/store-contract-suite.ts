import { describe, test } from 'vitest'
import { type CreateStore, assertStoreClause, type StoreClause } from '../store-contract/clause.ts'
import { storeContract } from '../store-contract/store-contract.ts'

/**
 * Declares the contract of a store as a suite: one test per clause, each with a new store. Clauses about capabilities
 * that the store does not have are skipped.
 */
export function sessionStoreContract(name: string, createStore: CreateStore): void {
  describe(name, () => {
    for (const about of new Set(storeContract.map((clause) => clause.about))) {
      describe(about, () => {
        for (const clause of storeContract.filter((other) => other.about === about)) {
          test(clause.name, ({ skip }) => assertKept(clause, createStore, skip))
        }
      })
    }
  })
}

async function assertKept(clause: StoreClause, createStore: CreateStore, skip: (why: string) => void): Promise<void> {
  const outcome = await assertStoreClause(clause, createStore)
  if (outcome === 'not promised') skip(`The store has no ${clause.needs}.`)
}
