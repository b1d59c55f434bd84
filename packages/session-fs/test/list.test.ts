import nodeFileSystem, { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type EventInput, MemoryStore, Session, type SessionRow, type SessionStore } from '@loader/session-core'
import { describe, expect, test, vi } from 'vitest'
import { Disk } from '../src/disk/disk.ts'
import { checksum, hex } from '../src/format/checksum.ts'
import { journalUnit } from '../src/format/journal-content.ts'
import { encodeRecord } from '../src/format/record.ts'
import { firstSeed } from '../src/format/segment.ts'
import { listSessions, sessionsNow, type SessionNow } from '../src/index.ts'
import { SessionIndex } from '../src/list/session-index.ts'
import { environment, fill, forbidding, load, place, type Place, plain, processTable, turn } from './sample-sessions.ts'

async function checked(store: SessionStore): Promise<Record<string, SessionRow['status']>> {
  const { rows } = await store.list({ check: true })
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]))
}

/** Damage after which a session cannot be claimed: an event is lost, and no saved state covers it. */
function ruin(at: Place, id: string): void {
  rmSync(at.path(`${id}.json`))
  at.damage(`${id}.1.json`, (bytes) => void bytes.write('?', bytes.indexOf('\n') + 40))
}

describe('filters', () => {
  test('by mode, verdict and status find the same in memory and in files', async () => {
    await using at = await place()
    const queries = [
      { mode: 'plan' },
      { mode: 'execute' },
      { verdict: 'verified' },
      { verdict: 'failed', mode: 'execute' },
      { status: 'open' },
      { status: 'resting', verdict: 'failed' },
      { status: 'damaged' },
      { status: 'resting', limit: 2 },
    ] as const
    const found = await Promise.all([at.store, new MemoryStore()].map((store) => foundBy(store, queries)))
    expect(found[0]).toEqual(found[1])
    expect(found[0]).toEqual([
      ['plan'],
      ['verified', 'resting', 'open', 'failed'],
      ['verified'],
      ['failed'],
      ['open'],
      ['failed'],
      [],
      ['verified', 'resting', 'plan', 'failed'],
    ])
  })
})

/** Sessions of several kinds, and which of them each query finds. */
async function foundBy(
  store: SessionStore,
  queries: readonly NonNullable<Parameters<SessionStore['list']>[0]>[],
): Promise<string[][]> {
  for (const id of ['failed', 'open', 'plan', 'resting', 'verified'] as const) {
    const session = await Session.open(store, { environment, id })
    const [ending, ...begun] = turn(id, 'Done.').reverse()
    if (id === 'plan') await session.append({ type: 'session.rewound', toSeq: 1, through: null, mode: 'plan' })
    if (id !== 'resting' && id !== 'plan') await session.append(begun.reverse())
    if (id === 'failed' || id === 'verified') await session.append({ ...ending, verdict: id } as EventInput)
    await session.close()
  }
  const ids: string[][] = []
  for (const query of queries) {
    const all: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await store.list({ ...query, ...(cursor !== undefined && { cursor }) })
      all.push(...page.rows.map(({ id }) => id))
      cursor = page.cursor
      if (cursor === undefined) break
    }
    ids.push(all)
  }
  return ids
}

describe('listing without a store', () => {
  test('finds what the store finds, with an index, with one that is damaged, and without', async () => {
    await using at = await place()
    const directory = at.store.directory
    expect(await listSessions({ directory })).toEqual({ rows: [] })
    for (const id of ['one', 'two', 'three']) await fill(at.store, id, 5)
    const queries = [{}, { limit: 2 }, { text: 'two' }, { status: 'open' }, { check: true }] as const
    const found = () =>
      Promise.all(queries.map(async (query) => [await listSessions({ directory }, query), await at.open().list(query)]))
    for (const [ours, theirs] of await found()) expect(ours).toEqual(theirs)
    expect((await listSessions({ directory })).rows).toHaveLength(3)

    const sound = await found()
    at.damage('_index.json', (bytes) => void bytes.write('?', 40))
    expect(await found()).toEqual(sound)
    for (const name of at.names().filter((each) => each.startsWith('_'))) rmSync(at.path(name))
    expect(await found()).toEqual(sound)
  })

  test('goes without an index that is none', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    rmSync(at.path('_index.json'))
    mkdirSync(at.path('_index.json'))
    expect((await listSessions({ directory: at.store.directory })).rows.map(({ id }) => id)).toEqual(['one'])
  })

  test('says which folder cannot be listed', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    rmSync(at.store.directory, { recursive: true })
    writeFileSync(at.store.directory, 'no folder')
    await expect(listSessions({ directory: at.store.directory })).rejects.toMatchObject({
      code: 'storage_refused',
      message: expect.stringContaining(at.store.directory),
    })
  })
})

describe('a row as it is now', () => {
  const now = async (at: Place, id: string): Promise<SessionNow | undefined> => {
    const { rows } = await listSessions({ directory: at.directory })
    const [found] = await sessionsNow(
      { directory: at.directory },
      rows.filter((row) => row.id === id),
    )
    return found
  }

  test('says what its writer has not saved, and who that is', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('one', 'Done.').slice(0, 2))
    const { rows } = await listSessions({ directory: at.directory })
    expect(rows).toMatchObject([{ status: 'resting' }])
    expect(await now(at, 'one')).toMatchObject({
      row: { status: 'open', seq: session.state.seq },
      holder: { pid: process.pid },
    })
    await session.close()
  })

  test('says that nobody holds what a dead process left, or a lock that cannot be read', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('one', 'Done.').slice(0, 2))
    const lock = readFileSync(at.path('one.lock.1'), 'utf8')
    for (const left of [lock.replace(/"startedAt":"/, '"startedAt":"1'), lock.replace('held', 'abandoned'), '{']) {
      writeFileSync(at.path('one.lock.1'), left)
      expect({ left, now: await now(at, 'one') }).toMatchObject({
        left,
        now: { row: { status: 'open' }, holder: null },
      })
    }
    writeFileSync(at.path('one.lock.1'), lock)
    await session.close()
  })

  test('is the row of the list once the session was closed, and its files are not read', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    const { rows } = await listSessions({ directory: at.directory })
    writeFileSync(at.path('one.journal.jsonl'), 'no journal')
    expect(await now(at, 'one')).toEqual({ row: rows[0], holder: null })
  })

  test('is damaged when its files cannot be read, and nobody closed it', async () => {
    await using at = await place()
    await fill(at.store, 'one', 20)
    const session = await load(at.store, 'one')
    ruin(at, 'one')
    expect(await now(at, 'one')).toMatchObject({ row: { status: 'damaged', title: 'Session one' } })
    await session.close().catch(() => undefined)
  })

  test('stays as it was where nobody can look', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    const { rows } = await listSessions({ directory: at.directory })
    mkdirSync(at.path('one.lock.2'))
    rmSync(at.path('one.json'))
    mkdirSync(at.path('one.json'))
    expect(await now(at, 'one')).toEqual({ row: rows[0] })
  })
})

describe('a list that compares with the files', () => {
  test('shows a session that cannot be claimed as damaged, with the last that was known of it', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 20)
    const known = (await at.store.list()).rows.find(({ id }) => id === 'one')
    ruin(at, 'one')
    await expect(load(at.store, 'one')).rejects.toMatchObject({ code: 'session_damaged' })
    expect(await checked(at.store)).toEqual({ one: 'damaged', two: 'resting' })
    const { rows } = await at.store.list({ check: true, status: 'damaged' })
    expect(plain(rows)).toEqual(plain([{ ...known, status: 'damaged' }]))
  })

  test('shows it as damaged without an index, too, and without the flag', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 20)
    ruin(at, 'one')
    for (const name of at.names().filter((each) => each.startsWith('_'))) rmSync(at.path(name))
    expect(await checked(at.open())).toEqual({ one: 'damaged', two: 'resting' })
    const { rows } = await at.open().list()
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['two', 'resting'],
      ['one', 'damaged'],
    ])
  })

  test('never leaves out a session of which anything is left', async () => {
    await using at = await place()
    await fill(at.store, 'one', 20)
    const parts = at.names().filter((name) => /^one\.(json|\d+\.json|journal\.jsonl)$/.test(name))
    const whole = new Map(parts.map((name) => [name, readFileSync(at.path(name))]))
    const index = at.names().filter((name) => name.startsWith('_'))
    for (const left of parts) {
      for (const how of ['whole', 'damaged'] as const) {
        for (const name of parts) rmSync(at.path(name), { force: true })
        const bytes = Buffer.from(whole.get(left) as Buffer)
        if (how === 'damaged') bytes.fill('?', 100, 300)
        writeFileSync(at.path(left), bytes)
        expect({ left, how, ids: Object.keys(await checked(at.open())) }).toEqual({ left, how, ids: ['one'] })
      }
    }
    expect(index.length).toBeGreaterThan(0)
  })

  test('shows what the index does not know, and not what has no files', async () => {
    await using at = await place()
    for (const id of ['one', 'two', 'three']) await fill(at.store, id, 5)
    const rows = (await at.store.list()).rows
    for (const name of at.names().filter((each) => each.startsWith('two.'))) rmSync(at.path(name))
    await writeIndex(
      at,
      rows.filter(({ id }) => id !== 'three'),
    )
    expect(await checked(at.open())).toEqual({ one: 'resting', three: 'resting' })
  })

  test('shows what was appended and never saved', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append({ type: 'session.titled', title: 'Later', by: 'user' })
    const { rows } = await at.open().list({ check: true })
    expect(rows).toMatchObject([{ id: 'one', title: 'Later', seq: 3 }])
    await session.close()
  })

  test('writes nothing', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 20)
    ruin(at, 'one')
    const before = at.bytes()
    await at.open().list({ check: true })
    await at.open().list()
    expect(at.bytes()).toEqual(before)
  })

  test('is not disturbed by files of others', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    writeFileSync(at.path('notes.json'), '{"mine":true}')
    writeFileSync(at.path('empty.json'), '')
    writeFileSync(at.path('UPPER.json'), '{}')
    writeFileSync(at.path('one.json.bak'), '{}')
    writeFileSync(at.path('.DS_Store'), 'x')
    writeFileSync(at.path('new.journal.jsonl'), '\n'.repeat(1000))
    mkdirSync(at.path('folder'))
    expect(await checked(at.store)).toEqual({ one: 'resting' })
    expect((await at.store.list()).rows).toHaveLength(1)
  })

  test('shows the others when a folder has the name of a file, and takes the snapshot for one that is spoilt', async () => {
    await using at = await place()
    for (const id of ['one', 'two', 'three']) await fill(at.store, id, 5)
    for (const name of ['one.json', 'three.journal.jsonl']) {
      rmSync(at.path(name))
      mkdirSync(at.path(name))
    }
    expect(await checked(at.store)).toEqual({ one: 'resting', two: 'resting', three: 'damaged' })
  })

  test('shows a session whose events may not be opened as damaged, and goes without its snapshot', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 5)
    const without = (name: string) => at.open({ fileSystem: forbidding(at.path(name)) })
    expect(await checked(without('one.journal.jsonl'))).toEqual({ one: 'damaged', two: 'resting' })
    expect(await checked(without('one.json'))).toEqual({ one: 'resting', two: 'resting' })
  })

  test('leaves the row of a session in a newer format as it was', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    const [one] = (await at.store.list()).rows as [SessionRow]
    writeNewer(at, 'two')
    expect(await checked(at.store)).toEqual({ one: 'resting', two: 'damaged' })
    await writeIndex(at, [one, { ...one, id: 'two', title: 'Of the future' }])
    await expect(load(at.store, 'two')).rejects.toMatchObject({ code: 'format_newer' })
    const { rows } = await at.open().list({ check: true })
    expect(rows.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['two', 'Of the future', 'resting'],
      ['one', 'Session one', 'resting'],
    ])
  })
})

describe('an index that is not what it should be', () => {
  test('is passed over, and the files are asked', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 5)
    const good = (await at.store.list()).rows
    const wrong = [
      '',
      '[',
      '{}',
      '[1]',
      '[null]',
      '[{"id":"one"}]',
      '[{"id":"one","updatedAt":"x","metadata":{}}]',
      '\u0000',
    ]
    for (const text of wrong) {
      writeFileSync(at.path('_index.json'), text)
      expect({ text, rows: plain((await at.open().list()).rows) }).toEqual({ text, rows: plain(good) })
    }
  })
})

describe('ten thousand sessions', () => {
  test('are listed, filtered and paged off the index alone', async () => {
    await using at = await place()
    await fill(at.store, 'one', 1)
    const [row] = (await at.store.list()).rows as [SessionRow]
    const rows = Array.from({ length: 10_000 }, (_unused, index): SessionRow => {
      const id = `s${String(index).padStart(5, '0')}`
      const updatedAt = new Date(Date.UTC(2026, 0, 1) + (index % 9_000) * 1000).toISOString()
      return { ...row, id, updatedAt, title: `Session ${index}`, mode: index % 100 === 0 ? 'plan' : 'execute' }
    })
    await writeIndex(at, rows)
    const store = at.open()
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await store.list({ limit: 40, mode: 'plan', ...(cursor !== undefined && { cursor }) })
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.cursor
      if (cursor === undefined) break
    }
    expect(seen).toHaveLength(100)
    expect(new Set(seen).size).toBe(100)
    expect((await store.list({ text: 'session 4242' })).rows.map(({ id }) => id)).toEqual(['s04242'])
    expect((await store.list()).rows.map(({ updatedAt }) => updatedAt)).toEqual(
      rows
        .map(({ updatedAt }) => updatedAt)
        .sort()
        .reverse()
        .slice(0, 50),
    )
    expect(await checked(store)).toEqual({ one: 'resting' })
  })
})

describe('a page', () => {
  /** How much text is parsed meanwhile. */
  async function parsed(work: () => Promise<unknown>): Promise<number> {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      await work()
      return parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
    } finally {
      parse.mockRestore()
    }
  }

  test('parses its own rows and those before it, each once', async () => {
    await using at = await place()
    await fill(at.store, 'one', 1)
    const [row] = (await at.store.list()).rows as [SessionRow]
    const rows = Array.from({ length: 1_000 }, (_unused, index): SessionRow => {
      const updatedAt = new Date(Date.UTC(2026, 0, 2) - index * 1000).toISOString()
      return { ...row, id: `s${1_000 + index}`, updatedAt, title: 'a\n"b", ü,' }
    })
    await writeIndex(at, rows)
    const store = at.open()
    // The first row stands in the journal as well, and one more is looked at to see that there is one.
    const atMost = (count: number) => (count + 3) * JSON.stringify(rows[0]).length
    let cursor: string | undefined
    expect(await parsed(async () => ({ cursor } = await store.list({ limit: 50 })))).toBeLessThan(atMost(50))
    const second = { limit: 50, ...(cursor !== undefined && { cursor }) }
    expect(await parsed(() => store.list(second))).toBeLessThan(atMost(100))
    expect((await store.list(second)).rows).toEqual(rows.slice(50, 100))
    const all = async () => expect((await store.list({ limit: 2_000 })).rows).toEqual(rows)
    expect(await parsed(all)).toBeLessThan(atMost(1_000))
  })

  test('comes from the files when a line of the index bears the right checksum and is no row', async () => {
    await using at = await place()
    for (const id of ['one', 'two']) await fill(at.store, id, 5)
    const { rows: good } = await at.store.list()
    for (const lines of ['{"id":"one"}', 'null', '{', '', ',', JSON.stringify(good[0]).replace('"id"', '"ID"')]) {
      for (const name of at.names().filter((each) => each.startsWith('_'))) rmSync(at.path(name))
      const body = `{"rows":[\n${lines}\n]`
      writeFileSync(at.path('_index.json'), `${body},\n"checksum":"${hex(checksum(body))}"}\n`)
      const { rows } = await at.open().list()
      expect({ lines, rows }).toEqual({ lines, rows: lines === '' ? [] : good })
    }
  })
})

describe('the place of a session in the list', () => {
  test('is that of its last work, whoever opened and closed it since, and whether the index was lost', async () => {
    await using at = await place()
    for (const id of ['older', 'newer']) await fill(at.store, id, 5)
    const ids = async () => (await listSessions({ directory: at.directory })).rows.map(({ id }) => id)
    expect(await ids()).toEqual(['newer', 'older'])
    await (await load(at.store, 'older')).close()
    expect(await ids()).toEqual(['newer', 'older'])
    for (const name of at.names().filter((each) => each.startsWith('_'))) rmSync(at.path(name))
    expect(await ids()).toEqual(['newer', 'older'])
    const session = await load(at.store, 'older')
    await session.append({ type: 'session.titled', title: 'Mine', by: 'user' })
    await session.append({ type: 'session.titled', title: 'Of the model', by: 'model' })
    await session.close()
    expect((await listSessions({ directory: at.directory })).rows).toMatchObject([{ title: 'Mine' }, { id: 'newer' }])
  })
})

/** Makes these the rows of the index. */
async function writeIndex(at: Place, rows: readonly SessionRow[]): Promise<void> {
  for (const name of at.names().filter((each) => each.startsWith('_'))) rmSync(at.path(name))
  const disk = new Disk({ fileSystem: nodeFileSystem, commit: 'auto', ticks: () => 0, platform: process.platform })
  const index = new SessionIndex({
    disk,
    directory: at.directory,
    processes: processTable().table,
    rowsOfFiles: () => [...rows],
  })
  await index.put(rows[0] as SessionRow)
}

/** A session with one event, in a format that is not known yet. */
function writeNewer(at: Place, id: string): void {
  const opened = { type: 'session.opened', seq: 1, at: environment.now(), format: 99, id }
  const { line } = encodeRecord(
    { epoch: 1, seq: 1, durable: 0, json: JSON.stringify(opened) },
    firstSeed(id),
    firstSeed(id),
  )
  writeFileSync(at.path(`${id}.journal.jsonl`), line.padEnd(journalUnit, '\n'))
}
