import assert from 'node:assert/strict'
import { type Environment, parseEvent } from '@loader/session-core'
import { clausesOf } from './clause.ts'
import { opened, recorded, timeAt, titled } from './sample-events.ts'
import { assertClaimFolds, assertHolds, assertRefused, begin, leave, listedIds, readAll, resume } from './steps.ts'

let ids = 0
const environment: Environment = { now: () => timeAt(100), newId: (prefix) => `${prefix}_${++ids}` }
const as = (id: string) => ({ environment, id })
const forked = (id: string, seq: number) =>
  parseEvent({ type: 'session.forked', seq: seq + 1, at: timeAt(100), id, from: { id: 'one', seq } })
const three = [titled(2), titled(3), titled(4)]

export const forking = clausesOf('fork', 'forking', {
  'a fork has the events up to the point, and then says where they come from': async ({ store }) => {
    await leave(store, 'one', three)
    assert.deepEqual(await store.fork('one', 3, as('two')), { id: 'two', from: { id: 'one', seq: 3 } })
    await assertHolds(store, 'two', [opened('one'), titled(2), titled(3), forked('two', 3)])
  },

  'a fork without a point has all events': async ({ store }) => {
    await leave(store, 'one', three)
    assert.deepEqual((await store.fork('one', undefined, as('two'))).from, { id: 'one', seq: 4 })
    await assertHolds(store, 'two', [opened('one'), ...three, forked('two', 4)])
  },

  'a fork without an id gets one from the environment': async ({ store }) => {
    await leave(store, 'one')
    const { id } = await store.fork('one', undefined, { environment })
    assert.equal(id, `ses_${ids}`)
    await assertHolds(store, id, [opened('one'), forked(id, 1)])
  },

  'a fork is listed, and goes on like any session': async (tested) => {
    const { store } = tested
    await leave(store, 'one', three)
    await store.fork('one', 2, as('two'))
    assert.deepEqual((await listedIds(store)).toSorted(), ['one', 'two'])
    const writer = await resume(store, 'two')
    await writer.append([titled(4, 'Goes on')], 'flush')
    await writer.release()
    const expected = [opened('one'), titled(2), forked('two', 2), titled(4, 'Goes on')]
    await assertHolds(await tested.reopen(), 'two', expected)
    await assertClaimFolds(store, 'two', expected)
  },

  'a fork leaves the session as it is, also while a writer holds it': async ({ store }) => {
    const writer = await begin(store)
    await writer.append([titled(2)], 'flush')
    await store.fork('one', undefined, as('two'))
    await assertHolds(store, 'one', [opened('one'), titled(2)])
    await writer.append([titled(3)], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2), titled(3)])
    assert.equal((await readAll(store, 'two')).length, 3)
  },

  'a fork keeps the long texts that its events name, also when the session is deleted': async ({ store }) => {
    const writer = await begin(store)
    const text = 'A long text. '.repeat(1000)
    const { blob, bytes } = await writer.blobs.put(text)
    await writer.append([recorded(2, { blob, bytes, excerpt: 'A long text.' })], 'flush')
    await writer.release()
    await store.fork('one', undefined, as('two'))
    await store.delete('one')
    assert.equal(await store.readBlob('two', blob), text)
    assert.equal((await readAll(store, 'two')).length, 3)
  },

  'a fork at an event that is not there is refused, and leaves nothing': async ({ store }) => {
    await leave(store, 'one', three)
    for (const seq of [0, -1, 1.5, 5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await assertRefused('impossible_event', store.fork('one', seq, as('two')))
    }
    assert.deepEqual(await listedIds(store), ['one'])
  },

  'a fork of a session that is not there is refused': async ({ store }) => {
    await assertRefused('session_not_found', store.fork('nowhere', undefined, as('two')))
    assert.deepEqual(await listedIds(store), [])
  },

  'a fork never replaces a session': async ({ store }) => {
    await leave(store, 'one', three)
    await leave(store, 'two', [titled(2, 'Mine')])
    await assertRefused('session_exists', store.fork('one', undefined, as('two')))
    await assertRefused('invalid_id', store.fork('one', undefined, as('../two')))
    await assertHolds(store, 'two', [opened('two'), titled(2, 'Mine')])
  },
})
