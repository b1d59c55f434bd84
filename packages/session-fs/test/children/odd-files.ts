import { FileSessionStore } from '../../src/index.ts'
import { owner } from './events.ts'

/** Does all that can be done with session `one` of each folder, and prints what came of it. */
const directories = process.argv.slice(2)

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0
  for await (const _ of items) found += 1
  return found
}

const doings: Readonly<Record<string, (store: FileSessionStore) => Promise<unknown>>> = {
  list: async (store) => (await store.list()).rows.length,
  check: async (store) => (await store.list({ check: true })).rows.length,
  read: (store) => count(store.read('one')),
  tell: (store) => count(store.read('one', { gaps: 'mark' })),
  holder: (store) => store.holder('one'),
  verify: async (store) => (await store.verify('one')).intact,
  fork: (store) => store.fork('one'),
  salvage: async (store) => (await store.salvage('one')).kept,
  claim: async (store) => (await store.claim('one', { owner, expect: 'existing' })).writer.release(),
  delete: (store) => store.delete('one', { erase: true }),
}

for (const directory of directories) {
  for (const [name, act] of Object.entries(doings)) {
    try {
      await act(new FileSessionStore({ directory }))
      console.log(`${name}: ok`)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'none'
      console.log(`${name}: ${code}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
