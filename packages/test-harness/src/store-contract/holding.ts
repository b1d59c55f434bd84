import assert from 'node:assert/strict'
import { clausesOf } from './clause.ts'
import { assertRefused, begin, leave, owner, resume, rival } from './steps.ts'

export const holding = clausesOf('holder', 'holders', {
  'the holder of a session is told, and none once it is released': async ({ store }) => {
    const writer = await begin(store)
    assert.equal((await store.holder('one'))?.path, owner.path)
    await writer.release()
    assert.equal(await store.holder('one'), null)
  },

  'after a takeover it is the new writer that holds the session': async ({ store }) => {
    await begin(store)
    await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    assert.equal((await store.holder('one'))?.path, rival.path)
  },

  'what a dead process held has no holder': async (tested) => {
    await begin(tested.store)
    const store = await tested.reopen()
    assert.equal(await store.holder?.('one'), null)
  },

  'asking who holds a session takes no epoch, and disturbs no writer': async ({ store }) => {
    await leave(store)
    const writer = await resume(store)
    await store.holder('one')
    await writer.release()
    assert.equal((await resume(store)).epoch, writer.epoch + 1)
  },

  'who holds a session that is not there cannot be told': async ({ store }) => {
    await assertRefused('session_not_found', store.holder('nowhere'))
  },
})
