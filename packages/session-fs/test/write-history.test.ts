import nodeFileSystem from 'node:fs'
import { type FileSystem, FileSessionStore } from '@loader/session-fs'
import { ownerOf, parseEvent, readSession, sessionFormat, type StoredEvent, writeHistory } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'

const id = 'ses_large'
const at = '2026-01-01T00:00:00.000Z'

test('a history that is larger than one write is stored whole', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = history(500, 'x'.repeat(40_000))
  await writeHistory(store, { id, events })
  const { history: stored } = await readSession(store, id)
  expect(stored).toHaveLength(events.length)
  expect(stored.at(-1)).toEqual(events.at(-1))
  expect(await store.verify(id)).toMatchObject({ intact: true, findings: [] })
})

test('of a history with an event that cannot follow nothing stays, however much was written before it', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = history(500, 'x'.repeat(40_000))
  const impossible = event(events.length + 1, { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' })
  await expect(writeHistory(store, { id, events: [...events, impossible] })).rejects.toMatchObject({
    code: 'impossible_event',
  })
  expect((await store.list()).rows).toEqual([])
  await writeHistory(store, { id, events })
})

test.runIf(fromCi)('a history of more events than a function takes arguments is stored', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = history(150_000, '')
  await writeHistory(store, { id, events })
  const { history: stored } = await readSession(store, id)
  expect(stored).toHaveLength(events.length)
})

function history(count: number, data: string): StoredEvent[] {
  return [
    event(1, { type: 'session.opened', format: sessionFormat, id, project: { root: '/project' } }),
    event(2, { type: 'session.claimed', epoch: 1, owner: ownerOf('Test') }),
    ...Array.from({ length: count }, (_, index) => event(index + 3, { type: 'custom.recorded', name: 'n', data })),
  ]
}

function event(seq: number, fields: object): StoredEvent {
  return parseEvent({ seq, at, ...fields })
}

test('a history whose state is as long as itself is written in a time that grows like it', async () => {
  const small = await bytesWritten(2)
  expect(await bytesWritten(4)).toBeLessThan(small * 2.6)
})

/** What is written to files in all, for a session of so many megabytes of which every event stays in the state. */
async function bytesWritten(megabytes: number): Promise<number> {
  await using workspace = await temporaryWorkspace()
  let bytes = 0
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    writeSync: (fd, data, offset, length, position) => {
      const written = nodeFileSystem.writeSync(fd, data, offset, length, position)
      bytes += written
      return written
    },
  }
  const store = new FileSessionStore({ directory: workspace.path('sessions') }, { fileSystem, commit: 'inline' })
  const { writer } = await store.claim(id, { owner: ownerOf('Test'), expect: 'new' })
  await writer.append(history(0, ''), 'flush')
  const text = 'x'.repeat(48 * 1024)
  for (let seq = 3; seq < megabytes * 21; seq += 1) {
    await writer.append([event(seq, { type: 'input.queued', inputId: `in_${seq}`, text })], 'flush')
  }
  await writer.release()
  return bytes
}
