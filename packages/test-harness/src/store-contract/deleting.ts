import assert from 'node:assert/strict'
import { clauses } from './clause.ts'
import { opened, titled } from './sample-events.ts'
import {
  assertGone,
  assertHolds,
  assertRefused,
  begin,
  leave,
  linesOf,
  listedIds,
  owner,
  resume,
  rival,
  stateOf,
} from './steps.ts'

export const deleting = clauses('deleting', {
  'a deleted session is neither read nor claimed': async ({ store }) => {
    await leave(store)
    await store.delete('one')
    await assertRefused('session_not_found', linesOf(store))
    await assertRefused('session_not_found', store.claim('one', { owner, expect: 'existing' }))
  },

  'what is not there, or no longer there, is not deleted': async ({ store }) => {
    await assertRefused('session_not_found', store.delete('one'))
    await leave(store)
    await store.delete('one')
    await assertRefused('session_not_found', store.delete('one'))
  },

  'a deleted session is not listed': async ({ store }) => {
    await leave(store)
    await leave(store, 'two')
    await store.delete('one')
    assert.deepEqual(await listedIds(store), ['two'])
  },

  'the texts of a session are deleted with it': async ({ store }) => {
    const writer = await begin(store)
    const { blob } = await writer.blobs.put('Gone with the session')
    await writer.release()
    await store.delete('one')
    await assertRefused('session_not_found', store.readBlob('one', blob))
    await begin(store)
    await assertRefused('blob_missing', store.readBlob('one', blob))
  },

  'a deleted session does not come back with a new process': async (tested) => {
    await leave(tested.store, 'one', [titled(2)])
    await tested.store.delete('one')
    await assertGone(await tested.reopen())
  },

  'a deleted session does not come back by a writer that was released': async ({ store }) => {
    const writer = await begin(store)
    await writer.release()
    await store.delete('one')
    await assertRefused('session_closed', writer.append([titled(2)], 'flush'))
    await assertRefused('session_closed', writer.save(stateOf([opened('one')])))
    await assertGone(store)
  },

  'a deleted session does not come back by a writer that was displaced': async ({ store }) => {
    const displaced = await begin(store)
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    await writer.release()
    await store.delete('one')
    await assertRefused('writer_fenced', displaced.append([titled(2)], 'flush'))
    await displaced.release()
    await assertGone(store)
  },

  'a session that is held is not deleted': async ({ store }) => {
    const writer = await begin(store)
    await assertRefused('session_busy', store.delete('one'))
    await writer.append([titled(2)], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2)])
  },

  'what a dead process held can be deleted': async (tested) => {
    await begin(tested.store)
    const store = await tested.reopen()
    await store.delete('one')
    await assertGone(store)
  },

  'the id of a deleted session can be used again, for one that begins empty': async (tested) => {
    await leave(tested.store, 'one', [titled(2), titled(3)])
    await tested.store.delete('one')
    const claim = await tested.store.claim('one', { owner, expect: 'new' })
    assert.deepEqual([claim.state, claim.events], [null, []])
    await claim.writer.append([opened('one', { title: 'Again' })], 'flush')
    await claim.writer.release()
    await assertHolds(await tested.reopen(), 'one', [opened('one', { title: 'Again' })])
  },

  'the neighbours of a deleted session stay': async ({ store }) => {
    const neighbours = ['one_1', 'one-1', 'on', 'one1']
    for (const id of ['one', ...neighbours]) await leave(store, id, [titled(2)])
    await store.delete('one')
    assert.deepEqual((await listedIds(store)).toSorted(), neighbours.toSorted())
    for (const id of neighbours) {
      await assertHolds(store, id, [opened(id), titled(2)])
      await (await resume(store, id)).release()
    }
  },
})
