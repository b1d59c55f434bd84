import assert from 'node:assert/strict'
import type { SessionStore } from '@loader/session-core'
import { clauses } from './clause.ts'
import { opened, titled } from './sample-events.ts'
import { assertHolds, assertRefused, begin, leave, linesOf, listedIds, owner, resume } from './steps.ts'

const outside = ['..', '.', '../up', '/etc/passwd', 'a/b', 'a\\b', 'C:x', 'a\u0000b']
const reserved = ['nul', 'CON', 'Com1', 'lpt9', '_index']
const misshapen = ['', ' ', 'a.1', 'one.json', '-a', 'ä', 'a b', 'x'.repeat(65)]

export const ids = clauses('ids', {
  'paths are no ids': async ({ store }) => assertInvalid(store, outside),

  'names that systems or stores reserve are no ids': async ({ store }) => assertInvalid(store, reserved),

  'an id has letters, digits, _ and - only': async ({ store }) => assertInvalid(store, misshapen),

  'every id of the rule is taken as it is': async ({ store }) => {
    const valid = ['0', 'A-b_9', 'x'.repeat(64), 'console', 'com', 'index']
    for (const id of valid) await leave(store, id)
    assert.deepEqual((await listedIds(store)).toSorted(), valid.toSorted())
    for (const id of valid) await assertHolds(store, id, [opened(id)])
  },

  'a new session whose id is taken is refused, held or not': async ({ store }) => {
    const writer = await begin(store)
    await assertRefused('session_exists', store.claim('one', { owner, expect: 'new' }))
    await writer.release()
    await assertRefused('session_exists', store.claim('one', { owner, expect: 'new' }))
    await assertHolds(store, 'one', [opened('one')])
  },

  'takeover does not turn a taken id into a new session': async ({ store }) => {
    const writer = await begin(store)
    await assertRefused('session_exists', store.claim('one', { owner, expect: 'new', takeover: true }))
    await writer.append([titled(2)], 'flush')
  },

  'an id that differs only in case is taken': async ({ store }) => {
    await leave(store, 'Mine')
    await assertRefused('session_exists', store.claim('mINE', { owner, expect: 'new' }))
    assert.deepEqual(await listedIds(store), ['Mine'])
  },

  'a session is found whatever the case of its id': async ({ store }) => {
    await leave(store, 'Mine')
    assert.deepEqual(await linesOf(store, 'mine'), await linesOf(store, 'Mine'))
    assert.equal((await resume(store, 'MINE')).id, 'Mine')
  },

  'a session that is not there is not continued, and not made': async ({ store }) => {
    await assertRefused('session_not_found', store.claim('one', { owner, expect: 'existing' }))
    await assertRefused('session_not_found', store.claim('one', { owner, expect: 'existing', takeover: true }))
    assert.deepEqual(await listedIds(store), [])
    await begin(store)
  },
})

async function assertInvalid(store: SessionStore, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await assertRefused('invalid_id', store.claim(id, { owner, expect: 'new' }))
    await assertRefused('invalid_id', store.claim(id, { owner, expect: 'existing' }))
    await assertRefused('invalid_id', linesOf(store, id))
    await assertRefused('invalid_id', store.readBlob(id, 'blob'))
    await assertRefused('invalid_id', store.delete(id))
  }
}
