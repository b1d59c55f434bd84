import { FileSessionStore } from '@loader/session-fs'
import { ownerOf, parseEvent, readSession, sessionFormat, type StoredEvent, writeRecording } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'

const id = 'ses_large'
const at = '2026-01-01T00:00:00.000Z'

test('a recording that is larger than one write is stored whole', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = recording(500, 'x'.repeat(40_000))
  await writeRecording(store, { id, events })
  const { recording: stored } = await readSession(store, id)
  expect(stored).toHaveLength(events.length)
  expect(stored.at(-1)).toEqual(events.at(-1))
  expect(await store.verify(id)).toMatchObject({ intact: true, findings: [] })
})

test('of a recording with an event that cannot follow nothing stays, however much was written before it', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = recording(500, 'x'.repeat(40_000))
  const impossible = event(events.length + 1, { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' })
  await expect(writeRecording(store, { id, events: [...events, impossible] })).rejects.toMatchObject({
    code: 'impossible_event',
  })
  expect((await store.list()).rows).toEqual([])
  await writeRecording(store, { id, events })
})

test.runIf(fromCi)('a recording of more events than a function takes arguments is stored', async () => {
  await using workspace = await temporaryWorkspace()
  const store = new FileSessionStore({ directory: workspace.path('sessions') })
  const events = recording(150_000, '')
  await writeRecording(store, { id, events })
  const { recording: stored } = await readSession(store, id)
  expect(stored).toHaveLength(events.length)
})

function recording(count: number, data: string): StoredEvent[] {
  return [
    event(1, { type: 'session.opened', format: sessionFormat, id, project: { root: '/project' } }),
    event(2, { type: 'session.claimed', epoch: 1, owner: ownerOf('Test') }),
    ...Array.from({ length: count }, (_, index) => event(index + 3, { type: 'custom.recorded', name: 'n', data })),
  ]
}

function event(seq: number, fields: object): StoredEvent {
  return parseEvent({ seq, at, ...fields })
}
