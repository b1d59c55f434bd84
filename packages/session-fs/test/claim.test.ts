import nodeFileSystem, { statSync } from 'node:fs'
import { fold, Session, type SessionState } from '@loader/session-core'
import { faulty, SimulatedFileSystem } from '@loader/test-harness/faults'
import { describe, expect, test } from 'vitest'
import { Disk } from '../src/disk/disk.ts'
import { layoutOf } from '../src/format/layout.ts'
import { FileSessionStore } from '../src/index.ts'
import { recoverAsSaved } from '../src/read/as-saved.ts'
import { recover } from '../src/read/recover.ts'
import { findFiles, readSnapshot } from '../src/read/session-files.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { environment, fill, linesOf, load, type Place, place, processTable } from './sample-sessions.ts'

const existing = { owner, expect: 'existing' } as const

/** The files that hold a session: all of its bytes but the locks. */
function held(at: Place): Record<string, string> {
  const files = Object.entries(at.bytes('one.')).filter(([name]) => !name.includes('.lock.'))
  return Object.fromEntries(files)
}

const inode = (at: Place) => statSync(at.path('one.journal.jsonl')).ino

describe('a session that was closed', () => {
  test('is claimed and given free again without a byte of it being written', async () => {
    await using at = await place()
    await fill(at.store, 'one', 20)
    const [before, file] = [held(at), inode(at)]
    for (let count = 0; count < 3; count += 1) {
      const { writer, state, events, report } = await at.open().claim('one', existing)
      expect({ seq: state?.seq, events, findings: report.findings }).toEqual({ seq: 22, events: [], findings: [] })
      await writer.release()
    }
    expect(held(at)).toEqual(before)
    expect(inode(at)).toBe(file)
  })

  test.each(['append', 'save'] as const)('gets a journal of its new writer with the first %s', async (first) => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 5)
    const file = inode(at)
    const { writer, state } = await at.store.claim('one', existing)
    expect(inode(at)).toBe(file)
    if (first === 'append') await writer.append([eventBy('next', 8)], 'flush')
    else await writer.save(state as SessionState)
    expect(inode(at)).not.toBe(file)
    expect((await linesOf(at.store, 'one')).length).toBe(first === 'append' ? 8 : 7)
    expect((await at.store.verify('one')).intact).toBe(true)
  })

  test('seals what was left live, where that is enough, before anything else', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 30)
    expect(at.names()).not.toContain('one.1.json')
    const { writer } = await at.open({ rotateAfterBytes: 1_000 }).claim('one', existing)
    await writer.append([eventBy('next', 33)], 'flush')
    await writer.release()
    expect(at.names()).toContain('one.1.json')
    expect((await linesOf(at.store, 'one')).length).toBe(33)
  })

  test.each([
    { name: 'without a segment', events: 4 },
    { name: 'with some segments', events: 40 },
  ])('is found from its snapshot as it is from all of its events, $name', async ({ events }) => {
    await using at = await place()
    await fill(at.store, 'one', events)
    await at.store.fork('one', events - 1, { id: 'two', environment })
    const disk = new Disk({ fileSystem: nodeFileSystem, commit: 'auto', ticks: () => 0, platform: 'linux' })
    for (const id of ['one', 'two']) {
      const layout = layoutOf(at.directory, id)
      const found = recoverAsSaved(disk, layout, id, readSnapshot(disk, layout, id))
      expect(found).toEqual(recover(findFiles(disk, layout, id)))
      expect(found?.live.map(({ json }) => json)).toEqual((await linesOf(at.store, id)).slice(found?.lastSealedSeq))
    }
  })

  test('refuses its first append on a full disk, and goes on when there is space', async () => {
    const disk = new SimulatedFileSystem({ directories: ['/w'] })
    const port = faulty(disk)
    const store = new FileSessionStore({ directory: '/w/sessions' }, { fileSystem: port })
    await (await Session.open(store, { environment, id: 'one' })).close()
    const { writer } = await store.claim('one', existing)
    port.add({ on: 'write', path: /journal/, fault: 'error', code: 'ENOSPC' })
    const refused = writer.append([eventBy('refused', 3)], 'flush')
    await expect(refused).rejects.toMatchObject({ code: 'storage_full' })
    await writer.append([eventBy('kept', 3)], 'flush')
    expect((await linesOf(store, 'one'))[2]).toBe(JSON.stringify(eventBy('kept', 3)))
    await writer.release()
    expect(disk.openPaths()).toEqual([])
  })
})

describe('a session that was not closed', () => {
  test.each(['dies', 'lives on'] as const)(
    'gets a journal of its new writer at once, if the one before %s',
    async (what) => {
      const processes = processTable()
      await using at = await place({ processes: processes.table })
      const before = await at.store.claim('one', { owner, expect: 'new' })
      await before.writer.append([opened('one')], 'flush')
      await before.writer.save(fold([opened('one')]) as SessionState)
      const file = inode(at)
      const next = at.open({ processes: what === 'dies' ? processes.next() : processes.table })
      const { writer } = await next.claim('one', { ...existing, takeover: what === 'lives on' })
      expect(inode(at)).not.toBe(file)
      await writer.release()
    },
  )
})

describe('a session that is given free', () => {
  test('takes what was handed in before, and nothing after', async () => {
    await using at = await place()
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    const state = fold([opened('one')]) as SessionState
    const results = await Promise.allSettled([
      writer.append([opened('one')], 'flush'),
      writer.save(state),
      writer.release(),
      writer.append([eventBy('late', 2)], 'flush'),
      writer.save(state),
    ])
    const outcomes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'ok'))
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'session_closed', 'session_closed'])
    expect((await load(at.open(), 'one')).state.seq).toBe(2)
  })

  test('and was only claimed to be made, leaves nothing but its lock', async () => {
    await using at = await place()
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.release()
    expect(at.names()).toEqual(['one.lock.1'])
    expect((await at.store.list()).rows).toEqual([])
  })
})
