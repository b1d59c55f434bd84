import { fold, LoaderError, type SessionState } from '@loader/session-core'
import {
  type CallKind,
  faulty,
  type FaultyFileSystem,
  SimulatedFileSystem,
  type SystemErrorCode,
} from '@loader/test-harness/faults'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { linesOf } from './sample-sessions.ts'

/** Errors that say nothing of the files: the system was out of something, was interrupted, or took too long. */
const passing: readonly SystemErrorCode[] = ['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'ENOMEM', 'ETIMEDOUT', 'EBUSY']
const looking: readonly CallKind[] = ['open', 'readFile', 'readdir', 'read']

const others = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_unused, index) => eventBy('one', from + index))
const stateAt = (seq: number) => fold([opened('one'), ...others(2, seq)]) as SessionState

function storeOn(fileSystem: FileSystem, pid = 1): FileSessionStore {
  const self = { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  const stateOf = (other: { pid: number }) => (other.pid === pid ? ('alive' as const) : ('dead' as const))
  return new FileSessionStore(
    { directory: '/w/sessions' },
    { fileSystem, commit: 'inline', rotateAfterBytes: 2_000, processes: { self, stateOf } },
  )
}

async function leave(): Promise<SimulatedFileSystem> {
  const disk = new SimulatedFileSystem({ directories: ['/w'] })
  const { writer } = await storeOn(disk).claim('one', { owner, expect: 'new' })
  for (const event of [opened('one'), ...others(2, 12)]) await writer.append([event], 'flush')
  await writer.save(stateAt(12))
  await writer.release()
  return disk.afterKill()
}

async function refusalOf(work: Promise<unknown>): Promise<LoaderError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (LoaderError.is(error)) return error
    throw error
  }
}

/** Everything that can be asked of a store, none of which may call a session damaged that is not. */
const turnOptions: Readonly<Record<string, (store: FileSessionStore) => Promise<unknown>>> = {
  read: (store) => linesOf(store, 'one'),
  list: (store) => store.list(),
  'list, compared': (store) => store.list({ check: true }),
  verify: (store) => store.verify('one'),
  salvage: (store) => store.salvage('one'),
  fork: (store) => store.fork('one'),
  holder: (store) => store.holder('one'),
  claim: async (store) => (await store.claim('one', { owner, expect: 'existing' })).writer.release(),
}

describe.each(sample(passing, { quick: 1 }))('a file system that says %s', (code) => {
  test.each(Object.entries(turnOptions))(
    'for each call in turn refuses, and finds no damage: %s',
    async (name, wish) => {
      let refusals = 0
      for (let nth = 1; ; nth += 1) {
        const disk = await leave()
        const port = faulty(disk, { faults: [{ on: looking, nth, fault: 'error', code }] })
        const result = { value: undefined as unknown }
        const refused = await refusalOf(wish(storeOn(port, 2)).then((value) => (result.value = value)))
        if (!port.calls.some(({ faults }) => faults.length > 0)) break
        const told = `${refused?.code} ${refused?.message} ${JSON.stringify(result.value ?? null)}`
        expect(told).not.toMatch(/damage/)
        if (refused === undefined) continue
        refusals += 1
        expect(refused.code, `${refused.message}`).toBe('storage_refused')
        expect(refused.message).toContain(code)
        expect(refused.message).toMatch(/try again/i)
        expect((await storeOn(disk.afterKill(), 3).verify('one')).intact).toBe(true)
      }
      // Without its index, a list is made of the sessions themselves.
      if (name !== 'list') expect(refusals).toBeGreaterThan(0)
    },
  )

  test('where a file is opened leaves the writer usable, whatever it was about to do', async () => {
    for (let nth = 1; ; nth += 1) {
      const disk = await leave()
      const port = faulty(disk)
      const { writer } = await storeOn(port, 2).claim('one', { owner, expect: 'existing' })
      port.add({ on: 'open', nth, fault: 'error', code })
      const outcomes: (string | undefined)[] = []
      let known = 12
      for (let step = 0; step < 12; step += 1) {
        const refused = await refusalOf(writer.append(others(known + 1, known + 1), 'flush'))
        outcomes.push(refused?.code)
        if (refused === undefined) known += 1
        if (step % 4 === 3) outcomes.push((await refusalOf(writer.save(stateAt(known))))?.code)
      }
      outcomes.push((await refusalOf(writer.blobs.put('A long text.')))?.code)
      outcomes.push((await refusalOf(writer.release()))?.code)
      if (!port.calls.some(({ faults }) => faults.length > 0)) break
      const struck = port.calls.find(({ faults }) => faults.length > 0)
      const where = `open ${nth}, ${struck?.paths.join()}: ${outcomes.join(' ')}`
      expect(new Set(outcomes), `${where}`).toEqual(
        new Set([undefined, ...outcomes.filter((each) => each === 'storage_refused')]),
      )
      expect((await linesOf(storeOn(disk.afterKill(), 3), 'one')).length, `${where}`).toBeGreaterThanOrEqual(known)
    }
  })
})

describe('an error of the disk itself', () => {
  test('where a file is opened before anything was written leaves the writer usable as well', async () => {
    const port: FaultyFileSystem = faulty(await leave())
    const { writer } = await storeOn(port, 2).claim('one', { owner, expect: 'existing' })
    port.add({ on: 'open', path: /journal.*tmp/, fault: 'error', code: 'EIO' })
    const refused = await refusalOf(writer.append(others(13, 13), 'flush'))
    expect(refused?.code).toBe('storage_refused')
    expect(refused?.message).toMatch(/EIO.*Check the disk, and try again/)
    await writer.append(others(13, 13), 'flush')
    port.add({ on: 'open', path: /one\.json.*tmp/, fault: 'error', code: 'EIO' })
    expect((await refusalOf(writer.save(stateAt(13))))?.code).toBe('storage_refused')
    await writer.save(stateAt(13))
    await writer.release()
  })
})
