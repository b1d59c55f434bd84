import { type SessionStore, type StoreCapabilities, withCapability } from '@loader/session-core'

/** A store of its own for one clause, with nothing in it. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /**
   * The process that used `store` has died, and a new one opens the same storage. What was acknowledged is there, what
   * the dead process held is free, and the old store and its writers are not used any more.
   */
  reopen(): Promise<SessionStore>
  /** Removes the storage. */
  dispose(): Promise<void>
}

/** Makes the store that one clause of the contract is tried on: empty, and independent of all others. */
export type CreateStore = () => Promise<StoreUnderTest>

/** One promise of a store, and how to see that it is kept. */
export interface StoreClause {
  /** The part of the contract that it belongs to. */
  readonly about: string
  /** The promise, as a sentence. */
  readonly name: string
  /** What a store must be able to do for the promise to be one of its. */
  readonly needs?: keyof StoreCapabilities
  /** Rejects when the promise is broken. */
  run(tested: StoreUnderTest): Promise<void>
}

/**
 * Runs a clause over a store of its own, and rejects when the store breaks it. For any test runner. A clause about what the
 * store cannot do is no promise of its, and is not run.
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

/** The same, of what only some stores can do. */
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
