import { FileSessionStore, type ProcessTable } from '../src/index.ts'
import { temporaryWorkspace } from '@loader/test-harness'
import { sessionStoreContract } from '@loader/test-harness/vitest'
import { sample } from '@loader/test-tier'

/** Processes that live and die at a word, all of them in this one. */
export function processTable(): { table: () => ProcessTable; kill: () => void } {
  let alive = 1
  const identity = (pid: number) => ({ pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null })
  return {
    table: () => {
      const self = identity(alive)
      return { self, stateOf: (other) => (other.pid === alive ? 'alive' : 'dead') }
    },
    kill: () => {
      alive += 1
    },
  }
}

const kinds = (['inline', 'pool', 'auto'] as const).flatMap((commit) =>
  [2_000, 256 * 1024].map((rotateAfterBytes) => ({ commit, rotateAfterBytes })),
)

for (const { commit, rotateAfterBytes } of sample(kinds, { quick: 1, ci: 4 })) {
  sessionStoreContract(`FileSessionStore, ${commit}, sealing after ${rotateAfterBytes} bytes`, async () => {
    const workspace = await temporaryWorkspace()
    const processes = processTable()
    const open = () =>
      new FileSessionStore({ root: workspace.root }, { commit, rotateAfterBytes, processes: processes.table() })
    return {
      store: open(),
      reopen: async () => {
        processes.kill()
        return open()
      },
      dispose: () => workspace.dispose(),
    }
  })
}
