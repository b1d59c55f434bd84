import { describe, expect, test } from 'vitest'
import { LoaderError, MemoryStore, readSession, Session, type SessionEvent, type StoredEvent } from '../src/index.ts'
import { FailingStore } from './failing-store.ts'
import { fixedEnvironment } from './fixed-environment.ts'

const titled = (title: string) => ({ type: 'session.titled', title, by: 'user' }) as const
const full = () => new LoaderError('storage_full', 'The disk is full.')

async function eventsOf(store: MemoryStore, id: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id)) events.push(event)
  return events
}

describe('opening a session', () => {
  test('makes it durable and listed before it is handed out', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, {
      environment: fixedEnvironment(),
      title: 'First',
      metadata: { team: 'a' },
    })
    expect((await eventsOf(store, session.id)).map(({ type }) => type)).toEqual(['session.opened', 'session.claimed'])
    const { rows } = await store.list()
    expect(rows).toMatchObject([{ id: session.id, title: 'First', metadata: { team: 'a' }, status: 'resting' }])
  })

  test('refuses an id that is taken, in any case', async () => {
    const store = new MemoryStore()
    await Session.open(store, { environment: fixedEnvironment(), id: 'mine' })
    await expect(Session.open(store, { environment: fixedEnvironment(), id: 'MINE' })).rejects.toMatchObject({
      code: 'session_exists',
    })
  })

  test.each(['', '../x', 'a.1', '_index', 'nul', 'COM1', 'x'.repeat(65), 'ä'])('refuses the id %j', async (id) => {
    const opening = Session.open(new MemoryStore(), { environment: fixedEnvironment(), id })
    await expect(opening).rejects.toMatchObject({ code: 'invalid_id' })
  })

  test('leaves nothing behind when the first write fails', async () => {
    const store = new FailingStore()
    store.failure = full()
    await expect(Session.open(store, { environment: fixedEnvironment(), id: 'again' })).rejects.toMatchObject({
      code: 'storage_full',
    })
    store.failure = undefined
    expect((await store.list()).rows).toEqual([])
    await expect(Session.open(store, { environment: fixedEnvironment(), id: 'again' })).resolves.toBeInstanceOf(Session)
  })
})

describe('loading a session', () => {
  test('goes on where the last writer stopped, in a new epoch', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const first = await Session.open(store, { environment })
    await first.append(titled('Before'))
    await first.close()
    const second = await Session.load(store, first.id, {
      environment,
      owner: { type: 'RuntimeHandle', path: 'runtime-handle' },
    })
    expect(second.epoch).toBe(2)
    expect(second.state).toMatchObject({
      title: 'Before',
      seq: 4,
      owner: { type: 'RuntimeHandle', path: 'runtime-handle' },
    })
  })

  test('takes the events behind the last save into account', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const first = await Session.open(store, { environment })
    await first.append(titled('Never saved'))
    const second = await Session.load(store, first.id, { environment, takeover: true })
    expect(second.state.title).toBe('Never saved')
  })

  test('names a missing session', async () => {
    const loading = Session.load(new MemoryStore(), 'nowhere', { environment: fixedEnvironment() })
    await expect(loading).rejects.toMatchObject({
      code: 'session_not_found',
      message: expect.stringContaining('nowhere'),
    })
  })

  test('refuses a session that a live writer holds, and names the holder', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const { id } = await Session.open(store, { environment, owner: { type: 'Agent', path: 'public-agent' } })
    await expect(Session.load(store, id, { environment })).rejects.toMatchObject({
      code: 'session_busy',
      message: expect.stringContaining('held by public-agent'),
    })
  })

  test('by force displaces the live writer, which writes nothing more', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const first = await Session.open(store, { environment })
    const second = await Session.load(store, first.id, { environment, takeover: true })
    await expect(first.append(titled('Too late'))).rejects.toMatchObject({ code: 'writer_fenced' })
    expect(() => first.record(titled('Still too late'))).toThrow(expect.objectContaining({ code: 'writer_fenced' }))
    await first.close()
    await second.append(titled('In time'))
    expect((await eventsOf(store, first.id)).at(-1)).toMatchObject({ title: 'In time' })
  })

  test('refuses to continue what a newer version marked as critical, but shows it', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const session = await Session.open(store, { environment })
    await session.close()
    const { writer } = await store.claim(session.id, { owner: { type: 'New', path: 'new' }, expect: 'existing' })
    const critical = { type: 'session.sealed_by_law', seq: 3, at: environment.now(), critical: true }
    await writer.append([critical], 'flush')
    await writer.release()
    await expect(Session.load(store, session.id, { environment })).rejects.toMatchObject({
      code: 'session_read_only',
      message: expect.stringContaining('session.sealed_by_law (seq 3)'),
    })
    const { state } = await readSession(store, session.id)
    expect(state.foreign).toEqual({ count: 1, critical: { type: 'session.sealed_by_law', seq: 3 } })
    // The failed load gave the session free again.
    await expect(Session.load(store, session.id, { environment })).rejects.toMatchObject({ code: 'session_read_only' })
  })

  test('refuses a newer major format by name', async () => {
    const store = new MemoryStore()
    const { writer } = await store.claim('later', { owner: { type: 'New', path: 'new' }, expect: 'new' })
    const opened = { type: 'session.opened', seq: 1, at: '2030-01-01T00:00:00.000Z', format: 2, id: 'later' } as const
    await writer.append([opened], 'flush')
    await writer.release()
    await expect(Session.load(store, 'later', { environment: fixedEnvironment() })).rejects.toMatchObject({
      code: 'format_newer',
      message: expect.stringContaining('format 2'),
    })
  })
})

describe('recording', () => {
  test('changes the state at once and the store soon', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    store.hold = true
    const event = session.record(titled('At once'))
    expect(event).toMatchObject({ seq: 3, title: 'At once' })
    expect(session.state.title).toBe('At once')
    expect(await eventsOf(store, session.id)).toHaveLength(2)
    store.releaseHeld()
    await session.durable()
    expect(await eventsOf(store, session.id)).toHaveLength(3)
  })

  test('refuses an impossible event before it gets anywhere', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const before = session.state
    expect(() => session.record({ type: 'turn.started', turnId: 't', inputId: 'never' })).toThrow(
      expect.objectContaining({
        code: 'impossible_event',
        message: expect.stringContaining('input never is not queued'),
      }),
    )
    expect(session.state).toBe(before)
    await session.durable()
    expect(await eventsOf(store, session.id)).toHaveLength(2)
  })

  test('records all of several events or none of them', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const events = [titled('Possible'), { type: 'wait.finished', outcome: 'elapsed' }] as const
    await expect(session.append(events)).rejects.toMatchObject({ code: 'impossible_event' })
    expect(session.state.title).toBeNull()
    expect(await eventsOf(store, session.id)).toHaveLength(2)
  })

  test('keeps what it was given at that moment, whatever the caller does to it afterwards', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const data = { list: [1] }
    session.record({ type: 'custom.recorded', name: 'mine', data })
    data.list.push(2)
    await session.durable()
    expect((await eventsOf(store, session.id)).at(-1)).toMatchObject({ data: { list: [1] } })
  })

  test.each([
    ['a number that is none', Number.NaN],
    ['a date', new Date(0)],
    ['a function', () => 1],
    ['something nested too deeply', Array.from({ length: 2000 }).reduce((inner) => [inner], null)],
  ])('refuses %s as data', async (_name, data) => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    const input = { type: 'custom.recorded', name: 'mine', data } as never
    expect(() => session.record(input)).toThrow(
      expect.objectContaining({ code: 'invalid_event', message: expect.stringContaining('its field data is wrong') }),
    )
  })

  test('refuses whatever would be something else when it is read again, wherever it stands, and says where', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    const hidden = Object.defineProperty({}, 'toJSON', { value: () => 'other' })
    const itself: { self?: unknown } = {}
    itself.self = itself
    const numbers = [Number.NaN, Infinity, 10n]
    const objects = [new Date(0), new Map(), Buffer.from('x'), new Error('x'), new URL('http://x/'), Promise.resolve()]
    const others = [Symbol('s'), () => 1, Object('x'), hidden, itself, [undefined], Array(2)]
    const wrong: readonly unknown[] = [...numbers, ...objects, ...others]
    for (const value of wrong) {
      for (const [field, event] of [
        ['data.a.1', { type: 'custom.recorded', name: 'mine', data: { a: [0, value] } }],
        ['extra.a.1', { type: 'custom.recorded', name: 'mine', data: {}, extra: { a: [0, value] } }],
      ] as const) {
        const shown = Object.is(value, itself) ? field.split('.')[0] : field
        const found = expect.stringContaining(`its field ${shown}`)
        expect(() => session.record(event as never)).toThrow(
          expect.objectContaining({ code: 'invalid_event', message: found }),
        )
      }
    }
    expect(session.state.seq).toBe(2)
  })

  test('refuses events that this version does not know, and what is none', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    for (const wrong of [
      undefined,
      null,
      'input.queued',
      {},
      { type: 'tool.finish', callId: 'c' },
      { type: 'toString' },
    ])
      await expect(session.append(wrong as never)).rejects.toMatchObject({ code: 'invalid_event' })
    expect(session.state.seq).toBe(2)
  })

  test('says what is missing where it is opened without a clock, or is given a text that is none', async () => {
    const store = new MemoryStore()
    for (const options of [undefined, {}, { environment: {} }])
      await expect(Session.open(store, options as never)).rejects.toMatchObject({ code: 'invalid_port' })
    const session = await Session.open(store, { environment: fixedEnvironment() })
    for (const text of [undefined, Buffer.from('x'), ['a']])
      await expect(session.storeText(text as never)).rejects.toMatchObject({ code: 'invalid_event' })
    await expect(store.fork(session.id, '1' as never, { environment: fixedEnvironment() })).rejects.toMatchObject({
      code: 'impossible_event',
    })
  })

  test('lets only the text of a running answer wait less for the disk', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    store.levels.length = 0
    await session.append([
      { type: 'input.queued', inputId: 'i', text: 'Hi' },
      { type: 'turn.started', turnId: 't', inputId: 'i' },
      { type: 'model.asked', requestId: 'r', purpose: 'answer', attempt: 1 },
    ])
    await session.append({ type: 'answer.progressed', requestId: 'r', text: 'He' })
    expect(store.levels).toEqual(['flush', 'os'])
  })
})

describe('a refused write', () => {
  test('takes its events back, is told once, and leaves the session usable', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    store.failure = full()
    await expect(session.append(titled('Lost'))).rejects.toMatchObject({ code: 'storage_full' })
    expect(session.state.title).toBeNull()
    store.failure = undefined
    await session.append(titled('Kept'))
    await session.save()
    expect((await eventsOf(store, session.id)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect((await store.list()).rows[0]).toMatchObject({ title: 'Kept', seq: 3 })
  })

  test('is told to everybody who was waiting for it, and for what stood behind it', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    store.hold = true
    store.failure = full()
    const waiting = ['one', 'two', 'three'].map((title) => session.append(titled(title)))
    const outcomes = Promise.allSettled(waiting)
    store.releaseHeld()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(session.state).toMatchObject({ seq: 2, title: null })
    store.failure = undefined
    await session.append(titled('Goes on'))
    expect(session.state).toMatchObject({ seq: 3, title: 'Goes on' })
  })

  test('that nobody waited for is told by the next call', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    store.failure = full()
    session.record(titled('Lost'))
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    store.failure = undefined
    expect(() => session.record(titled('Builds on what is lost'))).toThrow(
      expect.objectContaining({ code: 'storage_full' }),
    )
    await session.append(titled('Knows'))
    expect(session.state).toMatchObject({ seq: 3, title: 'Knows' })
  })

  test('is shown to no subscriber', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const seen: SessionEvent[] = []
    session.subscribe((event) => seen.push(event))
    store.failure = full()
    await expect(session.append(titled('Lost'))).rejects.toMatchObject({ code: 'storage_full' })
    store.failure = undefined
    await session.append(titled('Kept'))
    expect(seen).toMatchObject([{ seq: 3, title: 'Kept' }])
  })
})

describe('an uncertain write', () => {
  test('ends the writing until the session is loaded again', async () => {
    const store = new FailingStore()
    const environment = fixedEnvironment()
    const session = await Session.open(store, { environment })
    store.failure = new Error('EIO')
    await expect(session.append(titled('Who knows'))).rejects.toMatchObject({
      code: 'storage_uncertain',
      cause: expect.objectContaining({ message: 'EIO' }),
    })
    store.failure = undefined
    expect(() => session.record(titled('No'))).toThrow(expect.objectContaining({ code: 'storage_uncertain' }))
    await expect(session.durable()).rejects.toMatchObject({ code: 'storage_uncertain' })
    await expect(session.save()).rejects.toMatchObject({ code: 'storage_uncertain' })
    await session.close()
    const again = await Session.load(store, session.id, { environment })
    await again.append(titled('Again'))
    expect(again.state.title).toBe('Again')
  })
})

describe('subscribers', () => {
  test('see durable events in order, until they stop listening', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    const seen: number[] = []
    const stop = session.subscribe(({ seq }) => seen.push(seq))
    await session.append([titled('a'), titled('b')])
    stop()
    await session.append(titled('c'))
    expect(seen).toEqual([3, 4])
  })

  test('that throw break nobody else, and the error is seen at the latest when the session closes', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const seen: number[] = []
    session.subscribe(() => {
      throw new Error('cannot draw')
    })
    session.subscribe(({ seq }) => seen.push(seq))
    await session.append(titled('Drawn'))
    expect(seen).toEqual([3])
    await expect(session.close()).rejects.toMatchObject({ code: 'listener_failed', cause: new Error('cannot draw') })
    expect((await readSession(store, session.id)).state.title).toBe('Drawn')
    await expect(Session.load(store, session.id, { environment: fixedEnvironment() })).resolves.toBeInstanceOf(Session)
  })

  test('that throw are reported at once to whoever asked for it', async () => {
    const errors: unknown[] = []
    const session = await Session.open(new MemoryStore(), {
      environment: fixedEnvironment(),
      onListenerError: (error) => errors.push(error),
    })
    session.subscribe(() => {
      throw new Error('cannot draw')
    })
    await session.append(titled('x'))
    expect(errors).toEqual([new Error('cannot draw')])
    await session.close()
  })
})

describe('saving and closing', () => {
  test('saving touches no time', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const { updatedAt } = session.state
    await session.save()
    await session.save({ index: false })
    expect(session.state.updatedAt).toBe(updatedAt)
    expect((await store.list()).rows[0]?.updatedAt).toBe(updatedAt)
  })

  test('saving without the index leaves the row as it was', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment(), title: 'Old' })
    await session.append(titled('New'))
    await session.save({ index: false })
    expect((await store.list()).rows[0]?.title).toBe('Old')
    await session.save()
    expect((await store.list()).rows[0]?.title).toBe('New')
  })

  test('closing twice is closing once, and a closed session records nothing', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    await Promise.all([session.close(), session.close()])
    expect(() => session.record(titled('Late'))).toThrow(expect.objectContaining({ code: 'session_closed' }))
  })

  test('leaving the scope closes it', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    let id = ''
    {
      await using session = await Session.open(store, { environment })
      id = session.id
      session.record(titled('In scope'))
    }
    const again = await Session.load(store, id, { environment })
    expect(again.state.title).toBe('In scope')
  })

  test('a long text goes to the blobs and comes back identical', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    const long = `${'long \uD800 text 🎈\r\n\u0000'.repeat(8000)}`
    const stored = await session.storeText(long)
    expect(stored).toMatchObject({ bytes: expect.any(Number), excerpt: expect.stringContaining('long') })
    expect(await session.readText(stored)).toBe(long)
    expect(await session.storeText('short')).toBe('short')
  })
})

describe('the place of a session in a list', () => {
  test('stays when it is opened and closed, and is the first after work', async () => {
    const store = new MemoryStore()
    const environment = fixedEnvironment()
    const titles = async () => (await store.list()).rows.map(({ title }) => title)
    for (const title of ['older', 'newer']) {
      const session = await Session.open(store, { environment, id: title, title })
      await session.append({ type: 'custom.recorded', name: 'work', data: null })
      await session.close()
    }
    await (await Session.load(store, 'older', { environment })).close()
    expect(await titles()).toEqual(['newer', 'older'])
    const session = await Session.load(store, 'older', { environment })
    await session.append({ type: 'custom.recorded', name: 'work', data: null })
    await session.close()
    expect(await titles()).toEqual(['older', 'newer'])
  })
})

describe('a title', () => {
  const by = (who: string) => ({ type: 'session.titled', title: `by ${who}`, by: who }) as const

  test.each([
    { given: ['user', 'model', 'runtime'], stays: 'by user' },
    { given: ['model', 'user', 'model'], stays: 'by user' },
    { given: ['model', 'runtime'], stays: 'by runtime' },
    { given: ['user', 'user'], stays: 'by user' },
  ])('of the user is not overwritten: $given', async ({ given, stays }) => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
    for (const who of given) await session.append(by(who))
    expect(session.state.title).toBe(stays)
  })

  test('that a session was opened with is one of the user', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment(), title: 'Mine' })
    await session.append(by('model'))
    expect(session.state.title).toBe('Mine')
    await session.append(by('user'))
    expect(session.state.title).toBe('by user')
  })
})
