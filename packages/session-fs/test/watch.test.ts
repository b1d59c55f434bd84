import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import nodeFileSystem, { cpSync, fdatasync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Session, type WatchItem } from '@loader/session-core'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { FileSessionStore, FileSystem, FileWatchOptions } from '../src/index.ts'
import { startChild } from './child.ts'
import { custom, environment, fill, linesOf, load, place, record, turn } from './sample-sessions.ts'

/** What is shown, shortly: seqs, and `epoch 2` for a change of the writer. */
function shown(items: readonly WatchItem[]): (number | string)[] {
  return items.map((item) => (item.kind === 'event' ? item.event.seq : `epoch ${item.epoch}`))
}

/** Watches while these steps happen, one whenever the watcher waits, until it has waited for each. */
async function watching(
  store: FileSessionStore,
  id: string,
  fromSeq: number,
  steps: readonly (() => Promise<unknown> | void)[],
): Promise<(number | string)[]> {
  const rest = [...steps]
  const end = new AbortController()
  const wait = async () => {
    const step = rest.shift()
    if (step) await step()
    else end.abort()
  }
  const items: WatchItem[] = []
  for await (const item of store.watch(id, fromSeq, { wait, signal: end.signal })) items.push(item)
  return shown(items)
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_unused, index) => from + index)

describe('watching', () => {
  test('shows what is there, and then what others write', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    const other = at.open()
    let session: Session | undefined
    const seen = await watching(at.store, 'one', 1, [
      async () => (session = await load(other, 'one')),
      async () => record(session as Session, 3),
      async () => session?.close(),
      () => undefined,
    ])
    expect(seen).toEqual([...range(1, 12), 'epoch 2', ...range(13, 16)])
  })

  test('shows the same events as reading, byte for byte', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const end = new AbortController()
    const lines: string[] = []
    for await (const item of at.store.watch('one', 7, { wait: async () => end.abort(), signal: end.signal })) {
      if (item.kind === 'event') lines.push(JSON.stringify(item.event))
    }
    expect(lines).toEqual(await linesOf(at.store, 'one', 7))
  })

  test('shows the newest event although nothing is written behind it', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    const session = await Session.open(at.store, { environment, id: 'one' })
    const end = new AbortController()
    const items = at.open().watch('one', 1, { intervalMs: 1, signal: end.signal })
    for (const seq of range(1, 6)) {
      if (seq > 2) await session.append(custom())
      expect(await items.next()).toMatchObject({ value: { kind: 'event', event: { seq } } })
    }
    end.abort()
  })

  test('shows an event only once it is durable', async () => {
    let isHolding = false
    const held: (() => void)[] = []
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      fdatasync: (fd, done) =>
        void (isHolding ? held.push(() => nodeFileSystem.fdatasync(fd, done)) : fdatasync(fd, done)),
    }
    await using at = await place({ rotateAfterBytes: 100_000, commit: 'pool', fileSystem })
    const session = await Session.open(at.store, { environment, id: 'one' })
    isHolding = true
    const appending = session.append(custom())
    const looks = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return watching(at.open(), 'one', 1, [])
    }
    while (held.length === 0) expect(await looks()).toEqual(range(1, 2))
    expect(readFileSync(at.path('one.journal.jsonl'), 'utf8')).toContain('"seq":3')
    expect(await looks()).toEqual(range(1, 2))
    isHolding = false
    for (const go of held) go()
    await appending
    while ((await looks()).length < 3);
    await session.close()
  })

  test('is gap-free across many seals, also for a slow consumer', async () => {
    await using at = await place({ rotateAfterBytes: 400 })
    const session = await Session.open(at.open(), { environment, id: 'one' })
    const end = new AbortController()
    const items: WatchItem[] = []
    const writing = (async () => {
      for (let count = 0; count < 120; count += 1) await session.append(custom(150))
      await session.close()
    })()
    for await (const item of at.store.watch('one', 1, { intervalMs: 1, signal: end.signal })) {
      items.push(item)
      if (items.length % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (items.length === 122) end.abort()
    }
    await writing
    expect(shown(items)).toEqual(range(1, 122))
    expect(at.names().filter((name) => /^one\.\d+\.json$/.test(name)).length).toBeGreaterThan(30)
  })

  test('goes on through a takeover, and says so', async () => {
    await using at = await place()
    const old = await Session.open(at.open(), { environment, id: 'one' })
    let taken: Session | undefined
    const seen = await watching(at.store, 'one', 1, [
      () => record(old, 5),
      async () => (taken = await load(at.open(), 'one', { takeover: true })),
      () => old.append(custom()).catch(() => undefined),
      () => record(taken as Session, 5),
      async () => taken?.close(),
      () => undefined,
    ])
    expect(seen).toEqual([...range(1, 7), 'epoch 2', ...range(8, 13)])
  })

  test('tells of every writer since, wherever it begins', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    for (let count = 0; count < 2; count += 1) {
      const session = await load(at.store, 'one')
      await record(session, 10)
      await session.close()
    }
    const claims = (seen: (number | string)[]) => seen.filter((each) => typeof each === 'string')
    expect(claims(await watching(at.store, 'one', 1, []))).toEqual(['epoch 2', 'epoch 3'])
    expect(claims(await watching(at.store, 'one', 5, []))).toEqual(['epoch 2', 'epoch 3'])
    expect(claims(await watching(at.store, 'one', 20, []))).toEqual(['epoch 3'])
    expect(claims(await watching(at.store, 'one', 30, []))).toEqual([])
  })

  test('can begin anywhere: in a segment, in the journal, behind the end', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    for (const from of [-3, 0, 1, 2, 9, 23, 40, 41, 42]) {
      expect(await watching(at.store, 'one', from, [])).toEqual(range(Math.max(1, from), 42))
    }
    const session = await load(at.store, 'one')
    expect(
      await watching(at.store, 'one', 46, [() => record(session, 5), () => session.save(), () => undefined]),
    ).toEqual([46, 47, 48])
    await session.close()
  })

  test('follows a fork, whose first segments bear the ids of others', async () => {
    await using at = await place()
    await fill(at.store, 'one', 30)
    await at.store.fork('one', 25, { id: 'two', environment })
    const two = await load(at.store, 'two')
    await record(two, 20)
    await two.close()
    expect(await watching(at.store, 'two', 1, [])).toEqual([...range(1, 26), 'epoch 2', ...range(27, 47)])
  })

  test('shows deltas of a turn when they are durable', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('a', 'x').slice(0, 3))
    const seen = await watching(at.store, 'one', 5, [
      () => session.append({ type: 'answer.progressed', requestId: 'req_a', text: 'He' }),
      () => undefined,
      () => session.append({ type: 'answer.progressed', requestId: 'req_a', text: 'llo' }),
      () => session.save(),
      () => undefined,
    ])
    expect(seen).toEqual([5, 6, 7])
    await session.close()
  })
})

/** Node tells the end of a timer behind all that is on its way. */
const aMoment = () => new Promise((resolve) => setImmediate(resolve))

/** Hands in the timers that wait of those that `run` made: a test runner has its own. */
async function countingTimers(run: (timers: ReadonlySet<number>) => Promise<void>): Promise<void> {
  const timers = new Set<number>()
  const inRun = new AsyncLocalStorage<true>()
  const hook = createHook({
    init: (id, type) => type === 'Timeout' && inRun.getStore() && timers.add(id),
    destroy: (id) => timers.delete(id),
  }).enable()
  try {
    await inRun.run(true, () => run(timers))
  } finally {
    hook.disable()
  }
}

describe('watching ends', () => {
  test('when the signal says so, also while it waits, and leaves no timer', async () => {
    await using at = await place()
    await fill(at.store, 'one', 3)
    await countingTimers(async (timers) => {
      const end = new AbortController()
      const items = at.store.watch('one', 1, { intervalMs: 100_000, signal: end.signal })
      for (const seq of range(1, 5))
        expect(await items.next()).toMatchObject({ value: { kind: 'event', event: { seq } } })
      const waiting = items.next()
      await aMoment()
      expect(timers.size).toBe(1)
      end.abort()
      expect(await waiting).toEqual({ done: true, value: undefined })
      await aMoment()
      expect(timers.size).toBe(0)
    })
  })

  test('when the consumer stops, also while it waits, and leaves no timer', async () => {
    await using at = await place()
    await fill(at.store, 'one', 3)
    await countingTimers(async (timers) => {
      for await (const _item of at.store.watch('one', 1, { intervalMs: 100_000 })) break
      const items = at.store.watch('one', 6, { intervalMs: 100_000 })
      const waiting = items.next()
      await aMoment()
      expect(timers.size).toBe(1)
      await items.return?.()
      expect(await waiting).toMatchObject({ done: true })
      expect(await items.next()).toMatchObject({ done: true })
      await aMoment()
      expect(timers.size).toBe(0)
    })
  })

  test('at once when the signal was there before', async () => {
    await using at = await place()
    await fill(at.store, 'one', 3)
    const items: WatchItem[] = []
    for await (const item of at.store.watch('one', 1, { signal: AbortSignal.abort() })) items.push(item)
    expect(items).toEqual([])
  })

  test('with an error when there is no such session, or it is deleted or replaced', async () => {
    await using at = await place()
    await expect(at.store.watch('one').next()).rejects.toMatchObject({ code: 'session_not_found' })
    expect(() => at.store.watch('a.b')).toThrow(expect.objectContaining({ code: 'invalid_id' }))
    await fill(at.store, 'one', 10)
    const deleted = watching(at.store, 'one', 1, [() => at.open().delete('one'), () => undefined])
    await expect(deleted).rejects.toMatchObject({ code: 'session_not_found' })
    await fill(at.store, 'one', 10)
    const again = async () => {
      await at.open().delete('one')
      await fill(at.open(), 'one', 3)
    }
    await expect(watching(at.store, 'one', 1, [again, () => undefined])).rejects.toMatchObject({
      code: 'session_not_found',
    })
  })

  test.each([
    ['in the journal', 100_000],
    ['in segments', 1_500],
  ])(
    'with an error where an older copy was put in its place and has grown further (%s)',
    async (_name, rotateAfterBytes) => {
      await using at = await place({ rotateAfterBytes })
      await fill(at.store, 'one', 10)
      const older = join(at.workspace.root, 'older')
      cpSync(at.directory, older, { recursive: true })
      const grow = async (count: number) => {
        const session = await load(at.open(), 'one')
        await record(session, count)
        await session.close()
      }
      await grow(5)
      const replaced = async () => {
        rmSync(at.directory, { recursive: true })
        cpSync(older, at.directory, { recursive: true })
        await grow(20)
      }
      await expect(watching(at.open(), 'one', 1, [replaced, () => undefined, () => undefined])).rejects.toMatchObject({
        code: 'session_not_found',
      })
    },
  )

  test('with an error at an event that cannot be read', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    rmSync(at.path('one.2.json'))
    await expect(watching(at.store, 'one', 1, [])).rejects.toMatchObject({ code: 'session_damaged' })
    expect((await watching(at.store, 'one', 30, [])).length).toBe(13)
  })
})

describe('watching another process', () => {
  test.runIf(fromCi)('shows all that it was told is stored, through kills and takeovers', async () => {
    await using at = await place()
    const end = new AbortController()
    const items: WatchItem[] = []
    const write = async (count: number, how: string) => {
      const child = startChild('session-writer.ts', at.directory, 'one', String(count), how)
      await child.ended
      return Number(child.lines.at(-1))
    }
    await write(5, 'close')
    const writing = (async () => {
      const told = [await write(60, 'kill'), await write(60, 'close')]
      end.abort()
      return told
    })()
    const options: FileWatchOptions = { intervalMs: 2, signal: end.signal }
    for await (const item of at.store.watch('one', 1, options)) items.push(item)
    const [killed, closed] = (await writing) as [number, number]
    const seqs = shown(items).filter((each) => typeof each === 'number')
    expect(seqs).toEqual(range(1, seqs.length))
    expect(seqs.length).toBeGreaterThanOrEqual(killed)
    // What came between the last look and the end of the process.
    expect([...seqs, ...(await watching(at.store, 'one', seqs.length + 1, []))]).toEqual(range(1, closed))
    expect(shown(items).filter((each) => typeof each === 'string')).toEqual(['epoch 2', 'epoch 3'])
  })
})
