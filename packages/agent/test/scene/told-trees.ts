import { setImmediate } from 'node:timers/promises'
import type { RestorePlan, WorkspaceTrees } from '@loader/session-core/coding'

export interface ToldTrees extends Partial<Pick<WorkspaceTrees, 'without' | 'restore'>> {
  /** Absent: each look has the next number for a tree. */
  readonly nextId?: () => string
  readonly steps?: RestorePlan['steps']
}

/** Fake trees: the test says what each of them is, and what going back to one does. */
export function toldTrees({ nextId = numbers(), steps = [], without, restore }: ToldTrees = {}): WorkspaceTrees {
  return {
    async take() {
      // As with files that are looked at, other things happen in between.
      await setImmediate()
      return { kind: 'taken', tree: { id: nextId(), rest: 'none', leftOut: [] } }
    },
    takeInventory: async () => undefined,
    files: async () => new Map(),
    changes: async () => [{ path: 'a.txt', change: 'modified' }],
    lines: async () => new Map(),
    patch: async () => '',
    without: without ?? (async ([{ before }]) => ({ tree: before, torn: [] })),
    planRestore: async (from, to) => ({ from, to, steps }),
    restore: restore ?? (async () => []),
  }
}

function numbers(): () => string {
  let last = 0
  return () => `${(last += 1)}`
}
