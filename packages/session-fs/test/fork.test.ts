import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import nodeFileSystem from 'node:fs'
import { readSession, Session } from '@loader/session-core'
import { crashStates, SimulatedFileSystem, systemError } from '@loader/test-harness/faults'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import { environment, fill, linesOf, load, place, plain, processTable, record, turn } from './sample-sessions.ts'

describe('a fork', () => {
  test('has the events up to the point, and then says where they come from', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const before = at.bytes('/one.')
    const original = await linesOf(at.store, 'one')
    for (const seq of [1, 2, 17, 41, 42]) {
      const fork = await at.store.fork('one', seq, { id: `at-${seq}`, environment })
      expect(fork).toEqual({ id: `at-${seq}`, from: { id: 'one', seq } })
      const lines = await linesOf(at.store, fork.id)
      expect(lines.slice(0, seq)).toEqual(original.slice(0, seq))
      expect(lines).toHaveLength(seq + 1)
      expect(JSON.parse(lines[seq] as string)).toMatchObject({ type: 'session.forked', id: fork.id, from: fork.from })
      expect(await at.store.verify(fork.id)).toMatchObject({ intact: true, findings: [] })
    }
    expect(at.bytes('/one.')).toEqual(before)
  })

  test('has all events without a point, and an id from the environment', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    const fork = await at.store.fork('one', undefined, { environment })
    expect(fork).toEqual({ id: expect.stringMatching(/^ses_/), from: { id: 'one', seq: 12 } })
    expect((await at.store.fork('one')).id).toMatch(/^ses_[0-9a-z]{20}$/)
  })

  test('shares whole segments instead of copying them', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await at.store.fork('one', 30, { id: 'two', environment })
    const shared = at.names().filter((name) => /^two\.\d+\.json$/.test(name))
    expect(shared.length).toBeGreaterThan(2)
    for (const name of shared)
      expect(statSync(at.path(name)).ino).toBe(statSync(at.path(name.replace('two', 'one'))).ino)
  })

  test('copies them where the file system has no hard links', async () => {
    await using at = await place()
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      linkSync: () => {
        throw systemError('EPERM', { syscall: 'link' })
      },
    }
    const store = at.open({ fileSystem })
    await fill(store, 'one', 40)
    await store.fork('one', 30, { id: 'two', environment })
    expect(readFileSync(at.path('two.1.json'))).toEqual(readFileSync(at.path('one.1.json')))
    expect(statSync(at.path('two.1.json')).ino).not.toBe(statSync(at.path('one.1.json')).ino)
    expect(await store.verify('two')).toMatchObject({ intact: true })
    expect((await load(store, 'two')).state.seq).toBe(32)
  })

  test('goes on like any session, and seals and forks again', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await at.store.fork('one', 25, { id: 'two', environment })
    const two = await load(at.store, 'two')
    expect(two.recovery.findings).toEqual([])
    expect(two.state).toMatchObject({ id: 'two', forkedFrom: { id: 'one', seq: 25 }, seq: 27 })
    await record(two, 40)
    await two.close()
    await at.store.fork('two', 60, { id: 'three', environment })
    await at.store.fork('three', undefined, { id: 'four', environment })
    for (const id of ['three', 'four']) {
      const session = await load(at.store, id)
      expect(session.recovery.findings).toEqual([])
      await record(session, 20)
      await session.close()
      const { state, history } = await readSession(at.store, id)
      expect(state.id).toBe(id)
      expect(history.map(({ seq }) => seq)).toEqual(history.map((_event, index) => index + 1))
      expect(await at.store.verify(id)).toMatchObject({ intact: true, findings: [] })
    }
  })

  test('survives the loss of its snapshot, though its first segments bear the ids of others', async () => {
    await using at = await place()
    await fill(at.store, 'one', 30)
    await at.store.fork('one', 25, { id: 'two', environment })
    const two = await load(at.store, 'two')
    await record(two, 30)
    await two.close()
    await at.store.fork('two', 50, { id: 'three', environment })
    const lines = await linesOf(at.store, 'three')
    rmSync(at.path('three.json'))
    expect(await linesOf(at.store, 'three')).toEqual(lines)
    const three = await load(at.store, 'three')
    expect(three.recovery.findings.map(({ what }) => what)).toEqual(['missing_snapshot'])
    expect(three.state).toMatchObject({ id: 'three', seq: 52 })
  })

  test('survives the deletion of the session it was forked from, with its long texts', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    const [early, late] = await Promise.all(['a', 'b'].map((each) => session.storeText(each.repeat(70_000))))
    await session.append({ type: 'custom.recorded', name: 'long', data: plain(early) })
    await session.append({ type: 'custom.recorded', name: 'long', data: plain(late) })
    await session.close()
    await at.store.fork('one', 3, { id: 'two', environment })
    await at.store.delete('one', { erase: true })
    expect(readdirSync(at.path('two.blobs'))).toHaveLength(1)
    const two = await load(at.store, 'two')
    expect(await two.readText(early as string)).toBe('a'.repeat(70_000))
    expect(await at.store.verify('two')).toMatchObject({ intact: true })
  })

  test('in the middle of a turn goes on with that turn', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('a', 'Hello'))
    await session.close()
    await at.store.fork('one', 4, { id: 'two', environment })
    const { turn: open, queue } = (await load(at.store, 'two')).state
    expect({ id: open?.id, queue }).toMatchObject({ id: 'turn_a', queue: [] })
  })

  test('is listed, and keeps texts that no encoding can hold', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one', title: 'half \ud83d pair, \u0000 and \r\n' })
    await session.close()
    await at.store.fork('one', undefined, { id: 'two', environment })
    const { rows } = await at.store.list()
    expect(rows.map(({ id, title, forkedFrom }) => [id, title, forkedFrom])).toEqual([
      ['two', 'half \ud83d pair, \u0000 and \r\n', 'one'],
      ['one', 'half \ud83d pair, \u0000 and \r\n', null],
    ])
  })
})

describe('forking a session that is held', () => {
  test('takes what was written, and disturbs nobody', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await record(session, 30)
    const { from } = await at.store.fork('one', undefined, { id: 'two', environment })
    expect(from.seq).toBe(session.state.seq)
    await record(session, 30)
    await session.close()
    expect(session.state.seq).toBe(62)
    expect((await load(at.store, 'two')).state).toMatchObject({ seq: 34, forkedFrom: { id: 'one', seq: 32 } })
  })
})

describe('a fork is refused', () => {
  test('at an event that is not there', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    for (const seq of [0, -1, 1.5, 13, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(at.store.fork('one', seq, { environment })).rejects.toMatchObject({ code: 'impossible_event' })
    }
    await expect(at.store.fork('none', 1, { environment })).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('under an id that is taken or none', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    await expect(at.store.fork('one', 5, { id: 'ONE', environment })).rejects.toMatchObject({ code: 'session_exists' })
    await expect(at.store.fork('one', 5, { id: 'a.b', environment })).rejects.toMatchObject({ code: 'invalid_id' })
    const held = await Session.open(at.store, { environment, id: 'held' })
    await expect(at.store.fork('one', 5, { id: 'held', environment })).rejects.toMatchObject({ code: 'session_busy' })
    await held.close()
  })

  test('above damage, with the way out', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    at.damage('one.3.json', (bytes) => void bytes.write('?', bytes.indexOf('\n') + 60))
    const refused = at.store.fork('one', 40, { environment })
    await expect(refused).rejects.toMatchObject({
      code: 'session_damaged',
      message: expect.stringContaining('Salvage'),
    })
    expect((await at.store.fork('one', 5, { environment })).from.seq).toBe(5)
  })

  test('when the disk is full, and nothing of it stays', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    let isFull = false
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      writeSync: (fd: number, data: Uint8Array, offset: number, length: number, position: number) => {
        if (isFull && length > 1_000) throw systemError('ENOSPC', { syscall: 'write' })
        return nodeFileSystem.writeSync(fd, data, offset, length, position)
      },
    }
    const store = at.open({ fileSystem, commit: 'inline' })
    isFull = true
    await expect(store.fork('one', 20, { id: 'two', environment })).rejects.toMatchObject({ code: 'storage_full' })
    expect(at.names().filter((name) => name.startsWith('two.'))).toEqual(['two.lock.1'])
    expect((await store.list({ check: true })).rows.map(({ id }) => id)).toEqual(['one'])
    isFull = false
    await store.fork('one', 20, { id: 'two', environment })
    expect(await store.verify('two')).toMatchObject({ intact: true })
  })
})

describe('the id of a deleted session', () => {
  test('can be forked to, and what was deleted stays in the trash', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await fill(at.store, 'two', 40)
    await at.store.delete('two')
    await at.store.fork('one', 20, { id: 'two', environment })
    expect(await linesOf(at.store, 'two')).toHaveLength(21)
    expect(readdirSync(at.workspace.path('.loader/sessions/_trash'))).toHaveLength(1)
  })
})

describe('a power cut', () => {
  test('at any moment leaves a whole fork or none, and the session as it was', async () => {
    const processes = processTable()
    const open = (fileSystem: FileSystem) =>
      new FileSessionStore(
        { root: '/w' },
        { fileSystem, commit: 'inline', rotateAfterBytes: 500, processes: processes.next() },
      )
    const disk = new SimulatedFileSystem({ directories: ['/w'] })
    const writing = open(disk)
    const session = await Session.open(writing, { environment, id: 'one' })
    await session.append({
      type: 'custom.recorded',
      name: 'long',
      data: plain(await session.storeText('y'.repeat(70_000))),
    })
    await record(session, 6)
    await session.close()
    const original = await linesOf(writing, 'one')

    const later = new SimulatedFileSystem<'forked'>(imageOf(disk))
    await open(later).fork('one', 7, { id: 'two', environment })
    later.mark('forked')
    let [states, whole] = [0, 0]
    for (const state of crashStates(later, { randomSubsets: 4 })) {
      const store = open(state.mount())
      const cut = state.describe()
      states += 1
      expect(await linesOf(store, 'one')).toEqual(original)
      const lines = await linesOf(store, 'two').catch((error: { code: string }) => error.code)
      const listed = (await store.list({ check: true })).rows.map(({ id, status }) => `${id} ${status}`).sort()
      if (lines === 'session_not_found') {
        expect({ cut, marks: state.marks, listed }).toEqual({ cut, marks: [], listed: ['one resting'] })
        // Whatever was begun is in nobody's way.
        if (states % 2 === 0) await (await Session.open(store, { environment, id: 'two' })).close()
        else await store.fork('one', 7, { id: 'two', environment })
      } else {
        whole += 1
        expect({ cut, events: lines.length, listed }).toEqual({
          cut,
          events: 8,
          listed: ['one resting', 'two resting'],
        })
      }
      const two = await load(store, 'two')
      expect(two.state).toMatchObject({ id: 'two', epoch: two.epoch })
      await two.close()
      expect({ cut, ...(await store.verify('two')) }).toMatchObject({ cut, intact: true })
    }
    expect(states).toBeGreaterThan(50)
    expect(whole).toBeGreaterThan(0)
  })
})

function imageOf(disk: SimulatedFileSystem): { files: Record<string, Uint8Array> } {
  return { files: disk.files() }
}
