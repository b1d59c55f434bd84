import assert from 'node:assert/strict'
import { clauses } from './clause.ts'
import { opened, titled } from './sample-events.ts'
import { assertHolds, assertRefused, begin, leave, linesOf, listedIds, owner, readAll, resume } from './steps.ts'

export const reading = clauses('reading', {
  'reading begins at the event that it is asked for': async ({ store }) => {
    await leave(store, 'one', [titled(2), titled(3), titled(4)])
    const seqsFrom = async (seq: number) => (await readAll(store, 'one', seq)).map((event) => event.seq)
    assert.deepEqual(await seqsFrom(1), [1, 2, 3, 4])
    assert.deepEqual(await seqsFrom(3), [3, 4])
    assert.deepEqual(await seqsFrom(4), [4])
    assert.deepEqual(await seqsFrom(5), [])
  },

  'reading is possible while a writer holds the session, and does not disturb it': async ({ store }) => {
    const writer = await begin(store)
    await assertHolds(store, 'one', [opened('one')])
    await writer.append([titled(2)], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2)])
  },

  'reading shows the same every time': async ({ store }) => {
    await leave(store, 'one', [titled(2)])
    assert.deepEqual(await linesOf(store), await linesOf(store))
  },

  'reading what a dead process left behind changes nothing': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append([titled(2)], 'os')
    const store = await tested.reopen()
    assert.deepEqual(await linesOf(store), await linesOf(store))
    assert.equal((await resume(store)).epoch, writer.epoch + 1)
  },

  'reading takes no epoch': async ({ store }) => {
    await leave(store)
    const before = await resume(store)
    await before.release()
    await linesOf(store)
    const after = await resume(store)
    assert.equal(after.epoch, before.epoch + 1)
  },

  'reading hands out events of its own: changing them changes nothing': async ({ store }) => {
    await leave(store, 'one', [titled(2, 'Stored')])
    const events = (await readAll(store)) as { title?: string }[]
    for (const event of events) event.title = 'Changed by the reader'
    await assertHolds(store, 'one', [opened('one'), titled(2, 'Stored')])
  },

  'reading a session that is not there says so, and makes none': async ({ store }) => {
    await assertRefused('session_not_found', linesOf(store, 'nowhere'))
    await assertRefused('session_not_found', store.readBlob('nowhere', 'blob'))
    assert.deepEqual(await listedIds(store), [])
    await store.claim('nowhere', { owner, expect: 'new' })
  },
})
