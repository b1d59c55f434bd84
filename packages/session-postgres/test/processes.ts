import type { Processes } from '../src/index.ts'

/** Processes that live and die at a word, all of them in this one. */
export function processTable(): { table: () => Processes; kill: () => void } {
  let alive = 1
  return {
    table: () => ({
      self: { pid: alive, host: 'here' },
      stateOf: (other: { readonly pid: number }) => (other.pid === alive ? 'alive' : 'dead'),
    }),
    kill: () => {
      alive += 1
    },
  }
}
