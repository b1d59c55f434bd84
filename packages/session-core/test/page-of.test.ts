import { describe, expect, test } from 'vitest'
import { newestFirst, pageOf, type SessionRow } from '../src/index.ts'

const row: SessionRow = {
  id: 'ses',
  title: 'Title',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  seq: 2,
  status: 'resting',
  turns: 0,
  messages: 0,
  inputTokens: 0,
  outputTokens: 0,
  mode: 'execute',
  verdict: null,
  lastReason: null,
  lastExcerpt: '',
  pendingInputs: 0,
  project: null,
  forkedFrom: null,
  metadata: {},
}
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`

describe('the order of rows', () => {
  test('is newest first, and by id among those of one time', () => {
    const rows = [
      { ...row, id: 'a', updatedAt: at(1) },
      { ...row, id: 'c', updatedAt: at(2) },
      { ...row, id: 'b', updatedAt: at(2) },
      { ...row, id: 'd', updatedAt: at(0) },
    ]
    expect(newestFirst(rows).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'd'])
    expect(rows.map(({ id }) => id)).toEqual(['a', 'c', 'b', 'd'])
  })

  test('costs nothing when they are in order', () => {
    const rows = [
      { ...row, id: 'b', updatedAt: at(2) },
      { ...row, id: 'a', updatedAt: at(1) },
    ]
    expect(newestFirst(rows)).toBe(rows)
  })
})

describe('a page', () => {
  const rows: readonly SessionRow[] = [
    { ...row, id: 'plan', mode: 'plan' },
    { ...row, id: 'done', verdict: 'verified' },
    { ...row, id: 'failed', verdict: 'failed', status: 'open' },
    { ...row, id: 'damaged', status: 'damaged' },
  ]
  const ids = (query: Parameters<typeof pageOf>[1]) => pageOf(rows, query).rows.map(({ id }) => id)

  test('holds only rows in the wanted mode, with the wanted verdict, in the wanted status', () => {
    expect(ids({ mode: 'plan' })).toEqual(['plan'])
    expect(ids({ mode: 'execute' })).toEqual(['done', 'failed', 'damaged'])
    expect(ids({ verdict: 'failed' })).toEqual(['failed'])
    expect(ids({ status: 'damaged' })).toEqual(['damaged'])
    expect(ids({ status: 'open', verdict: 'verified' })).toEqual([])
    expect(ids({})).toEqual(['plan', 'done', 'failed', 'damaged'])
  })

  test('has a cursor only when a matching row comes behind it', () => {
    const sorted = newestFirst(rows)
    expect(pageOf(sorted, { limit: 1, mode: 'plan' }).cursor).toBeUndefined()
    const first = pageOf(sorted, { limit: 1, mode: 'execute' })
    expect(first.rows.map(({ id }) => id)).toEqual(['failed'])
    const second = pageOf(sorted, { limit: 5, mode: 'execute', cursor: first.cursor as string })
    expect(second.rows.map(({ id }) => id)).toEqual(['done', 'damaged'])
    expect(second.cursor).toBeUndefined()
  })

  test('of no rows has none, and no cursor', () => {
    expect(pageOf(rows, { limit: 0 })).toEqual({ rows: [] })
    expect(pageOf([])).toEqual({ rows: [] })
  })

  test('takes each of its rows before the next one is read, and no other', () => {
    const happened: string[] = []
    function* read() {
      for (const each of rows) {
        happened.push(`read ${each.id}`)
        yield each
      }
    }
    const page = pageOf(read(), { mode: 'execute', limit: 2 }, (found) => {
      happened.push(`took ${found.id}`)
      return { ...found, title: 'Taken' }
    })
    expect(page.rows.map(({ id, title }) => [id, title])).toEqual([
      ['done', 'Taken'],
      ['failed', 'Taken'],
    ])
    expect(happened).toEqual(['read plan', 'read done', 'took done', 'read failed', 'took failed', 'read damaged'])
  })
})
