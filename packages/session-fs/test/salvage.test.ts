import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readSession, Session } from '@loader/session-core'
import { SimulatedFileSystem } from '@loader/test-harness/faults'
import { everyNth, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import {
  environment,
  fill,
  forbidding,
  leaveImpossible,
  linesOf,
  load,
  place,
  type Place,
  processTable,
  record,
  recordLong,
  turn,
} from './sample-sessions.ts'

/** Changes the event with this seq, in whichever segment it is. */
function damageEvent(at: Place, id: string, seq: number): void {
  for (const name of at.names().filter((each) => each.startsWith(`${id}.`) && /\.\d+\.json$/.test(each))) {
    at.damage(name, (bytes) => {
      const offset = bytes.indexOf(`"seq":${seq},`)
      if (offset >= 0) bytes.write('?', offset + 60)
    })
  }
}

/** Opens the copy, goes on with it, and returns what it holds. */
async function goOn(at: Place, id: string): Promise<Session> {
  const session = await load(at.store, id)
  await record(session, 5)
  await session.append(turn(`after_${id}`, 'It goes on.'))
  await session.close()
  expect((await load(at.store, id)).state.seq).toBe(session.state.seq + 1)
  return session
}

describe('a salvaged copy', () => {
  test('of an intact session has everything, says where it comes from, and leaves the original alone', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const before = at.bytes('/one.')
    const lines = await linesOf(at.store, 'one')
    expect(await at.store.salvage('one', { environment })).toEqual({ id: 'one-salvaged', kept: 42, lost: [] })
    expect(at.bytes('/one.')).toEqual(before)
    const copied = await linesOf(at.store, 'one-salvaged')
    expect(copied.slice(0, -1)).toEqual(lines)
    expect(JSON.parse(copied.at(-1) as string)).toMatchObject({ type: 'session.forked', from: { id: 'one', seq: 42 } })
    expect(await at.store.verify('one-salvaged')).toMatchObject({ intact: true, findings: [] })
    expect((await at.store.list()).rows.map(({ id, forkedFrom }) => [id, forkedFrom])).toEqual([
      ['one-salvaged', 'one'],
      ['one', null],
    ])
    await goOn(at, 'one-salvaged')
  })

  test('keeps every event but the one that was hit, and goes on from the saved state', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const lines = await linesOf(at.store, 'one')
    damageEvent(at, 'one', 12)
    const before = at.bytes('/one.')
    const { id, kept, lost } = await at.store.salvage('one', { as: 'copy', environment })
    expect({ id, kept }).toEqual({ id: 'copy', kept: 41 })
    expect(lost).toEqual([{ what: 'event 12', why: expect.stringContaining('cannot be read') }])
    expect(at.bytes('/one.')).toEqual(before)
    expect(await linesOf(at.store, 'copy', 13)).toEqual([...lines.slice(12), expect.stringContaining('session.forked')])
    expect((await goOn(at, 'copy')).state).toMatchObject({ id: 'copy', title: 'Session one' })
    expect(await linesOf(at.store, 'copy', 13)).toHaveLength(30 + 1 + 1 + 5 + 5 + 1)
  })

  test('has everything behind a gap that no saved state covers, and says in its place what is lost', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const lines = await linesOf(at.store, 'one')
    damageEvent(at, 'one', 12)
    rmSync(at.path('one.json'))
    await expect(load(at.store, 'one')).rejects.toMatchObject({ code: 'session_damaged' })
    const { kept, lost } = await at.store.salvage('one', { as: 'copy', environment })
    expect(kept).toBe(41)
    expect(lost).toEqual([{ what: 'event 12', why: expect.stringContaining('counts as unknown') }])
    const { state, history } = await readSession(at.store, 'copy')
    expect(history.map((event) => JSON.stringify(event))).toEqual([
      ...lines.slice(0, 11),
      expect.stringContaining('{"type":"event.lost","seq":12,'),
      ...lines.slice(12),
      expect.stringContaining('session.forked'),
    ])
    expect(state.forkedFrom).toEqual({ id: 'one', seq: 42 })
    expect(state.gaps).toMatchObject({ ranges: [{ first: 12, last: 12, bytes: expect.any(Number) }], open: true })
    const session = await goOn(at, 'copy')
    expect(session.state.gaps).toMatchObject({ open: false })
    expect(await at.store.verify('copy')).toMatchObject({
      intact: true,
      findings: [{ what: 'lost_events', severity: 'note' }],
    })
    rmSync(at.path('copy.json'))
    const again = await load(at.store, 'copy', { takeover: true })
    expect(again.state.messages.toArray()).toEqual(session.state.messages.toArray())
  })

  test('goes on from what was saved behind a gap also when its own snapshot is lost', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    const session = await Session.open(at.store, { environment, id: 'one' })
    for (const name of ['a', 'b', 'c']) await session.append(turn(name, `Answer ${name}`))
    await session.close()
    const messages = session.state.messages.toArray()
    at.damage('one.journal.jsonl', (bytes) => void bytes.write('?', bytes.indexOf('Answer b')))
    await at.store.salvage('one', { as: 'copy', environment })
    rmSync(at.path('copy.json'))
    const copy = await load(at.store, 'copy')
    expect(copy.state.messages.toArray()).toEqual(messages)
    expect(copy.state.gaps).toMatchObject({ ranges: [{ first: 11, last: 11 }], open: false })
    await copy.append(turn('d', 'Answer d'))
    await copy.close()
    expect(await at.store.verify('copy')).toMatchObject({ intact: true })
  })

  test('loses nothing when what is damaged is needed for nothing', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    at.damage('one.json', (bytes) => void bytes.write('?', 100))
    at.damage('one.1.json', (bytes) => void bytes.write('00000000', bytes.lastIndexOf('"checksum":"') + 12))
    at.damage('one.2.json', (bytes) => void bytes.write('?', 3))
    at.damage('one.3.json', (bytes) => void bytes.write('00000000', bytes.indexOf('"eventChecksums":["') + 19))
    expect(await at.store.salvage('one', { as: 'copy', environment })).toMatchObject({ kept: 42, lost: [] })
    await goOn(at, 'copy')
  })

  test('goes on from the saved state when the journal, or all events, are gone', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    rmSync(at.path('one.journal.jsonl'))
    const without = await at.store.salvage('one', { as: 'copy', environment })
    expect(without.lost).toEqual([
      { what: expect.stringMatching(/ to 42$/), why: expect.stringContaining('was saved, and goes on') },
    ])
    await goOn(at, 'copy')
    for (const name of at.names().filter((each) => /^one\.\d+\.json$/.test(each))) rmSync(at.path(name))
    const bare = await at.store.salvage('one', { as: 'bare', environment })
    expect(bare).toMatchObject({ kept: 0, lost: [{ what: 'events 1 to 42' }] })
    expect((await goOn(at, 'bare')).state.title).toBe('Session one')
  })

  test('leaves out a segment and a snapshot that belong to another session', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const lines = await linesOf(at.store, 'one')
    await fill(at.store, 'two', 60)
    writeFileSync(at.path('one.3.json'), readFileSync(at.path('two.3.json')))
    writeFileSync(at.path('one.json'), readFileSync(at.path('two.json')))
    const { kept, lost } = await at.store.salvage('one', { as: 'copy', environment })
    const copied = await linesOf(at.store, 'copy')
    expect(copied.filter((line) => lines.includes(line))).toHaveLength(kept)
    expect(copied.filter((line) => line.includes('"type":"event.lost"'))).toHaveLength(lines.length - kept)
    expect(copied).toHaveLength(lines.length + 1)
    expect(JSON.stringify(lost)).toContain('Segment 3 belongs elsewhere.')
  })

  test('has the long texts, and says which of them are lost', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    const half = '\ud83d'
    const texts = ['a', 'b', half].map((each) => each.repeat(70_000))
    const [whole = '', hit = '', broken = ''] = await recordLong(session, ...texts)
    await session.close()
    at.damage(`one.blobs/${hit}`, (bytes) => void bytes.write('z', 100))
    const { lost } = await at.store.salvage('one', { as: 'copy', environment })
    expect(lost).toEqual([{ what: `text ${hit}`, why: expect.stringContaining('damaged') }])
    await at.store.delete('one', { erase: true })
    expect(await at.store.readBlob('copy', whole)).toBe('a'.repeat(70_000))
    expect(await at.store.readBlob('copy', broken)).toBe(half.repeat(70_000))
    await expect(at.store.readBlob('copy', hit)).rejects.toMatchObject({ code: 'blob_missing' })
  })

  test('of a fork has the shared history, and of a copy the copied one', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await at.store.fork('one', 30, { id: 'two', environment })
    damageEvent(at, 'two', 5)
    expect(await at.store.salvage('two', { as: 'three', environment })).toMatchObject({
      kept: 30,
      lost: [{ what: 'event 5' }],
    })
    await goOn(at, 'three')
    expect(await at.store.salvage('three', { as: 'four', environment })).toMatchObject({ kept: 44, lost: [] })
    await goOn(at, 'four')
    await at.store.fork('four', undefined, { id: 'five', environment })
    await goOn(at, 'five')
  })

  test('goes without a file that may not be opened', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const store = at.open({ fileSystem: forbidding(at.path('one.2.json')) })
    const { lost } = await store.salvage('one', { as: 'copy', environment })
    expect(lost).toEqual([
      { what: expect.stringMatching(/^events /), why: expect.stringContaining('cannot be opened (EACCES)') },
    ])
    await goOn(at, 'copy')
  })

  test('can be made of a session that is being written', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await record(session, 30)
    const { kept, lost } = await at.store.salvage('one', { environment })
    expect({ kept, lost }).toEqual({ kept: 32, lost: [] })
    await record(session, 5)
    await session.close()
    await goOn(at, 'one-salvaged')
  })

  test('is what is offered when events are as they were written but cannot follow each other', async () => {
    await using at = await place()
    await leaveImpossible(at.store, 'one')
    const { kept, lost } = await at.store.salvage('one', { environment })
    expect({ kept, what: lost.map(({ what }) => what) }).toEqual({ kept: 2, what: ['event 2'] })
    await goOn(at, 'one-salvaged')
  })
})

describe('the id of a copy', () => {
  test('is a free one, unless it is given', async () => {
    await using at = await place()
    const long = 'a'.repeat(64)
    for (const id of ['one', long]) await fill(at.store, id, 3)
    const ids: string[] = []
    for (const id of ['one', 'one', 'ONE', long, long]) ids.push((await at.store.salvage(id, { environment })).id)
    expect(ids).toEqual([
      'one-salvaged',
      'one-salvaged-2',
      'ONE-salvaged-3',
      `${'a'.repeat(55)}-salvaged`,
      `${'a'.repeat(53)}-salvaged-2`,
    ])
    await expect(at.store.salvage('one', { as: 'one', environment })).rejects.toMatchObject({ code: 'session_exists' })
    await expect(at.store.salvage('one', { as: 'a.b', environment })).rejects.toMatchObject({ code: 'invalid_id' })
  })
})

describe('nothing is copied', () => {
  test('of a session that is not there, or was deleted', async () => {
    await using at = await place()
    await expect(at.store.salvage('one', { environment })).rejects.toMatchObject({ code: 'session_not_found' })
    await fill(at.store, 'one', 3)
    await at.store.delete('one')
    await expect(at.store.salvage('one', { environment })).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('when neither an event nor a saved state can be read, and the error says what to do', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 4)
    at.damage('one.journal.jsonl', (bytes) => bytes.subarray(0, 20))
    rmSync(at.path('one.json'))
    const before = at.bytes()
    await expect(at.store.salvage('one', { environment })).rejects.toMatchObject({
      code: 'session_damaged',
      message: expect.stringContaining('restore its files from a backup'),
    })
    expect(at.bytes()).toEqual(before)
    await expect(linesOf(at.store, 'one')).rejects.toMatchObject({
      message: expect.stringContaining('was emptied or cut off'),
    })
  })
})

describe('whatever byte is hit', () => {
  test('a copy can be made, goes on, and holds nothing that was not written', async () => {
    const disk = new SimulatedFileSystem({ directories: ['/w'] })
    const processes = processTable()
    const open = (fileSystem: FileSystem) =>
      new FileSessionStore(
        { root: '/w' },
        { fileSystem, commit: 'inline', rotateAfterBytes: 700, processes: processes.next() },
      )
    const writing = open(disk)
    await fill(writing, 'one', 8)
    const lines = await linesOf(writing, 'one')
    const files = disk.files()
    let [states, everything] = [0, 0]
    for (const path of Object.keys(files).filter((each) => /\/one\.(json|\d+\.json|journal\.jsonl)$/.test(each))) {
      const whole = Buffer.from(files[path] as Uint8Array)
      const used = path.endsWith('.jsonl') ? whole.lastIndexOf(']') + 3 : whole.length
      for (let offset = 0; offset < used; offset += everyNth({ quick: 171, ci: 13 })) {
        const hit = Buffer.from(whole)
        hit[offset] = (hit[offset] as number) ^ (1 << (offset % 8))
        const store = open(new SimulatedFileSystem({ files: { ...files, [path]: hit } }))
        const { kept, lost } = await store.salvage('one', { as: 'copy', environment })
        const session = await load(store, 'copy')
        expect(session.state.id).toBe('copy')
        // Without its first event and a saved state, nothing says how it was called.
        if (!lost.some(({ what }) => what === 'event 1')) expect(session.state.title).toBe('Session one')
        await session.close()
        const copied = await linesOf(store, 'copy')
        expect(copied.filter((line) => lines.includes(line))).toHaveLength(kept)
        expect(
          copied
            .slice(0, lines.length)
            .every((line, index) => line === lines[index] || line.includes('"type":"event.lost"')),
        ).toBe(true)
        expect(copied).toHaveLength(lines.length + 2)
        expect(await store.verify('copy')).toMatchObject({ intact: true })
        expect({ path, offset, lost: lost.length }).toEqual({ path, offset, lost: lines.length - kept })
        expect(lost.length).toBeLessThanOrEqual(1)
        states += 1
        everything += kept === lines.length ? 1 : 0
      }
    }
    expect(states).toBeGreaterThan(times({ quick: 15, ci: 250 }))
    expect(everything).toBeGreaterThan(states / 3)
  })
})
