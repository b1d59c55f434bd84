import type { SessionStore } from '@loader/session-core'

/** A store of its own for one clause, with nothing in it. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /**
   * The process that used `store` has died without a word, and a new one opens the same storage. What was acknowledged
   * is there, what the dead held is free, and nobody uses the old store or its writers any more.
   */
  reopen(): Promise<SessionStore>
  /** Removes the storage. */
  dispose(): Promise<void>
}

export type CreateStore = () => Promise<StoreUnderTest>

/** One promise of a store, and how to see that it is kept. */
export interface StoreClause {
  /** The part of the contract that it belongs to. */
  readonly about: string
  /** The promise, as a sentence. */
  readonly name: string
  /** Rejects when the promise is broken. */
  run(tested: StoreUnderTest): Promise<void>
}

/** Runs a clause over a store of its own, and rejects when the store breaks it. For any test runner. */
export async function assertStoreClause(clause: StoreClause, createStore: CreateStore): Promise<void> {
  const tested = await createStore()
  try {
    await clause.run(tested)
  } finally {
    await tested.dispose()
  }
}

/** The clauses of one part, by their sentences. */
export function clauses(about: string, runs: Readonly<Record<string, StoreClause['run']>>): StoreClause[] {
  return Object.entries(runs).map(([name, run]) => ({ about, name, run }))
}
