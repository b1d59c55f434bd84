import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryStore, parseEvent, Session, type StoredEvent } from '../src/index.ts'
import { fixedEnvironment } from './fixed-environment.ts'

const owner = { type: 'Test', path: 'test' }

describe('what a newer version wrote', () => {
  test('survives writer and reader byte for byte: unknown keys and unknown types of events', async () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    // A key that this version knows would be checked, so the extra ones get a name of the future.
    const extra = fc.dictionary(
      fc.string({ unit: 'grapheme' }).map((key) => `future ${key}`),
      value,
    )
    const known = extra.map((keys) => ({ type: 'session.titled', title: 'x', by: 'user', ...keys }))
    const unknown = extra.map((keys) => ({ type: 'future.happened', ['__proto__']: 1, ...keys }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(known, unknown), { minLength: 1, maxLength: 5 }), async (bodies) => {
        const store = new MemoryStore()
        const { writer } = await store.claim('ses', { owner, expect: 'new' })
        const opened = { type: 'session.opened', seq: 1, at: '2026-01-01T00:00:00.000Z', format: 1, id: 'ses' }
        const lines = [opened, ...bodies.map((body, index) => ({ ...body, seq: index + 2, at: opened.at }))].map(
          (event) => JSON.stringify(event),
        )
        await writer.append(
          lines.map((line) => parseEvent(JSON.parse(line))),
          'flush',
        )
        const read: StoredEvent[] = []
        for await (const event of store.read('ses')) read.push(event)
        expect(read.map((event) => JSON.stringify(event))).toEqual(lines)
      }),
      { numRuns: 200 },
    )
  })

  test('even a key called __proto__, at any depth', () => {
    const line =
      '{"type":"custom.recorded","seq":1,"at":"2026-01-01T00:00:00.000Z","name":"n","data":{"__proto__":{"__proto__":1}},"__proto__":2}'
    expect(JSON.stringify(parseEvent(JSON.parse(line)))).toBe(line)
  })
})

describe('listing', () => {
  test('is newest first, in pages, and finds by text and metadata', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      const session = await Session.open(store, { environment, title, metadata: { first: title.charAt(0) } })
      await session.close()
    }
    const first = await store.list({ limit: 2 })
    expect(first.rows.map(({ title }) => title)).toEqual(['Gamma', 'Beta'])
    const second = await store.list({ limit: 2, ...(first.cursor !== undefined && { cursor: first.cursor }) })
    expect(second.rows.map(({ title }) => title)).toEqual(['Alpha'])
    expect(second.cursor).toBeUndefined()
    expect((await store.list({ text: 'bet' })).rows).toHaveLength(1)
    expect((await store.list({ metadata: { first: 'G' } })).rows.map(({ title }) => title)).toEqual(['Gamma'])
  })
})

describe('deleting', () => {
  test('is refused while a writer holds the session, and final afterwards', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    await expect(store.delete(session.id)).rejects.toMatchObject({ code: 'session_busy' })
    await session.close()
    await store.delete(session.id)
    await expect(store.delete(session.id)).rejects.toMatchObject({ code: 'session_not_found' })
    expect((await store.list()).rows).toEqual([])
  })
})

describe('what does not fit', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const opened = { type: 'session.opened', seq: 1, at, format: 1, id: 'ses' } as const

  test('a session of a newer format is listed as damaged, beside the others', async () => {
    const store = new MemoryStore()
    const { writer } = await store.claim('later', { owner, expect: 'new' })
    await writer.append([{ ...opened, id: 'later', format: 2 }], 'flush')
    await Session.open(store, { environment: fixedEnvironment(), id: 'mine' })
    expect((await store.list()).rows.map(({ id, status }) => [id, status])).toEqual([
      ['mine', 'resting'],
      ['later', 'damaged'],
    ])
  })

  test('a saved state that is none, or is ahead of the events, is passed over', async () => {
    const store = new MemoryStore()
    const ahead = await Session.open(new MemoryStore(), { environment: fixedEnvironment(), id: 'ses' })
    for (const state of [{}, ahead.state]) {
      const { writer } = await store.claim('ses', { owner, expect: state === ahead.state ? 'existing' : 'new' })
      if (state !== ahead.state) await writer.append([opened], 'flush')
      await writer.save(state as never, { index: false })
      await writer.release()
      const claim = await store.claim('ses', { owner, expect: 'existing' })
      expect(claim).toMatchObject({ state: null, events: [{ seq: 1 }] })
      await claim.writer.release()
    }
  })

  test('a session without an event is nobody else’s session yet', async () => {
    const store = new MemoryStore()
    await store.claim('ses', { owner, expect: 'new' })
    await expect(store.claim('ses', { owner, expect: 'existing', takeover: true })).rejects.toMatchObject({
      code: 'session_not_found',
    })
    await expect(store.claim('ses', { owner, expect: 'new' })).rejects.toMatchObject({ code: 'session_exists' })
    const { writer } = await store.claim('ses', { owner, expect: 'new', takeover: true })
    expect(writer.epoch).toBe(2)
  })

  test('a writer that was displaced keeps no texts', async () => {
    const store = new MemoryStore()
    const { writer } = await store.claim('ses', { owner, expect: 'new' })
    await writer.append([opened], 'flush')
    await store.claim('ses', { owner, expect: 'existing', takeover: true })
    await expect(writer.blobs.put('late')).rejects.toMatchObject({ code: 'writer_fenced' })
  })
})

describe('a writer', () => {
  test('refuses events that do not follow', async () => {
    const { writer } = await new MemoryStore().claim('ses', { owner, expect: 'new' })
    const event = { type: 'session.titled', seq: 2, at: '2026-01-01T00:00:00.000Z', title: 'x', by: 'user' } as const
    await expect(writer.append([event], 'flush')).rejects.toMatchObject({ code: 'impossible_event' })
  })

  test('that was released writes nothing more', async () => {
    const { writer } = await new MemoryStore().claim('ses', { owner, expect: 'new' })
    await writer.release()
    await expect(writer.append([], 'flush')).rejects.toMatchObject({ code: 'session_closed' })
  })

  test('says which blob is missing', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const reading = session.readText({ blob: 'gone', bytes: 3, excerpt: 'abc' })
    await expect(reading).rejects.toMatchObject({ code: 'blob_missing', message: expect.stringContaining('gone') })
    const { blob } = await session.blobs.put('kept')
    expect(await store.readBlob(session.id, blob)).toBe('kept')
  })
})
