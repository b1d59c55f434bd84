import assert from 'node:assert/strict'
import type { InboxMessage } from '@loader/session-core/coding'
import { fixedEnvironment } from '../environment/environment.ts'
import { clausesOf } from './clause.ts'
import { assertRefused, begin, leave, linesOf, rival } from './steps.ts'

const words = (id: string): InboxMessage => ({ id, from: 'browser', kind: 'words', text: `Words of ${id}.` })

export const inbox = clausesOf('inbox', 'inboxes', {
  'messages come in the order in which they were put, and stay until they are removed': async (tested) => {
    const { store } = tested
    await leave(store)
    for (const id of ['c', 'a', 'b']) await store.inbox('one').put(words(id))
    await store.inbox('one').remove('a')
    await store.inbox('one').remove('a')
    const again = (await tested.reopen()).inbox?.('one')
    assert.deepEqual(await again?.messages(), [words('c'), words('b')])
  },

  'the same message twice is one, also when both are put at once': async ({ store }) => {
    await leave(store)
    const puts = Array.from({ length: 5 }, () => store.inbox('one').put(words('a')))
    await Promise.all(puts)
    await store.inbox('one').put({ ...words('a'), kind: 'words', text: 'Others.' })
    assert.deepEqual(await store.inbox('one').messages(), [words('a')])
  },

  'a message disturbs no writer, and is no event': async ({ store }) => {
    const writer = await begin(store)
    const before = await linesOf(store)
    await store.inbox('one').put(words('a'))
    assert.deepEqual(await linesOf(store), before)
    await writer.release()
    assert.deepEqual(await store.inbox('one').messages(), [words('a')])
  },

  'ids and texts may have any characters': async ({ store }) => {
    await leave(store)
    const ids = [
      'a',
      'A',
      'a\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff',
      '\u00e9',
      'e\u0301',
      ' ',
      "'",
      '\\',
      '../a',
      'a'.repeat(256),
    ]
    for (const id of ids) await store.inbox('one').put(words(id))
    const there = await store.inbox('one').messages()
    for (const id of ids) {
      const same = there.filter((message) => message.id === id)
      assert.deepEqual(same, [words(id)])
    }
    for (const id of ids) await store.inbox('one').remove(id)
    assert.deepEqual(await store.inbox('one').messages(), [])
  },

  'a claim that is not the newest removes nothing': async ({ store }) => {
    const { epoch } = await begin(store)
    await store.inbox('one').put(words('a'))
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    await store.inbox('one').remove('a', epoch)
    assert.deepEqual(await store.inbox('one').messages(), [words('a')])
    await store.inbox('one').remove('a', writer.epoch)
    assert.deepEqual(await store.inbox('one').messages(), [])
    await writer.release()
  },

  'a copy of a session has none of its messages': async ({ store }) => {
    await leave(store)
    await store.inbox('one').put(words('a'))
    await store.fork?.('one', undefined, { environment: fixedEnvironment(), id: 'two' })
    if (store.fork !== undefined) assert.deepEqual(await store.inbox('two').messages(), [])
    assert.deepEqual(await store.inbox('one').messages(), [words('a')])
  },

  'with a session its messages are gone': async ({ store }) => {
    await leave(store)
    await store.inbox('one').put(words('a'))
    await store.delete('one')
    await assertRefused('session_not_found', store.inbox('one').put(words('b')))
    await leave(store)
    assert.deepEqual(await store.inbox('one').messages(), [])
  },
})
