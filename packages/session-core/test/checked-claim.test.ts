import { describe, expect, test } from 'vitest'
import { type Claim, MemoryStore, readSession, Session, type SessionStore } from '../src/index.ts'
import { fixedEnvironment } from './fixed-environment.ts'

const environment = fixedEnvironment()
const titled = { type: 'session.titled', title: 'A', by: 'user' } as const

/** What someone without a compiler may write. */
const wrong = (value: unknown) => value as never

/** A store whose claims are changed on their way. */
function storeThat(change: (claim: Claim) => unknown): SessionStore {
  const store = new MemoryStore()
  const claim: SessionStore['claim'] = async (id, options) => wrong(change(await store.claim(id, options)))
  return Object.assign(Object.create(store) as SessionStore, {
    claim,
    read: (id: string) => store.read(id),
    list: () => store.list(),
  })
}

/** The same writer but for one method. */
function writerWith({ writer, ...claim }: Claim, method: 'append' | 'save' | 'release', instead: () => unknown) {
  const { id, epoch, blobs } = writer
  return {
    ...claim,
    writer: {
      id,
      epoch,
      blobs,
      append: (...args: Parameters<typeof writer.append>) => writer.append(...args),
      save: (...args: Parameters<typeof writer.save>) => writer.save(...args),
      release: () => writer.release(),
      [method]: instead,
    },
  }
}

describe('a store that claims without giving what a claim is', () => {
  test.for<readonly [string, (claim: Claim) => unknown, RegExp]>([
    [
      'nothing',
      () => undefined,
      /^claim of the store returned no claim\. It must return \{ writer, state, events, report/,
    ],
    ['no writer', (claim) => ({ ...claim, writer: undefined }), /no claim/],
    ['no events', (claim) => ({ ...claim, events: undefined }), /no claim/],
    ['no report', (claim) => ({ ...claim, report: undefined }), /no claim/],
    ['no saved state, and no null for it', (claim) => ({ ...claim, state: undefined }), /null for no saved state/],
    ['a writer that cannot save', (claim) => writerWith(claim, 'save', wrong(undefined)), /a writer without save/],
  ])('%s', async ([, change, message]) => {
    await expect(Session.open(storeThat(change), { environment })).rejects.toMatchObject({
      code: 'invalid_port',
      message: expect.stringMatching(message),
    })
  })

  test('claims without a promise', async () => {
    const store = Object.assign(new MemoryStore(), { claim: () => wrong(undefined) })
    await expect(Session.open(store, { environment })).rejects.toThrow(/^claim of the store returned no promise/)
  })
})

describe('a writer that returns no promise', () => {
  test('from append has not made anything durable, and nothing more is recorded', async () => {
    let returns = true
    const store = storeThat((claim) =>
      writerWith(
        claim,
        'append',
        wrong((...args: Parameters<Claim['writer']['append']>) => {
          const written = claim.writer.append(...args)
          return returns ? written : undefined
        }),
      ),
    )
    const session = await Session.open(store, { environment })
    const told: string[] = []
    session.subscribe(({ type }) => told.push(type))
    returns = false
    await expect(session.append(titled)).rejects.toMatchObject({
      code: 'invalid_port',
      message: expect.stringMatching(/^append of the store returned no promise\. It must return one that resolves/),
    })
    expect(told).toEqual([])
    expect(() => session.record(titled)).toThrow(/append of the store/)
    await session.close()
    returns = true
    // What was written without a word is there.
    expect((await Session.load(store, session.id, { environment })).state.title).toBe('A')
  })

  test.for(['save', 'release'] as const)('from %s says so', async (method) => {
    let returns = true
    const store = storeThat(({ writer, ...claim }) => {
      const real = {
        save: (...args: Parameters<typeof writer.save>) => writer.save(...args),
        release: () => writer.release(),
      }
      const once = wrong((...args: Parameters<typeof writer.save>) => (returns ? real[method](...args) : undefined))
      return writerWith({ ...claim, writer }, method, once)
    })
    const session = await Session.open(store, { environment })
    returns = false
    await expect(session.close()).rejects.toThrow(new RegExp(`^${method} of the store returned no promise`))
  })
})

test('a store that reads nothing at all says so', async () => {
  const store = Object.assign(new MemoryStore(), { read: () => wrong(undefined) })
  await expect(readSession(store, 'one')).rejects.toThrow(
    /^read of the store returned no events\. It must return an async/,
  )
})

test('a session whose claim is lost says so with its signal, records nothing and closes', async () => {
  const lease = new AbortController()
  const appended: string[] = []
  const store = storeThat((claim) => {
    const { writer } = claim
    const append: typeof writer.append = (events, level) => {
      appended.push(...events.map(({ type }) => type))
      return writer.append(events, level)
    }
    const changed = writerWith(claim, 'append', wrong(append))
    return { ...changed, writer: { ...changed.writer, lost: lease.signal } }
  })
  const session = await Session.open(store, { environment })
  expect(session.lost).toBe(lease.signal)
  const before = appended.length
  lease.abort(new Error('the database did not answer'))
  expect(() => session.record(titled)).toThrow(/lost to another writer/)
  await expect(session.durable()).rejects.toMatchObject({ code: 'writer_fenced' })
  await session.close()
  expect(appended).toHaveLength(before)
})
