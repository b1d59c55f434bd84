import { join } from 'node:path'
import { FileSessionStore } from '@loader/session-fs'

const owner = { type: 'Bench', path: 'bench' }
const at = '2026-01-01T00:00:00.000Z'
const words = 'The agent reads a file, writes a "patch" to src/index.ts and runs the tests. '

/** An event of about a kilobyte that adds one message. */
export function messageEvent(seq) {
  const content = [{ type: 'text', text: words.repeat(11).slice(0, 840) }]
  const messages = [{ id: `msg_${seq}`, role: 'user', origin: 'import', content, at }]
  return { type: 'session.imported', seq, at, source: { kind: 'bench' }, messages }
}

/** A new session that grows by one message per append, through the writer of a FileSessionStore. */
export async function growingSession(folder, name, { messages = 0, ...options } = {}) {
  const store = new FileSessionStore({ directory: join(folder, name) }, { ...options })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  let seq = 1
  await writer.append([{ type: 'session.opened', seq, at, format: 1, id: 'one' }], 'flush')
  const next = () => messageEvent((seq += 1))
  for (let left = messages; left > 0; left -= 50) {
    await writer.append(Array.from({ length: Math.min(50, left) }, next), 'flush')
  }
  return {
    writer,
    append: (level = 'flush') => writer.append([next()], level),
    appendAtOnce: (count) => Promise.all(Array.from({ length: count }, () => writer.append([next()], 'flush'))),
  }
}
