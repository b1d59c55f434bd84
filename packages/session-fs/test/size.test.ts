import nodeFileSystem, { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from '@loader/session-core'
import { everyNth, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { parseJournal } from '../src/format/journal-content.ts'
import { encodeRecords } from '../src/format/record.ts'
import { firstSeed } from '../src/format/segment.ts'
import type { FileSystem } from '../src/index.ts'
import { environment, eventsOf, fill, linesOf, load, place, type Place, turn } from './sample-sessions.ts'

const kilobyte = 1024
const newline = 10
const seed = () => firstSeed('one')

/** The file system, and every path that a file was renamed to, and how many bytes were written. */
function counting() {
  const found = { written: 0, renamed: [] as string[] }
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    renameSync(from, to) {
      found.renamed.push(to)
      nodeFileSystem.renameSync(from, to)
    },
    writeSync(...args) {
      const count = nodeFileSystem.writeSync(...args)
      found.written += count
      return count
    },
  }
  return { found, fileSystem }
}

function snapshotAt(at: Place): { readonly seq: number; readonly bytes: number } {
  const text = readFileSync(at.path('one.json'), 'utf8')
  const { seq } = JSON.parse(text) as { readonly seq: number }
  return { seq, bytes: Buffer.byteLength(text) }
}

/** Bytes of disk that the files take, locks and the list included. */
function taken(directory: string, of = ''): number {
  return readdirSync(directory)
    .filter((name) => name.startsWith(of))
    .reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0)
}

test('a session of one turn keeps 16 KiB, and its snapshot is written once at the end', async () => {
  const { found, fileSystem } = counting()
  await using at = await place({ rotateAfterBytes: 256 * kilobyte, commit: 'inline', fileSystem })
  const session = await Session.open(at.store, { environment, id: 'one' })
  found.renamed = []
  await session.append(turn('a', 'Done.'))
  await session.save()
  await session.close()
  expect(found.renamed.filter((path) => path === at.path('one.json'))).toHaveLength(1)
  expect(taken(at.directory)).toBeLessThanOrEqual(16 * kilobyte)
  expect(await eventsOf(at.store, 'one')).toHaveLength(7)
  expect(await at.store.verify('one')).toMatchObject({ intact: true })
})

test('many sessions of one turn keep 16,000 bytes each', async () => {
  const count = times({ quick: 50, ci: 1000 })
  await using at = await place({ rotateAfterBytes: 256 * kilobyte })
  for (let index = 0; index < count; index += 1) {
    const session = await Session.open(at.store, { environment, id: `one-${index}` })
    await session.append(turn('a', 'Done.'))
    await session.close()
  }
  expect(taken(at.directory)).toBeLessThanOrEqual(count * 16_000)
})

test('a session of fifty turns keeps 64 KiB, and writes 150 KiB', async () => {
  const { found, fileSystem } = counting()
  await using at = await place({ rotateAfterBytes: 256 * kilobyte, commit: 'inline', fileSystem })
  const session = await Session.open(at.store, { environment, id: 'one' })
  for (let index = 0; index < 50; index += 1) {
    for (const event of turn(`${index}`, 'It is done.')) await session.append(event)
    await session.save({ snapshot: false })
  }
  await session.close()
  expect(found.written).toBeLessThanOrEqual(150 * kilobyte)
  // The rows of the folder's list, which are folded later, are not part of the session.
  expect(taken(at.directory, 'one.')).toBeLessThanOrEqual(64 * kilobyte - 4 * kilobyte)
})

test('snapshots that may wait are written as the journal grows, and the last one when the session is closed', async () => {
  await using at = await place({ rotateAfterBytes: 1024 * kilobyte })
  const session = await Session.open(at.store, { environment, id: 'one' })
  const saved: number[] = []
  for (let index = 0; index < 300; index += 1) {
    await session.append(turn(`${index}`, 'x'.repeat(1500)))
    await session.save({ snapshot: false })
    const { seq } = snapshotAt(at)
    if (seq !== saved.at(-1)) saved.push(seq)
    // What is not in the snapshot is no more than 64 KiB of the journal, or the snapshot's own size, and the turn that grew over it.
    const behind = Buffer.byteLength((await linesOf(at.store, 'one', seq + 1)).join('\n'))
    expect(behind).toBeLessThan(Math.max(64 * kilobyte, snapshotAt(at).bytes) + 4 * kilobyte)
    expect((await at.store.list()).rows).toMatchObject([{ seq: session.state.seq }])
  }
  expect(saved.length).toBeGreaterThan(3)
  expect(saved.length).toBeLessThan(10)
  await session.close()
  expect(snapshotAt(at).seq).toBe(session.state.seq)
})

describe('loading a session writes', () => {
  test('no snapshot where there is one, however long the journal is', async () => {
    const { found, fileSystem } = counting()
    await using at = await place({ rotateAfterBytes: 1024 * kilobyte, commit: 'inline', fileSystem })
    await fill(at.store, 'one', 1000)
    found.renamed = []
    const session = await load(at.store, 'one')
    expect(statSync(at.path('one.journal.jsonl')).size).toBeGreaterThan(128 * kilobyte)
    expect(found.renamed).toEqual([at.path('one.journal.jsonl')])
    await session.close()
  })

  test('the snapshot where there is none', async () => {
    await using at = await place()
    await fill(at.store, 'one', 20)
    rmSync(at.path('one.json'))
    const session = await load(at.store, 'one')
    expect(snapshotAt(at).seq).toBeGreaterThan(20)
    await session.close()
  })
})

test('without an index, a session that was not closed is listed as it is, and not as its snapshot has it', async () => {
  await using at = await place()
  const session = await Session.open(at.store, { environment, id: 'one' })
  await session.append([{ type: 'session.titled', title: 'Later', by: 'user' }])
  await session.save({ snapshot: false })
  rmSync(at.path('_index.json'))
  expect(snapshotAt(at).seq).toBeLessThan(session.state.seq)
  expect((await at.open().list()).rows).toMatchObject([{ title: 'Later', seq: session.state.seq }])
  await session.close()
})

test('a session that is loaded again and again without ever being closed has one way to its newest lock', async () => {
  await using at = await place()
  await (await Session.open(at.store, { environment, id: 'one' })).append(turn('a', 'Done.'))
  for (let epoch = 2; epoch < 6; epoch += 1) {
    const session = await load(at.store, 'one', { takeover: true })
    expect(session.epoch).toBe(epoch)
    // A reader that begins at the lock which the snapshot names finds the newest.
    expect(await at.store.holder('one')).not.toBeNull()
    if (epoch === 5) await session.close()
  }
  expect(at.names().filter((name) => name.includes('.lock.'))).toEqual([])
})

test('a long turn seldom asks for space', async () => {
  const sizes = new Set<number>()
  await using at = await place({ rotateAfterBytes: 256 * kilobyte })
  const session = await Session.open(at.store, { environment, id: 'one' })
  for (let index = 0; index < 240; index += 1) {
    await session.append({ type: 'custom.recorded', name: 'sample', data: 'x'.repeat(900) })
    sizes.add(statSync(at.path('one.journal.jsonl')).size)
  }
  expect(sizes.size).toBeLessThan(12)
  await session.close()
})

describe('a journal that was cut off', () => {
  test('gives itself away wherever a record lost a byte, also between two records', async () => {
    await using at = await place({ rotateAfterBytes: 256 * kilobyte })
    await fill(at.store, 'one', 60)
    const whole = readFileSync(at.path('one.journal.jsonl'))
    const end = whole.findLastIndex((byte) => byte !== newline) + 2
    expect(parseJournal(whole, seed(), seed).truncated).toBe(false)
    for (let size = 0; size < end; size += everyNth({ quick: 41, ci: 1 }))
      expect({ size, truncated: parseJournal(whole.subarray(0, size), seed(), seed).truncated }).toMatchObject({
        truncated: true,
      })
    const json = (length: number) => `{"type":"x","seq":1,"at":"${'x'.repeat(length)}"}`
    const encoded = (length: number) =>
      Buffer.from(
        encodeRecords([{ epoch: 1, seq: 1, durable: 0, json: json(length) }], { seed: seed(), mark: seed() }).bytes,
      )
    const full = encoded(4096 - encoded(0).length)
    expect(full).toHaveLength(4096)
    expect(parseJournal(full, seed(), seed)).toMatchObject({ truncated: true, hasDebris: false })
  })

  test('is none where a power cut stopped it while it grew, or where an older version filled it to the last byte', async () => {
    await using at = await place({ rotateAfterBytes: 256 * kilobyte })
    await fill(at.store, 'one', 60)
    const whole = readFileSync(at.path('one.journal.jsonl'))
    const { records } = parseJournal(whole, seed(), seed)
    const grown = parseJournal(
      Buffer.concat([whole, Buffer.alloc(4096), Buffer.alloc(8192, '\n'), Buffer.alloc(4096)]),
      seed(),
      seed,
    )
    expect(grown).toMatchObject({ truncated: false, damagedBehind: 0 })
    expect(grown.records).toHaveLength(records.length)
    const former = Buffer.alloc(2 * 64 * kilobyte, '\n')
    former.set(whole.subarray(0, Math.min(whole.length, former.length)))
    expect(parseJournal(former, seed(), seed)).toMatchObject({ truncated: false, hasDebris: false })
  })
})
