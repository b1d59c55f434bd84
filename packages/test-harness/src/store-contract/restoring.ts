import assert from 'node:assert/strict'
import { type SessionStore, type StoredEvent, type WholeHistory } from '@loader/session-core'
import { clausesOf } from './clause.ts'
import { claimed, opened, recorded, titled } from './sample-events.ts'
import {
  assertClaimFolds,
  assertGone,
  assertHolds,
  assertRefused,
  begin,
  leave,
  listedIds,
  owner,
  resume,
  stateOf,
} from './steps.ts'

const long = 'A long text, with half a pair: \ud83e. '.repeat(1000)

/** A session of two claims with a long text, under the name that this store gives it. */
async function whole(store: SessionStore, id = 'one'): Promise<WholeHistory> {
  const writer = await begin(store, 'source')
  const { blob, bytes } = await writer.blobs.put(long)
  await writer.release()
  await store.delete('source', { erase: true })
  const named = recorded(4, { blob, bytes, excerpt: 'A long text' })
  const events: readonly StoredEvent[] = [opened(id), claimed(2, 1), claimed(3, 7), named, titled(5)]
  return { id, events, texts: new Map([[blob, long]]) }
}

export const restoring = clausesOf('restore', 'restoring', {
  'a session that is restored has its events and its long texts, and is listed': async (tested) => {
    const history = await whole(tested.store)
    await tested.store.restore(history)
    const store = await tested.reopen()
    await assertHolds(store, 'one', history.events)
    for (const [blob, text] of history.texts) assert.equal(await store.readBlob('one', blob), text)
    assert.deepEqual(await listedIds(store), ['one'])
    assert.equal((await store.list()).rows[0]?.title, stateOf(history.events).title)
    await assertClaimFolds(store, 'one', history.events)
  },

  'a session that is restored goes on above the claims in it': async ({ store }) => {
    const history = await whole(store)
    await store.restore(history)
    const writer = await resume(store)
    assert.ok(writer.epoch > 7, `epoch ${writer.epoch} is not above 7`)
    await writer.append([titled(6)], 'flush')
    await writer.release()
    await assertHolds(store, 'one', [...history.events, titled(6)])
  },

  'a session of many megabytes is restored': async ({ store }) => {
    const events = [opened('one'), ...Array.from({ length: 24 }, (_, i) => recorded(i + 2, 'x'.repeat(512 * 1024)))]
    await store.restore({ id: 'one', events, texts: new Map() })
    await assertHolds(store, 'one', events)
  },

  'nothing is restored where the id is taken': async ({ store }) => {
    const history = await whole(store)
    await leave(store, 'one', [titled(2, 'Mine')])
    await assertRefused('session_exists', store.restore(history))
    await assertRefused('invalid_id', store.restore({ ...history, id: '../one' }))
    await assertHolds(store, 'one', [opened('one'), titled(2, 'Mine')])
    await store.delete('one', { erase: true })
    await store.restore(history)
    await assertHolds(store, 'one', history.events)
  },

  'of events that make no session, or another one, nothing is restored': async ({ store }) => {
    const history = await whole(store)
    const { events } = history
    await assertRefused('impossible_event', store.restore({ ...history, events: events.toSpliced(2, 1) }))
    await assertRefused('invalid_event', store.restore({ ...history, events: [] }))
    await assertRefused('invalid_event', store.restore({ ...history, id: 'two' }))
    assert.deepEqual(await listedIds(store), [])
    await assertGone(store, 'two')
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.release()
  },
})
