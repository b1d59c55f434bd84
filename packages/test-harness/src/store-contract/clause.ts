import { type SessionStore, type StoreCapabilities, withCapability } from '@loader/session-core'

/** A new, empty store for one clause. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /**
   * The process that used `store` has died, and a new one opens the same storage. Acknowledged data is there, sessions
   * of the dead process are free, and the old store and its writers are no longer used.
   */
  reopen(): Promise<SessionStore>
  /** Removes the storage. */
  dispose(): Promise<void>
}

/** Makes the store for one clause of the contract: empty, and independent of all others. */
export type CreateStore = () => Promise<StoreUnderTest>

/** One promise of a store, and a test that it is kept. */
export interface StoreClause {
  /** The part of the contract that it belongs to. */
  readonly about: string
  /** The promise, as a sentence. */
  readonly name: string
  /** The optional capability that the promise is about, if any. */
  readonly needs?: keyof StoreCapabilities
  /** Rejects when the promise is broken. */
  run(tested: StoreUnderTest): Promise<void>
}

/**
 * Runs a clause with a new store, and rejects when the store breaks it. Works with any test runner. A clause about a
 * capability that the store does not have is not run.
 */
export async function assertStoreClause(
  clause: StoreClause,
  createStore: CreateStore,
): Promise<'kept' | 'not promised'> {
  const tested = await createStore()
  try {
    if (clause.needs !== undefined && tested.store[clause.needs] === undefined) return 'not promised'
    await clause.run(tested)
    return 'kept'
  } finally {
    await tested.dispose()
  }
}

/** The clauses of one part, by their sentences. */
export function clauses(about: string, runs: Readonly<Record<string, StoreClause['run']>>): StoreClause[] {
  return Object.entries(runs).map(([name, run]) => ({ about, name, run }))
}

/** The same, for clauses about an optional capability. */
export function clausesOf<Name extends keyof StoreCapabilities>(
  needs: Name,
  about: string,
  runs: Readonly<
    Record<string, (tested: StoreUnderTest & { readonly store: Pick<StoreCapabilities, Name> }) => Promise<void>>
  >,
): StoreClause[] {
  return Object.entries(runs).map(([name, run]) => ({
    about,
    name,
    needs,
    run: (tested) =>
      run({
        store: withCapability(tested.store, needs),
        reopen: () => tested.reopen(),
        dispose: () => tested.dispose(),
      }),
  }))
}
