import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EventInput, Session, type StoredEvent } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventParser } from '../../src/page/connection/server-events.ts'
import { resting } from '../stage/sessions-of.ts'
import { sessionFrames } from '../../src/server/streams/session-frames.ts'

let directory: string
let store: FileSessionStore

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'loader-frames-'))
  store = new FileSessionStore({ directory })
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

const asked: readonly EventInput[] = [
  { type: 'input.queued', inputId: 'in_1', text: 'Count.' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
  { type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 },
]

/** What a page is sent, name by name. */
async function* sent(id: string, after: number, signal: AbortSignal, at?: string) {
  const parse = eventParser()
  const frames = sessionFrames(
    { store, standing: () => Promise.resolve(resting) },
    { id, after, opened: {}, ...(at !== undefined && { at }) },
    signal,
  )
  for await (const text of frames) {
    for (const { name, data } of parse(text)) yield { name, data: JSON.parse(data) as Record<string, unknown> }
  }
}

test('words of an answer are told as they come, apart from what is certain, and come again as events', async () => {
  await using session = await Session.open(store, { environment: systemEnvironment() })
  await session.append(asked)
  const stop = new AbortController()
  const frames = sent(session.id, 0, stop.signal)
  const certain: number[] = []
  const words: StoredEvent[] = []
  const readUntil = async (isSo: () => boolean) => {
    while (!isSo()) {
      const { value } = await frames.next()
      if (value?.name === 'message') certain.push(Number(value.data['seq']))
      if (value?.name === 'partial') words.push(...(value.data['events'] as StoredEvent[]))
    }
  }
  await readUntil(() => certain.at(-1) === session.state?.seq)
  const before = [...certain]
  session.record({ type: 'answer.progressed', requestId: 'req_1', text: 'one ' })
  session.record({ type: 'answer.progressed', requestId: 'req_1', text: 'two ' })
  await readUntil(() => words.length === 2)
  expect(certain).toEqual(before)
  session.record({ type: 'answer.progressed', requestId: 'req_1', text: 'three' })
  await readUntil(() => words.length === 3)
  expect(words.map((event) => 'text' in event && event.text)).toEqual(['one ', 'two ', 'three'])
  // A page that comes now gets the same: nothing of it is certain yet.
  const later = sent(session.id, 0, stop.signal)
  const names: string[] = []
  for (let isTold = false; !isTold;) {
    const { value } = await later.next()
    names.push(`${value?.name} ${value?.name === 'message' ? String(value.data['type']) : ''}`)
    isTold = value?.name === 'partial'
    if (isTold) expect(value?.data['events']).toEqual(words)
  }
  expect(names).not.toContain('message answer.progressed')
  await session.append({
    type: 'model.answered',
    requestId: 'req_1',
    content: [{ type: 'text', text: 'one two three' }],
    finishReason: 'stop',
  })
  await readUntil(() => certain.at(-1) === session.state?.seq)
  expect(certain).toEqual(Array.from({ length: certain.length }, (_, index) => index + 1))
  stop.abort()
  await Promise.all([frames.return(), later.return()])
})

test('a page that has another history is told so', async () => {
  await using session = await Session.open(store, { environment: systemEnvironment() })
  await session.append(asked)
  const seq = session.state?.seq ?? 0
  const events: StoredEvent[] = []
  for await (const event of store.read(session.id)) events.push(event)
  const second = async (after: number, at?: string) => {
    const stop = new AbortController()
    const frames = sent(session.id, after, stop.signal, at)
    await frames.next()
    const { value } = await frames.next()
    stop.abort()
    await frames.return()
    return value
  }
  expect(await second(seq, events.at(-1)?.at)).toEqual({ name: 'live', data: { seq } })
  expect(await second(seq, '2020-01-01T00:00:00.000Z')).toMatchObject({
    name: 'trouble',
    data: { code: 'history_changed' },
  })
  expect(await second(seq + 5)).toMatchObject({ name: 'trouble', data: { code: 'history_changed' } })
})
