import assert from 'node:assert/strict'
import { stateVersion } from '@loader/session-core'
import { clauses } from './clause.ts'
import { imported, opened, titled } from './sample-events.ts'
import { assertClaimFolds, assertHolds, begin, leave, owner, plain, stateOf } from './steps.ts'

const events = [opened('one'), titled(2), imported(3, 'Hello')]

export const saving = clauses('saving', {
  'a saved state is what the next claim begins with': async ({ store }) => {
    await leave(store, 'one', events.slice(1))
    const claim = await store.claim('one', { owner, expect: 'existing' })
    assert.equal(claim.state?.stateVersion, stateVersion)
    assert.deepEqual(plain(claim.state), plain(stateOf(events)))
    assert.deepEqual(claim.events, [])
  },

  'a saved state survives the end of the process': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append(events.slice(1), 'flush')
    await writer.save(stateOf(events))
    const { state } = await (await tested.reopen()).claim('one', { owner, expect: 'existing' })
    assert.deepEqual(plain(state), plain(stateOf(events)))
  },

  'a state that is older than the events comes with the events after it': async ({ store }) => {
    const writer = await begin(store)
    await writer.append([titled(2), titled(3), titled(4)], 'flush')
    await writer.save(stateOf([opened('one'), titled(2)]))
    await writer.release()
    await assertClaimFolds(store, 'one', [opened('one'), titled(2), titled(3), titled(4)])
  },

  'saving makes everything appended before it durable': async (tested) => {
    const writer = await begin(tested.store)
    const append = writer.append([titled(2)], 'os')
    await writer.save(stateOf([opened('one')]))
    await append
    await assertHolds(await tested.reopen(), 'one', [opened('one'), titled(2)])
  },

  'saving changes no event': async ({ store }) => {
    const writer = await begin(store)
    await writer.append([titled(2), titled(3)], 'flush')
    await writer.save(stateOf([opened('one'), titled(2), titled(3)]))
    await assertHolds(store, 'one', [opened('one'), titled(2), titled(3)])
  },

  'a session goes on after it was saved': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    await writer.append([titled(2)], 'flush')
    await writer.save(stateOf([opened('one'), titled(2)]))
    await writer.release()
    await assertClaimFolds(store, 'one', [opened('one'), titled(2)])
  },

  'a save that leaves the row for later leaves one: as it was, or as it is': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    await writer.append([titled(2, 'Later')], 'flush')
    await writer.save(stateOf([opened('one'), titled(2, 'Later')]), { index: false })
    const { rows } = await store.list()
    assert.equal(rows.length, 1)
    assert.ok(['Untitled', 'Later'].includes(rows[0]?.title ?? ''), `neither old nor new: ${rows[0]?.title}`)
  },

  'a save that leaves the snapshot for later writes the row': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    await writer.append([titled(2, 'Later')], 'flush')
    await writer.save(stateOf([opened('one'), titled(2, 'Later')]), { snapshot: false })
    assert.equal((await store.list()).rows[0]?.title, 'Later')
  },
})
