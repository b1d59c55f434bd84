import assert from 'node:assert/strict'
import type { SessionStore, StoreCapabilities, WatchItem } from '@loader/session-core'
import { clausesOf } from './clause.ts'
import { claimed, opened, titled } from './sample-events.ts'
import { assertRefused, begin, leave, linesOf, resume, rival, stateOf } from './steps.ts'

type Watch = AsyncIterableIterator<WatchItem>

/** The next items: an event as it is written, and `epoch 2` for another writer. */
async function next(watch: Watch, count: number): Promise<string[]> {
  const items: string[] = []
  while (items.length < count) {
    const { value, done } = await watch.next()
    if (done) break
    items.push(shown(value))
  }
  return items
}

const shown = (item: WatchItem) => (item.kind === 'event' ? JSON.stringify(item.event) : `epoch ${item.epoch}`)
const lines = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event))

/** All items up to the last existing event. */
async function all(store: SessionStore & Pick<StoreCapabilities, 'watch'>, fromSeq?: number): Promise<string[]> {
  const last = (await linesOf(store)).at(-1)
  const watch = store.watch('one', fromSeq)
  const items: string[] = []
  while (items.at(-1) !== last) items.push(...(await next(watch, 1)))
  await watch.return?.()
  return items
}

export const watching = clausesOf('watch', 'watching', {
  'watching shows what is there, and then what is written': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    const watch = store.watch('one')
    assert.deepEqual(await next(watch, 1), lines([opened('one')]))
    const later = next(watch, 2)
    await writer.append([titled(2), titled(3)], 'flush')
    await writer.save(stateOf([opened('one'), titled(2), titled(3)]))
    assert.deepEqual(await later, lines([titled(2), titled(3)]))
    await watch.return?.()
  },

  'watching begins at the event that it is asked for': async ({ store }) => {
    await leave(store, 'one', [titled(2), titled(3), titled(4)])
    assert.deepEqual(await all(store, 3), lines([titled(3), titled(4)]))
    assert.deepEqual(await all(store, -1), lines([opened('one'), titled(2), titled(3), titled(4)]))
  },

  'watching says when another writer has the session, before what it writes': async ({ store }) => {
    const displaced = await begin(store)
    await displaced.append([claimed(2, displaced.epoch), titled(3)], 'flush')
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    const before = [opened('one'), claimed(2, displaced.epoch), titled(3)]
    const after = [claimed(4, writer.epoch), titled(5)]
    await writer.append(after, 'flush')
    await writer.save(stateOf([...before, ...after]))
    assert.deepEqual(await all(store), [...lines(before), `epoch ${writer.epoch}`, ...lines(after)])
  },

  'watching disturbs no writer, and takes no epoch': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    const watch = store.watch('one')
    await next(watch, 1)
    await writer.append([titled(2)], 'flush')
    await watch.return?.()
    await writer.release()
    assert.equal((await resume(store)).epoch, writer.epoch + 1)
  },

  'watching ends when the consumer stops, also while it waits': async ({ store }) => {
    await leave(store)
    const watch = store.watch('one')
    await next(watch, 1)
    const waiting = watch.next()
    await watch.return?.()
    assert.equal((await waiting).done, true)
    assert.equal((await watch.next()).done, true)
  },

  'watching ends when the signal says so, also while it waits, and at once if it has': async ({ store }) => {
    await leave(store)
    const end = new AbortController()
    const watch = store.watch('one', 1, { signal: end.signal })
    await next(watch, 1)
    const waiting = watch.next()
    end.abort()
    assert.equal((await waiting).done, true)
    assert.equal((await store.watch('one', 1, { signal: end.signal }).next()).done, true)
  },

  'watching a session that is not there, or no longer there, says so': async ({ store }) => {
    await assertRefused('session_not_found', store.watch('nowhere').next())
    await leave(store)
    await store.delete('one')
    await assertRefused('session_not_found', store.watch('one').next())
  },
})
