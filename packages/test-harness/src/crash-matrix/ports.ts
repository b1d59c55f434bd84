import type { Environment, SessionStore } from '@loader/session-core'
import { fixedEnvironment } from '../environment/environment.ts'
import type { Life } from './life.ts'
import { storeWithBoundaries } from './store-with-boundaries.ts'

/** Everything that a program under test may use. Effects that bypass it are not stopped by the kill. */
export interface CrashPorts<World> {
  /** The result of `prepare`. It outlives the crash. */
  readonly world: World
  readonly store: SessionStore
  readonly environment: Environment
  /** Runs an effect on the world, with a boundary before and after. */
  readonly effect: <Result>(name: string, run: () => Result | Promise<Result>) => Promise<Result>
  /**
   * Another point at which to die, such as a seal or a flush inside a store. In a child process the call itself is the
   * death; in this process the promise then never settles.
   */
  readonly boundary: (kind: string, label: string) => Promise<void>
}

/** The first life of a program, or the one after the crash. */
export type Lifetime = 'scenario' | 'resume'

export function portsOf<World>(lifetime: Lifetime, life: Life, world: World, store: SessionStore): CrashPorts<World> {
  return {
    world,
    store: storeWithBoundaries(store, life),
    environment: environments[lifetime](),
    effect: (name, run) => life.around('effect', `effect ${name}`, run),
    boundary: (kind, label) => life.boundary(kind, label),
  }
}

/** The second life begins a day later, and its ids differ from those of the first. */
const environments: { readonly [Key in Lifetime]: () => Environment } = {
  scenario: () => fixedEnvironment(),
  resume() {
    const later = fixedEnvironment({ start: '2026-01-02T00:00:00.000Z' })
    return { now: () => later.now(), newId: (prefix) => later.newId(`${prefix}_again`) }
  },
}
