import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Claim, fold, LoaderError, type SessionState, type StoredEvent } from '@loader/session-core'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'

let workspace: TemporaryWorkspace
let directory: string
beforeEach(async () => {
  workspace = await temporaryWorkspace()
  directory = workspace.path('sessions')
})
afterEach(() => workspace.dispose())

const pathOf = (name: string) => join(directory, name)

function store(): FileSessionStore {
  return new FileSessionStore({ directory }, { rotateAfterBytes: 1500 })
}

const eventsOf = (id: string, count: number) => [
  opened(id),
  ...Array.from({ length: count - 1 }, (_unused, index) => eventBy(id, index + 2)),
]
const linesFor = (id: string, count: number) => eventsOf(id, count).map((event) => JSON.stringify(event))

/** A session with two segments and a live log, saved at its end unless that is not wanted. */
async function leave(id: string, { savedAt = 14 } = {}): Promise<void> {
  const { writer } = await store().claim(id, { owner, expect: 'new' })
  const events = eventsOf(id, 14)
  for (const [index, event] of events.entries()) {
    await writer.append([event], 'flush')
    if (index + 1 === savedAt) await writer.save(fold(events.slice(0, savedAt)) as SessionState)
  }
  await writer.release()
  expect(readdirSync(directory)).toContain(`${id}.2.json`)
}

async function linesOf(id: string): Promise<string[]> {
  const lines: string[] = []
  for await (const event of store().read(id)) lines.push(JSON.stringify(event))
  return lines
}

const claim = (id: string): Promise<Claim> => store().claim(id, { owner, expect: 'existing' })

async function refusalOf(work: Promise<unknown>): Promise<LoaderError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!LoaderError.is(error)) throw new Error(`not refused: ${String(error)}`)
  return error
}

/** Claims, and says what was found; the state must be that of the whole session. */
async function findingsOf(id: string): Promise<string[]> {
  const { writer, state, events, report } = await claim(id)
  expect(JSON.stringify(fold(events, state))).toBe(JSON.stringify(fold(eventsOf(id, 14))))
  await writer.release()
  return report.findings.map(({ what }) => what)
}

async function statusOf(id: string): Promise<string | undefined> {
  const { rows } = await store().list({ check: true })
  return rows.find((row) => row.id === id)?.status
}

function withCarriageReturns(name: string): void {
  writeFileSync(pathOf(name), readFileSync(pathOf(name), 'latin1').replaceAll('\n', '\r\n'), 'latin1')
}

describe('files that somebody else changed', () => {
  test('a snapshot of another session is none', async () => {
    await leave('one')
    await leave('two')
    copyFileSync(pathOf('two.json'), pathOf('one.json'))
    expect((await store().list({ check: true })).rows.map(({ id, seq }) => `${id} ${seq}`).sort()).toEqual([
      'one 14',
      'two 14',
    ])
    expect(await findingsOf('one')).toEqual(['damaged_snapshot'])
    expect(await linesOf('one')).toEqual(linesFor('one', 14))
  })

  test('a snapshot of another history of the same session is none', async () => {
    await leave('one')
    const other = readFileSync(pathOf('one.json'))
    await store().delete('one')
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    const events = eventsOf('one', 12)
    for (const event of events.slice(0, 6)) await writer.append([event], 'flush')
    const different = [...Array(8).keys()].map((index) => eventBy('different', index + 7))
    for (const event of different) await writer.append([event], 'flush')
    await writer.release()
    writeFileSync(pathOf('one.json'), other)
    const { state, events: found, report } = await claim('one')
    expect(report.findings.map(({ what }) => what)).toEqual(['damaged_snapshot'])
    expect(fold(found, state)).toEqual(fold([...events.slice(0, 6), ...different]))
  })

  test('a segment of another session is never read as if it were ours', async () => {
    await leave('one')
    await leave('two')
    copyFileSync(pathOf('two.1.json'), pathOf('one.1.json'))
    const error = await refusalOf(linesOf('one'))
    expect(error.code).toBe('session_damaged')
    expect(error.message).toContain('Event 1 of session one')
    // The snapshot stands for what it covers.
    expect(await findingsOf('one')).toEqual([])
    rmSync(pathOf('one.json'))
    expect((await refusalOf(claim('one'))).code).toBe('session_damaged')
    expect(await statusOf('one')).toBe('damaged')
    expect((await store().verify('one')).intact).toBe(false)
  })

  test('nor is another segment of the same session', async () => {
    await leave('one', { savedAt: 0 })
    rmSync(pathOf('one.json'), { force: true })
    copyFileSync(pathOf('one.2.json'), pathOf('one.1.json'))
    expect((await refusalOf(linesOf('one'))).code).toBe('session_damaged')
    expect((await refusalOf(claim('one'))).code).toBe('session_damaged')
  })

  test('nor is the last segment, where nothing else tells that it is needed', async () => {
    await leave('one')
    await leave('two')
    rmSync(pathOf('one.json'))
    rmSync(pathOf('one.journal.jsonl'))
    const last = readdirSync(directory).filter((name) => /^one\.\d+\.json$/.test(name)).length
    copyFileSync(pathOf(`two.${last}.json`), pathOf(`one.${last}.json`))
    expect((await refusalOf(claim('one'))).code).toBe('session_damaged')
  })

  test('an older journal does not pass for the newest when the snapshot knows better', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    const events = eventsOf('one', 14)
    for (const event of events.slice(0, 10)) await writer.append([event], 'flush')
    const older = readFileSync(pathOf('one.journal.jsonl'))
    for (const event of events.slice(10)) await writer.append([event], 'flush')
    await writer.save(fold(events) as SessionState)
    await writer.release()
    writeFileSync(pathOf('one.journal.jsonl'), older)
    const error = await refusalOf(claim('one'))
    expect(error.code).toBe('session_damaged')
    expect(error.message).toMatch(/saved state of session one is at event 14, .* put the right files back/)
    expect((await refusalOf(linesOf('one'))).code).toBe('session_damaged')
    expect(readFileSync(pathOf('one.journal.jsonl')).equals(older)).toBe(true)
  })

  test('files of one session under the names of another are refused', async () => {
    await leave('one')
    for (const name of readdirSync(directory).filter((each) => each.startsWith('one.') && !each.includes('lock'))) {
      copyFileSync(pathOf(name), pathOf(name.replace('one', 'other')))
    }
    expect((await refusalOf(claim('other'))).code).toBe('session_damaged')
    expect((await refusalOf(linesOf('other'))).code).toBe('session_damaged')
  })

  test('line ends that were converted are damage, and said to be', async () => {
    await leave('one', { savedAt: 14 })
    withCarriageReturns('one.json')
    expect(await findingsOf('one')).toEqual(['damaged_snapshot'])
    withCarriageReturns('one.lock.2')
    expect(await findingsOf('one')).toEqual(['damaged_snapshot'])
  })

  test('a journal whose line ends were converted loses nothing', async () => {
    await leave('one', { savedAt: 0 })
    for (const name of readdirSync(directory)) if (/^one\.(\d+\.)?json/.test(name)) rmSync(pathOf(name))
    const { writer } = await store().claim('other', { owner, expect: 'new' })
    for (const event of eventsOf('other', 4)) await writer.append([event], 'flush')
    await writer.release()
    withCarriageReturns('other.journal.jsonl')
    expect(await linesOf('other')).toEqual(linesFor('other', 4))
    const { events, report } = await claim('other')
    expect(events).toEqual(eventsOf('other', 4))
    expect(report.findings.map(({ what }) => what)).toEqual(['missing_snapshot', 'short_journal', 'torn_tail'])
  })

  test('a damaged snapshot that names a later epoch gives nobody a second owner', async () => {
    await leave('one')
    const held = await claim('one')
    await held.writer.save(fold(eventsOf('one', 14)) as SessionState)
    writeFileSync(
      pathOf('one.json'),
      readFileSync(pathOf('one.json'), 'utf8').replace(/"epoch":\d+,"seg/, '"epoch":9,"seg'),
    )
    expect((await refusalOf(claim('one'))).code).toBe('session_busy')
    await held.writer.append([eventBy('one', 15)], 'flush')
    expect((await linesOf('one')).length).toBe(15)
  })
})

describe('a list that a process left behind in the middle', () => {
  const dead = { pid: process.pid, host: hostname(), bootId: 'before', pidNamespace: null, startedAt: '1' }

  test.each([
    ['was killed', JSON.stringify(dead)],
    ['lost its power', ''],
  ])('is made anew by the next writer, after one that %s', async (_what, lock) => {
    await leave('one')
    const index = readFileSync(pathOf('_index.json'), 'utf8')
    writeFileSync(pathOf('_index.json'), index.replace('"seq":', '"seQ":'))
    writeFileSync(pathOf('_index.lock'), lock)
    writeFileSync(pathOf('_index.json.1-2-3.tmp'), 'half of a li')
    // Without it the files are asked.
    expect((await store().list()).rows.map(({ seq }) => seq)).toEqual([14])
    await leave('two')
    expect(readdirSync(directory).filter((name) => /_index\.(lock|.*tmp)/.test(name))).toEqual([])
    const { rows } = JSON.parse(readFileSync(pathOf('_index.json'), 'utf8')) as { rows: { id: string }[] }
    expect(rows.map(({ id }) => id)).toContain('one')
    expect((await store().list()).rows.map(({ id }) => id).sort()).toEqual(['one', 'two'])
  })
})

describe('a snapshot that is behind', () => {
  test('what was sealed meanwhile still follows from it', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    const events = eventsOf('one', 14)
    for (const event of events) await writer.append([event], 'flush')
    expect(readdirSync(directory)).toContain('one.2.json')
    await writer.save(fold(events.slice(0, 3)) as SessionState)
    await writer.release()
    expect(await findingsOf('one')).toEqual([])
    expect(await linesOf('one')).toEqual(linesFor('one', 14))
  })
})

describe('files that are taken away from a live writer', () => {
  const gone = /lock of session one is gone .* moved or removed/

  test('with their folder: nothing more is acknowledged', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    rmSync(directory, { recursive: true })
    const error = await refusalOf(writer.append([eventBy('one', 2)], 'flush'))
    expect(error.code).toBe('writer_fenced')
    expect(error.message).toMatch(gone)
    await refusalOf(writer.save(fold([opened('one')]) as SessionState))
    await writer.release()
  })

  test('by moving the folder: what was acknowledged is in the new place', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    renameSync(directory, workspace.path('moved'))
    expect((await refusalOf(writer.append([eventBy('one', 2)], 'flush'))).code).toBe('writer_fenced')
    await writer.release()
    directory = workspace.path('moved')
    const { writer: next, events } = await store().claim('one', { owner, expect: 'existing', takeover: true })
    expect(events[0]).toEqual(opened('one'))
    await next.release()
  })

  test('by removing its lock: it stops, and the next one has everything', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    await writer.append([opened('one'), eventBy('one', 2)], 'flush')
    rmSync(pathOf('one.lock.1'))
    const next = await claim('one')
    const error = await refusalOf(writer.append([eventBy('late', 3)], 'flush'))
    expect(error.code).toBe('writer_fenced')
    await next.writer.append([eventBy('one', 3)], 'flush')
    expect(await linesOf('one')).toEqual(linesFor('one', 3))
  })

  test.each(['removing its journal', 'putting an older one in its place'])(
    'by %s: a save brings it back',
    async (what) => {
      const { writer } = await store().claim('one', { owner, expect: 'new' })
      const events = eventsOf('one', 5)
      await writer.append(events.slice(0, 2), 'flush')
      const older = readFileSync(pathOf('one.journal.jsonl'))
      await writer.append(events.slice(2, 3), 'flush')
      rmSync(pathOf('one.journal.jsonl'))
      if (what.startsWith('putting')) writeFileSync(pathOf('one.journal.jsonl'), older)
      await writer.append(events.slice(3), 'flush')
      await writer.save(fold(events) as SessionState)
      expect(await linesOf('one')).toEqual(linesFor('one', 5))
      await writer.append([eventBy('one', 6)], 'flush')
      await writer.release()
      expect(await linesOf('one')).toEqual(linesFor('one', 6))
      expect((await claim('one')).report.findings).toEqual([])
    },
  )

  test('by making its lock unreadable: whoever claims takes over', async () => {
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    writeFileSync(pathOf('one.lock.1'), 'nonsense')
    const next = await claim('one')
    expect((await refusalOf(writer.append([eventBy('late', 2)], 'flush'))).code).toBe('writer_fenced')
    await next.writer.append([eventBy('one', 2)], 'flush')
    expect(await linesOf('one')).toEqual(linesFor('one', 2))
  })
})

describe('time and names', () => {
  test('a clock that jumps back changes no order', async () => {
    const times = [
      '2026-05-05T00:00:00.000Z',
      '2020-01-01T00:00:00.000Z',
      '2031-01-01T00:00:00.000Z',
      '1999-01-01T00:00:00.000Z',
    ]
    const events: StoredEvent[] = [opened('one'), ...times.map((at, index) => ({ ...eventBy('one', index + 2), at }))]
    const { writer } = await store().claim('one', { owner, expect: 'new' })
    for (const event of events) await writer.append([event], 'flush')
    await writer.save(fold(events) as SessionState)
    await writer.release()
    expect(await linesOf('one')).toEqual(events.map((event) => JSON.stringify(event)))
    expect((await store().list()).rows[0]?.updatedAt).toBe('1999-01-01T00:00:00.000Z')
    const { writer: next, state } = await claim('one')
    expect(state?.seq).toBe(5)
    await next.append([{ ...eventBy('one', 6), at: '1970-01-01T00:00:00.000Z' }], 'flush')
    expect((await linesOf('one')).length).toBe(6)
  })

  test('two stores in one process keep each other out', async () => {
    const first = store()
    const second = store()
    const { writer } = await first.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    const error = await refusalOf(second.claim('one', { owner, expect: 'existing' }))
    expect(error.code).toBe('session_busy')
    expect(error.message).toContain(`process ${process.pid} on `)
    await writer.release()
    const { writer: next } = await second.claim('one', { owner, expect: 'existing' })
    expect((await refusalOf(writer.append([eventBy('one', 2)], 'flush'))).code).toBe('session_closed')
    await next.append([eventBy('one', 2)], 'flush')
    expect((await first.list()).rows.length).toBe(1)
  })

  test.skipIf(process.platform !== 'linux')(
    needing(
      process.platform !== 'linux' && 'only on Linux',
      'a later process with the number of a dead one does not hold its session',
    ),
    async () => {
      const { writer } = await store().claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      const lock = JSON.parse(readFileSync(pathOf('one.lock.1'), 'utf8')) as { process: { startedAt: string } }
      writeFileSync(pathOf('one.lock.1'), JSON.stringify({ ...lock, process: { ...lock.process, startedAt: '1' } }))
      const next = await claim('one')
      expect(next.writer.epoch).toBe(2)
      expect((await refusalOf(writer.append([eventBy('late', 2)], 'flush'))).code).toBe('writer_fenced')
    },
  )

  test('ids that differ in case only are one session', async () => {
    const { writer } = await store().claim('CaSe', { owner, expect: 'new' })
    await writer.append([opened('CaSe')], 'flush')
    expect((await refusalOf(store().claim('case', { owner, expect: 'new' }))).code).toBe('session_exists')
    expect((await refusalOf(claim('CASE'))).code).toBe('session_busy')
    await writer.release()
    const next = await claim('cAsE')
    expect(next.writer.id).toBe('CaSe')
    expect(new Set(readdirSync(directory).map((name) => name.toLowerCase())).size).toBe(readdirSync(directory).length)
  })
})

/** Why there is no folder here that cannot be written to; undefined when there is one. */
const obstacle = tryReadOnly()

function tryReadOnly(): string | undefined {
  const folder = join(tmpdir(), `loader-read-only-${process.pid}`)
  mkdirSync(folder)
  try {
    mountReadOnly(folder, () => undefined)
    execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `nothing can be mounted here, only root may (${String(error).split('\n')[0]})`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mountReadOnly(folder: string, prepare: () => void): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
  prepare()
  execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'pipe' })
}

describe.skipIf(obstacle !== undefined)(`a folder that cannot be written to${obstacle ? `: ${obstacle}` : ''}`, () => {
  test('is refused for writing, and read as ever', async () => {
    await leave('one')
    const original = directory
    directory = workspace.path('read-only')
    mkdirSync(directory)
    mountReadOnly(directory, () => {
      for (const name of readdirSync(original)) copyFileSync(join(original, name), pathOf(name))
    })
    try {
      for (const work of [claim('one'), store().claim('two', { owner, expect: 'new' }), store().delete('one')]) {
        const error = await refusalOf(work)
        expect(error.code).toBe('storage_refused')
        expect(error.message).toMatch(/EROFS.*read-only/)
      }
      expect(await linesOf('one')).toEqual(linesFor('one', 14))
      expect((await store().list()).rows.map(({ id }) => id)).toEqual(['one'])
      expect((await store().list({ check: true })).rows.map(({ status }) => status)).toEqual(['resting'])
    } finally {
      execFileSync('umount', ['-l', directory])
    }
  })
})
