import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryStore, parseEvent, Session, type StoredEvent, withCapability } from '../src/index.ts'
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
    const environment = fixedEnvironment()
    const session = await Session.open(store, { environment })
    const { id } = await withCapability(store, 'fork').fork(session.id, undefined, { environment })
    expect((await store.list()).rows.map((row) => row.id).toSorted()).toEqual([id, session.id].toSorted())
  })

  test('is refused by name where the store has it not', () => {
    for (const [name, words] of [
      ['verify', /This store cannot examine what it keeps of a session\. Use one that can/],
      ['salvage', /This store cannot copy what is intact of a damaged session\. Use one that can/],
    ] as const) {
      expect(() => withCapability(new MemoryStore(), name)).toThrow(words)
      expect(() => withCapability(new MemoryStore(), name)).toThrow(expect.objectContaining({ code: 'unsupported' }))
    }
  })
})

describe('watching', () => {
  async function watched() {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment(), id: 'one' })
    await session.close()
    const watch = store.watch('one')
    while ((await watch.next()).value?.event?.type !== 'session.claimed');
    return { store, watch }
  }

  test('ends with an error when the session is deleted meanwhile, also if another gets its id', async () => {
    for (const follows of ['nothing', 'another'] as const) {
      const { store, watch } = await watched()
      const waiting = watch.next()
      await store.delete('one')
      if (follows === 'another') await Session.open(store, { environment: fixedEnvironment(), id: 'one' })
      await expect(waiting).rejects.toMatchObject({ code: 'session_not_found' })
      expect(await watch.next()).toEqual({ value: undefined, done: true })
    }
  })

  test('of two watchers goes on in one when the other stops', async () => {
    const { store, watch } = await watched()
    const other = store.watch('one', 3)
    const [waiting, waitingToo] = [watch.next(), other.next()]
    await watch.return?.()
    expect(await waiting).toEqual({ value: undefined, done: true })
    const session = await Session.load(store, 'one', { environment: fixedEnvironment() })
    expect(await waitingToo).toEqual({ value: { kind: 'writer_changed', epoch: session.epoch }, done: false })
  })
})
