import assert from 'node:assert/strict'
import { type ListQuery, type SessionStore, summarize } from '@loader/session-core'
import { clauses } from './clause.ts'
import { imported, opened, switched, timeAt, titled, turn } from './sample-events.ts'
import { begin, leave, listedIds, owner, plain, stateOf } from './steps.ts'

export const listing = clauses('listing', {
  'an empty store lists nothing': async ({ store }) => {
    assert.deepEqual(await store.list(), { rows: [] })
  },

  'a session is listed from its first acknowledged event on': async ({ store }) => {
    await begin(store)
    assert.deepEqual(await listedIds(store), ['one'])
  },

  'a session that got no event yet is not listed': async ({ store }) => {
    await store.claim('one', { owner, expect: 'new' })
    assert.deepEqual(await listedIds(store), [])
  },

  'what a dead process never saved is listed': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append([titled(2)], 'os')
    assert.deepEqual(await listedIds(await tested.reopen()), ['one'])
  },

  'a row says what its session is': async ({ store }) => {
    const events = [titled(2, 'The title'), imported(3, 'The excerpt')]
    const metadata = { team: 'a', size: 3, nested: { deep: [true] } }
    await leave(store, 'one', events, { metadata })
    const { rows } = await store.list()
    assert.deepEqual(plain(rows), [plain(summarize(stateOf([opened('one', { metadata }), ...events])))])
  },

  'rows survive the end of the process': async (tested) => {
    await leave(tested.store, 'one', [titled(2)])
    await leave(tested.store, 'two', [titled(2), titled(3)])
    const before = await tested.store.list()
    assert.deepEqual(plain(await (await tested.reopen()).list()), plain(before))
  },

  'the newest sessions come first': async ({ store }) => {
    for (const [id, at] of [
      ['old', timeAt(10)],
      ['new', timeAt(30)],
      ['between', timeAt(20)],
    ] as const) {
      await leave(store, id, [], { at })
    }
    assert.deepEqual(await listedIds(store), ['new', 'between', 'old'])
  },

  'pages hold as many rows as they were asked for, and a cursor only when there are more': async ({ store }) => {
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await leave(store, id, [], { at: timeAt(index) })
    const sizes = async (limit: number) => (await pagesOf(store, { limit })).map((page) => page.length)
    assert.deepEqual(await sizes(3), [3, 1])
    assert.deepEqual(await sizes(2), [2, 2])
    assert.deepEqual(await sizes(4), [4])
  },

  'pages lose and repeat nothing, even among rows of one time': async ({ store }) => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const id of ids) await leave(store, id, [], { at: timeAt(id === 'd' ? 9 : 1) })
    assert.deepEqual((await pagesOf(store, { limit: 2 })).flat().toSorted(), ids)
    assert.deepEqual((await pagesOf(store, { limit: 1 })).flat().toSorted(), ids)
  },

  'a list finds by text in title, excerpt and metadata, in any case': async ({ store }) => {
    await leave(store, 'a', [titled(2, 'Fix the PARSER')])
    await leave(store, 'b', [imported(2, 'About a parser')])
    await leave(store, 'c', [titled(2, 'Other')], { metadata: { topic: 'Parser' } })
    await leave(store, 'd', [titled(2, 'Ärger in Zürich')])
    assert.deepEqual(await foundBy(store, { text: 'parser' }), ['a', 'b', 'c'])
    assert.deepEqual(await foundBy(store, { text: 'the Parser' }), ['a'])
    assert.deepEqual(await foundBy(store, { text: 'äRGER' }), ['d'])
    assert.deepEqual(await foundBy(store, { text: 'nowhere' }), [])
  },

  'a list finds by values of metadata, all of them': async ({ store }) => {
    await leave(store, 'a', [], { metadata: { team: 'x', size: 1, done: false } })
    await leave(store, 'b', [], { metadata: { team: 'x', size: 2 } })
    await leave(store, 'c', [], { metadata: { team: 'y', size: 1 } })
    await leave(store, 'd')
    assert.deepEqual(await foundBy(store, { metadata: { team: 'x' } }), ['a', 'b'])
    assert.deepEqual(await foundBy(store, { metadata: { team: 'x', size: 1 } }), ['a'])
    assert.deepEqual(await foundBy(store, { metadata: { done: false } }), ['a'])
    assert.deepEqual(await foundBy(store, { metadata: { size: '1' } }), [])
    assert.deepEqual(await foundBy(store, { metadata: { absent: null } }), [])
  },

  'a list finds by mode, verdict and status': async ({ store }) => {
    await leave(store, 'a', turn(2, 'open'))
    await leave(store, 'b', turn(2, 'verified'))
    await leave(store, 'c', turn(2, 'failed'))
    await leave(store, 'd', [switched(2, 'plan')])
    assert.deepEqual(await foundBy(store, { status: 'open' }), ['a'])
    assert.deepEqual(await foundBy(store, { status: 'resting', mode: 'execute' }), ['b', 'c'])
    assert.deepEqual(await foundBy(store, { verdict: 'verified' }), ['b'])
    assert.deepEqual(await foundBy(store, { mode: 'plan' }), ['d'])
    assert.deepEqual(await foundBy(store, { mode: 'plan', verdict: 'failed' }), [])
  },

  'what is searched for comes in pages, too': async ({ store }) => {
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      const half = index < 3 ? 'first' : 'second'
      await leave(store, id, [], { at: timeAt(index), title: half, metadata: { half } })
    }
    assert.deepEqual((await pagesOf(store, { text: 'first', limit: 2 })).flat().toSorted(), ['a', 'b', 'c'])
    assert.deepEqual((await pagesOf(store, { metadata: { half: 'second' }, limit: 1 })).flat().toSorted(), [
      'd',
      'e',
      'f',
    ])
  },

  'a list that compares with what is stored finds nothing to object to': async ({ store }) => {
    await leave(store, 'one', [titled(2)])
    await leave(store, 'two')
    assert.deepEqual(plain(await store.list({ check: true })), plain(await store.list()))
  },
})

/** Every page of a list, one row after the other, as pages of ids. */
async function pagesOf(store: SessionStore, query: ListQuery): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ ...query, ...(cursor !== undefined && { cursor }) })
    pages.push(page.rows.map(({ id }) => id))
    cursor = page.cursor
    assert.ok(pages.length <= 20, 'the cursors come to an end')
  } while (cursor !== undefined)
  return pages
}

async function foundBy(store: SessionStore, query: ListQuery): Promise<string[]> {
  return (await store.list(query)).rows.map(({ id }) => id).toSorted()
}
