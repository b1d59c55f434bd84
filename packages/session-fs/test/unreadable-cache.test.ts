import { fold, type SessionState } from '@loader/session-core'
import { type Fault, faulty, SimulatedFileSystem, type SystemErrorCode } from '@loader/test-harness/faults'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { linesOf } from './sample-sessions.ts'

const directory = '/w/sessions'
const lines = (count: number) => [opened('one'), ...others(2, count)].map((event) => JSON.stringify(event))
const others = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_unused, index) => eventBy('one', from + index))

function storeOn(fileSystem: FileSystem, pid = 1): FileSessionStore {
  const self = { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  const stateOf = (other: { pid: number }) => (other.pid === pid ? ('alive' as const) : ('dead' as const))
  return new FileSessionStore(
    { directory },
    { fileSystem, commit: 'inline', rotateAfterBytes: 2_000, processes: { self, stateOf } },
  )
}

/** A session that is sealed, saved and listed, and given free or left by a process that died. */
async function leave(disk: SimulatedFileSystem, how: 'closed' | 'left' = 'closed'): Promise<SimulatedFileSystem> {
  const { writer } = await storeOn(disk).claim('one', { owner, expect: 'new' })
  const events = [opened('one'), ...others(2, 12)]
  for (const event of events) await writer.append([event], 'flush')
  await writer.save(fold(events) as SessionState)
  if (how === 'closed') await writer.release()
  return disk.afterKill()
}

const caches = {
  'the index': /_index\.json$/,
  'the journal of the index': /_index\.journal/,
  'the index, with its journal': /_index\./,
  'the snapshot': /one\.json$/,
}
const reading = ['open', 'readFile', 'read'] as const
const codes: readonly SystemErrorCode[] = ['EIO', 'EACCES']
const faults = Object.entries(caches).flatMap(([name, path]) =>
  codes.map((code): [string, string, Fault] => [
    name,
    code,
    { on: 'readFile', path, fault: 'error', code, lasts: 'forever' },
  ]),
)

describe.each(faults)('%s cannot be read (%s)', (_name, _code, fault) => {
  test.each(['closed', 'left'] as const)('and a session that was %s is read, listed and continued', async (how) => {
    const disk = await leave(new SimulatedFileSystem({ directories: ['/w'] }), how)
    const port = faulty(disk, { faults: [fault] })
    const store = storeOn(port, 2)
    expect(await linesOf(store, 'one')).toEqual(lines(12))
    for (const query of [{}, { check: true }])
      expect((await store.list(query)).rows.map(({ id, status, seq }) => `${id} ${status} ${seq}`)).toEqual([
        'one resting 12',
      ])
    const { writer, state, events } = await store.claim('one', { owner, expect: 'existing' })
    expect(fold(events, state)).toEqual(fold([opened('one'), ...others(2, 12)]))
    await writer.append(others(13, 13), 'flush')
    await writer.save(fold([opened('one'), ...others(2, 13)]) as SessionState)
    for (const event of others(14, 24)) await writer.append([event], 'flush')
    await writer.save(fold([opened('one'), ...others(2, 24)]) as SessionState)
    await writer.release()
    const fresh = await store.claim('two', { owner, expect: 'new' })
    await fresh.writer.append([opened('two')], 'flush')
    await fresh.writer.release()
    const healthy = storeOn(disk.afterKill(), 3)
    expect(await linesOf(healthy, 'one')).toEqual(lines(24))
    expect((await healthy.verify('one')).intact).toBe(true)
    expect((await healthy.list()).rows.map(({ id, seq }) => `${id} ${seq}`).sort()).toEqual(['one 24', 'two 1'])
  })
})

describe('an index that can neither be read, written nor removed', () => {
  test.each(codes)('stops no writer (%s)', async (code) => {
    const disk = await leave(new SimulatedFileSystem({ directories: ['/w'] }))
    const port = faulty(disk)
    port.add({ on: 'any', path: /_index/, fault: 'error', code, lasts: 'forever' })
    const store = storeOn(port, 2)
    const { writer } = await store.claim('one', { owner, expect: 'existing' })
    await writer.append(others(13, 13), 'flush')
    await writer.save(fold([opened('one'), ...others(2, 13)]) as SessionState)
    await writer.release()
    expect((await store.list()).rows.map(({ seq }) => seq)).toEqual([13])
    await store.delete('one')
    expect((await store.list()).rows).toEqual([])
  })
})

describe('a snapshot that cannot be read', () => {
  test('is told by verify, and by the claim that makes it anew', async () => {
    const disk = await leave(new SimulatedFileSystem({ directories: ['/w'] }))
    const port = faulty(disk, {
      faults: [{ on: [...reading], path: /one\.json$/, fault: 'error', code: 'EIO', lasts: 'forever' }],
    })
    const store = storeOn(port, 2)
    const { intact, findings } = await store.verify('one')
    expect({ intact, what: findings.map(({ what }) => what) }).toEqual({ intact: false, what: ['unreadable'] })
    const { writer, report } = await store.claim('one', { owner, expect: 'existing' })
    expect(report.findings.map(({ what }) => what)).toEqual(['damaged_snapshot'])
    await writer.release()
  })
})
