import nodeFileSystem, { readdirSync, writeFileSync } from 'node:fs'
import { Session } from '@loader/session-core'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { systemDisk } from '../src/disk/disk.ts'
import { type Lock, readLock, takeLock } from '../src/disk/lock.ts'
import { newestWith } from '../src/disk/newest-lock.ts'
import { systemProcesses } from '../src/disk/process-table.ts'
import { layoutOf } from '../src/format/layout.ts'
import type { FileSystem } from '../src/index.ts'
import { readSnapshot } from '../src/read/session-files.ts'
import { opened, owner } from './children/events.ts'
import { environment, eventsOf, linesOf, type Place, place, processTable, turn } from './sample-sessions.ts'

const many = times({ quick: 300, ci: 10_000 })

/** The file system, every call to it, and the folders that were read. */
function history() {
  const found = { calls: 0, read: [] as string[] }
  const fileSystem = { ...nodeFileSystem } as Record<string, unknown>
  for (const [name, call] of Object.entries(nodeFileSystem)) {
    if (typeof call !== 'function' || /^[A-Z]|^create|^promises/.test(name)) continue
    fileSystem[name] = (...args: unknown[]) => {
      found.calls += 1
      if (name === 'readdirSync') found.read.push(String(args[0]))
      return (call as (...given: unknown[]) => unknown)(...args)
    }
  }
  return { found, fileSystem: fileSystem as unknown as FileSystem }
}

/** A folder with one session that is listed, and the files of so many others. */
async function crowded(others: number) {
  const { found, fileSystem } = history()
  const at = await place({ fileSystem, commit: 'inline', rotateAfterBytes: 100_000 })
  await (await Session.open(at.store, { environment, id: 'first' })).close()
  for (let index = 0; index < others; index += 1) {
    for (const end of ['json', 'journal.jsonl']) writeFileSync(at.path(`other-${index}.${end}`), 'x')
  }
  return { at, found }
}

/** What is done with sessions, each under a name. The calls are those of a process that has done nothing before. */
const doings: Readonly<Record<string, (at: Place) => Promise<void>>> = {
  'making one': async (at) => {
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('a', 'Done.'))
    await session.close()
  },
  'opening one': async (at) => {
    const session = await Session.load(at.open(), 'one', { environment })
    await session.append(turn('b', 'Done.'))
    await session.close()
  },
  'forking one': async (at) => void (await at.open().fork('one', 4, { environment, id: 'two' })),
  'opening a fork': async (at) => (await Session.load(at.open(), 'two', { environment })).close(),
  'deleting one': async (at) => at.open().delete('one'),
  'erasing one': async (at) => at.open().delete('two', { erase: true }),
  'making one anew': async (at) => (await Session.open(at.open(), { environment, id: 'one' })).close(),
}

test('nothing but listing reads the folder, and the calls are the same however many sessions lie there', async () => {
  const counts: Record<string, number>[] = []
  for (const others of [10, many]) {
    const { at, found } = await crowded(others)
    await using _at = at
    const count: Record<string, number> = {}
    for (const [name, act] of Object.entries(doings)) {
      Object.assign(found, { calls: 0, read: [] })
      await act(at)
      expect({ name, read: found.read.filter((path) => path === at.directory) }).toEqual({ name, read: [] })
      count[name] = found.calls
    }
    counts.push(count)
    expect(await eventsOf(at.store, 'one')).toHaveLength(2)
  }
  // A writer that is slow says once more, in its lock, up to where events are stored.
  const differing = Object.entries(counts[0] ?? {}).filter(
    ([name, count]) => Math.abs((counts[1]?.[name] ?? 0) - count) > 5,
  )
  expect(differing).toEqual([])
})

describe('a lock', () => {
  const disk = systemDisk()
  const content = { state: 'held', id: 'one', owner, process: systemProcesses().self } as const
  const take = (at: Place, epoch: number) => takeLock(disk, layoutOf(at.directory, 'one'), epoch, content) as Lock

  test('is that of its writer alone, also where another one has its name', async () => {
    await using at = await place()
    await (await Session.open(at.store, { environment, id: 'one' })).close()
    const first = take(at, 2)
    expect(() => first.requireOwnership()).not.toThrow()
    nodeFileSystem.unlinkSync(at.path('one.lock.2'))
    const second = take(at, 2)
    expect(() => first.requireOwnership()).toThrow('taken over')
    first.tell(7)
    first.release()
    expect(() => second.requireOwnership()).not.toThrow()
    expect(readLock(disk, at.path('one.lock.2'))).toMatchObject({ state: 'held', durable: 0 })
    second.release()
    expect(at.names()).not.toContain('one.lock.2')
  })

  test('that was taken above what is not so any more is not the newest', async () => {
    await using at = await place()
    await (await Session.open(at.store, { environment, id: 'one' })).close()
    for (let epoch = 2; epoch < 4; epoch += 1) await (await Session.load(at.open(), 'one', { environment })).close()
    const layout = layoutOf(at.directory, 'one')
    const snapshot = readSnapshot(disk, layout, 'one')
    const newest = (epoch: number) => {
      const lock = take(at, epoch)
      const found = newestWith(disk, layout, 'one', { epoch, above: {}, snapshot })
      lock.withdraw()
      return found
    }
    // The last claim was the third; the number after the next belongs to another life of the session.
    expect([2, 3, 4, 5].map(newest)).toEqual([3, 3, 4, 3])
  })
})

describe('what is left in the folder', () => {
  const named = (at: Place, id: string) => at.names().filter((name) => name.startsWith(`${id}.`))

  test('of a session that is closed is no lock', async () => {
    await using at = await place()
    await (await Session.open(at.store, { environment, id: 'one' })).close()
    expect(named(at, 'one')).toEqual(['one.journal.jsonl', 'one.json'])
    await (await Session.load(at.open(), 'one', { environment })).close()
    expect(named(at, 'one')).toEqual(['one.journal.jsonl', 'one.json'])
    expect(await at.store.holder('one')).toBeNull()
  })

  test('of one that was deleted is the number of its last lock, which the next one goes on from', async () => {
    await using at = await place()
    for (let round = 0; round < 3; round += 1) {
      await (await Session.open(at.open(), { environment, id: 'one' })).close()
      await (await Session.load(at.open(), 'one', { environment })).close()
      await at.open().delete('one', { erase: round > 0 })
      expect(named(at, 'one')).toEqual(['one.lock.0'])
      await expect(at.open().delete('one')).rejects.toMatchObject({ code: 'session_not_found' })
    }
    const { writer } = await at.open().claim('one', { owner, expect: 'new' })
    expect(writer.epoch).toBe(10)
    await writer.append([opened('one')], 'flush')
    expect(await linesOf(at.open(), 'one')).toHaveLength(1)
    await writer.release()
    expect(await linesOf(at.open(), 'one')).toHaveLength(1)
  })

  test('of one that lost a lock, a snapshot or both is enough that no epoch is given twice', async () => {
    for (const lost of ['one.json', 'one.lock.2']) {
      const processes = processTable()
      await using at = await place({ processes: processes.table, rotateAfterBytes: 100_000 })
      await (await Session.open(at.store, { environment, id: 'one' })).close()
      await Session.load(at.store, 'one', { environment })
      nodeFileSystem.unlinkSync(at.path(lost))
      const { writer } = await at.open({ processes: processes.next() }).claim('one', { owner, expect: 'existing' })
      expect({ lost, epoch: writer.epoch }).toEqual({ lost, epoch: 3 })
      await writer.release()
    }
  })

  test('by an older version counts as it did: locks with gaps, and what it left of deleted sessions', async () => {
    await using at = await place()
    const lock = (epoch: number, state: string) =>
      writeFileSync(
        at.path(`one.lock.${epoch}`),
        JSON.stringify({
          state,
          id: 'one',
          owner,
          process: { pid: 1, host: 'x', bootId: 'x', pidNamespace: null, startedAt: null },
        }),
      )
    await (await Session.open(at.store, { environment, id: 'one' })).close()
    await at.store.delete('one', { erase: true })
    nodeFileSystem.unlinkSync(at.path('one.lock.0'))
    lock(3, 'deleted')
    for (let epoch = 1; epoch < 6; epoch += 1) {
      const session =
        epoch === 1
          ? await Session.open(at.open(), { environment, id: 'one' })
          : await Session.load(at.open(), 'one', { environment })
      await session.close()
    }
    expect(await eventsOf(at.open(), 'one')).toHaveLength(6)
    expect(readdirSync(at.directory).filter((name) => name.startsWith('one.lock'))).toEqual([])
    at.damage('one.json', (bytes) => Buffer.from(bytes.toString().replace(',"tidy":true', '')))
    lock(9, 'held')
    await expect(at.open().claim('one', { owner, expect: 'existing' })).rejects.toMatchObject({ code: 'session_busy' })
  })
})
