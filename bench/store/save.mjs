import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reduce } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { replaceAtomically } from './rivals.mjs'
import { rounds, timed } from './rounds.mjs'
import { messageEvent } from './sessions.mjs'

const at = '2026-01-01T00:00:00.000Z'
const count = 150

/** Each save is of a state that is one event ahead of the one before, as at the end of a turn. */
export async function saveFigures(folder) {
  const directory = join(folder, 'save')
  const store = new FileSessionStore({ directory })
  const { writer } = await store.claim('one', { owner: { type: 'Bench', path: 'bench' }, expect: 'new' })
  const opened = { type: 'session.opened', seq: 1, at, format: 1, id: 'one' }
  const messages = Array.from({ length: 256 }, (_, i) => messageEvent(i + 2))
  const titles = Array.from({ length: 2 * count }, (_, i) => {
    return { type: 'session.titled', seq: 258 + i, at, title: `Title ${i}`, by: 'user' }
  })
  await writer.append([opened, ...messages, ...titles], 'flush')
  let state = [opened, ...messages].reduce(reduce, null)
  const step = () => (state = reduce(state, titles[state.seq - 257]))

  await writer.save(state)
  const snapshot = readFileSync(join(directory, 'one.json'))
  const { ratio, medianMs } = await rounds(count, {
    replace: () => timed(() => replaceAtomically(join(directory, 'replaced.json'), snapshot)),
    save: () => timed(() => writer.save(step(), { index: false })),
    listed: () => timed(() => writer.save(step())),
  })
  return [
    shown('size of the snapshot', snapshot.length / 1024, 'KiB'),
    shown('save', medianMs.save, 'ms'),
    atMost('save to an atomic replace of the same bytes', ratio('save', 'replace'), 'x', 1.3),
    shown('save with its row in the list, to the same', ratio('listed', 'replace'), 'x'),
  ]
}
