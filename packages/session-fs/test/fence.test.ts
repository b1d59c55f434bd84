import {
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { fold, LoaderError, type SessionState, type SessionWriter } from '@loader/session-core'
import { faulty, SimulatedFileSystem } from '@loader/test-harness/faults'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import { startChild } from './child.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { eventsOf, linesOf, type Place, place, processTable } from './sample-sessions.ts'

const journal = 'one.journal.jsonl'
const lines = (count: number) => [opened('one'), ...others(2, count)].map((event) => JSON.stringify(event))
const others = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_unused, index) => eventBy('one', from + index))

async function append(writer: SessionWriter, from: number, to: number): Promise<void> {
  for (const event of others(from, to)) await writer.append([event], 'flush')
}

/** What other programs do to a journal while its writer lives, and whether the file that they put there is kept. */
const deeds: Readonly<Record<string, { readonly does: (at: Place) => void; readonly keeps: boolean }>> = {
  'is removed': { does: (at) => rmSync(at.path(journal)), keeps: false },
  'is moved away': { does: (at) => renameSync(at.path(journal), at.path('elsewhere')), keeps: false },
  'is replaced by an older copy': {
    does(at) {
      copyFileSync(at.path('older'), at.path('restored'))
      renameSync(at.path('restored'), at.path(journal))
    },
    keeps: true,
  },
  'is replaced by an empty file': {
    does(at) {
      rmSync(at.path(journal))
      writeFileSync(at.path(journal), '')
    },
    keeps: true,
  },
  'is cut off in its place': { does: (at) => truncateSync(at.path(journal), 700), keeps: true },
}

describe.each(['inline', 'pool'] as const)('a journal that others touch while it is written (%s)', (commit) => {
  test.each(Object.entries(deeds))('and that %s: the next append brings it back', async (_name, { does, keeps }) => {
    const processes = processTable()
    await using at = await place({ rotateAfterBytes: 100_000, commit, processes: processes.table })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    await append(writer, 2, 4)
    copyFileSync(at.path(journal), at.path('older'))
    await append(writer, 5, 7)
    does(at)
    const there = keeps ? readFileSync(at.path(journal)) : undefined
    await writer.append(others(8, 8), 'flush')
    expect(await linesOf(at.store, 'one')).toEqual(lines(8))
    const kept = at.names().filter((name) => name.endsWith('.aside'))
    expect(kept.length).toBe(there === undefined ? 0 : 1)
    // What was cut off in its place has what was written behind the cut as well.
    for (const name of kept) expect(readFileSync(at.path(name)).subarray(0, there?.length)).toEqual(there)
    await writer.append(others(9, 9), 'os')
    // Killed here: nothing was saved but what the appends left.
    const next = at.open({ processes: processes.next() })
    const claim = await next.claim('one', { owner, expect: 'existing' })
    expect(claim.report.findings.map(({ what }) => what)).toEqual(['missing_snapshot'])
    expect(await linesOf(next, 'one')).toEqual(lines(9))
    await claim.writer.release()
    expect((await next.verify('one')).intact).toBe(true)
  })

  test.each(['os', 'flush'] as const)(
    'whatever the level: what was told with %s outlives the process',
    async (level) => {
      const processes = processTable()
      await using at = await place({ rotateAfterBytes: 100_000, commit, processes: processes.table })
      const { writer } = await at.store.claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      rmSync(at.path(journal))
      await writer.append(others(2, 2), level)
      expect(await linesOf(at.open({ processes: processes.next() }), 'one')).toEqual(lines(2))
    },
  )

  test('is not brought back by a writer that was displaced', async () => {
    await using at = await place({ rotateAfterBytes: 100_000, commit })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    const next = await at.open().claim('one', { owner, expect: 'existing', takeover: true })
    await next.writer.append([eventBy('new', 2)], 'flush')
    await expect(writer.append(others(2, 2), 'flush')).rejects.toMatchObject({ code: 'writer_fenced' })
    expect((await linesOf(at.store, 'one'))[1]).toBe(JSON.stringify(eventBy('new', 2)))
    expect(at.names().filter((name) => name.endsWith('.aside'))).toEqual([])
  })

  test('is left alone where its lock went with it: the writer stops, and says what is gone', async () => {
    await using at = await place({ rotateAfterBytes: 100_000, commit })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    for (const name of readdirSync(at.directory)) rmSync(at.path(name), { recursive: true })
    const refused = await writer.append(others(2, 2), 'flush').catch((error: unknown) => error)
    if (!LoaderError.is(refused, 'writer_fenced')) throw new Error(`not stopped: ${String(refused)}`)
    expect(refused.message).toContain(at.path('one.lock.1'))
    expect(refused.message).toMatch(/load it again/)
    expect(at.names()).toEqual([])
    expect((await at.store.list()).rows).toEqual([])
  })

  test('is sealed without losing what stands under its name', async () => {
    await using at = await place({ rotateAfterBytes: 2_000, commit })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    let last = 1
    const isLong = () => (at.names().includes('one.1.json') ? undefined : (last += 1))
    rmSync(at.path(journal))
    writeFileSync(at.path(journal), 'somebody’s own')
    while (isLong() !== undefined) await writer.append(others(last, last), 'flush')
    const kept = at.names().filter((name) => name.endsWith('.aside'))
    expect(kept.map((name) => readFileSync(at.path(name), 'utf8'))).toEqual(['somebody’s own'])
    expect(await linesOf(at.store, 'one')).toEqual(lines(last))
  })
})

describe('a writer that is killed before it notices', () => {
  const left: Readonly<Record<string, { does: (at: Place) => void; told: RegExp }>> = {
    'that its journal is gone': { does: (at) => rmSync(at.path(journal)), told: /missing_journal/ },
    'that its journal was cut off': { does: (at) => truncateSync(at.path(journal), 700), told: /short_journal/ },
    'that its journal is an older copy than its saved state': {
      does: (at) => copyFileSync(at.path('older'), at.path(journal)),
      told: /session_damaged/,
    },
  }
  test.each(Object.entries(left))('%s, leaves nothing that is called intact', async (_name, { does, told }) => {
    const processes = processTable()
    await using at = await place({ rotateAfterBytes: 100_000, processes: processes.table })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    copyFileSync(at.path(journal), at.path('older'))
    await append(writer, 2, 4)
    await writer.save(fold([opened('one'), ...others(2, 4)]) as SessionState)
    await append(writer, 5, 7)
    does(at)
    const next = at.open({ processes: processes.next() })
    expect((await next.verify('one')).intact).toBe(false)
    const found = await next.claim('one', { owner, expect: 'existing' }).then(
      ({ report }) => report.findings.map(({ what }) => what).join(' '),
      (error: unknown) => (LoaderError.is(error) ? error.code : String(error)),
    )
    expect(found).toMatch(told)
  })
})

describe('a journal that cannot be brought back', () => {
  test('on a full disk is a refusal that leaves nothing, also where the file comes back', async () => {
    const disk = new SimulatedFileSystem({ directories: ['/w'] })
    const port = faulty(disk)
    const store = simulated(port)
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    disk.renameSync(`/w/sessions/${journal}`, '/w/sessions/moved')
    port.add({ on: 'write', path: /journal.*tmp/, fault: 'error', code: 'ENOSPC' })
    await expect(writer.append([eventBy('refused', 2)], 'flush')).rejects.toMatchObject({ code: 'storage_full' })
    disk.renameSync('/w/sessions/moved', `/w/sessions/${journal}`)
    expect((await eventsOf(store, 'one')).map(({ seq }) => seq)).toEqual([1])
    await writer.append(others(2, 2), 'flush')
    expect(await linesOf(store, 'one')).toEqual(lines(2))
    await writer.release()
    expect(disk.openPaths()).toEqual([])
  })

  test('nor even looked at stops the writer, which keeps what was acknowledged', async () => {
    const disk = new SimulatedFileSystem({ directories: ['/w'] })
    const port = faulty(disk)
    const { writer } = await simulated(port).claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    port.add({ on: 'stat', path: /journal\.jsonl$/, fault: 'error', code: 'EIO' })
    await expect(writer.append(others(2, 2), 'flush')).rejects.toMatchObject({ code: 'storage_uncertain' })
    await expect(writer.append(others(2, 2), 'flush')).rejects.toMatchObject({ code: 'storage_uncertain' })
    await writer.release()
    expect((await linesOf(simulated(disk.afterKill()), 'one'))[0]).toBe(lines(1)[0])
  })
})

describe('what the fence costs', () => {
  test('is three looks at names for each append, and nothing that the disk hears of', async () => {
    const port = faulty(new SimulatedFileSystem({ directories: ['/w'] }))
    const { writer } = await simulated(port).claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    const from = port.calls.length
    await writer.append(others(2, 2), 'flush')
    expect(
      port.calls.slice(from).map(({ kind, paths }) => `${kind} ${paths.join().replace('/w/sessions/', '')}`),
    ).toEqual([
      expect.stringMatching(/^write one\.journal/),
      expect.stringMatching(/^fdatasync one\.journal/),
      'stat one.lock.1',
      'stat one.lock.2',
      'stat one.journal.jsonl',
    ])
  })
})

function simulated(fileSystem: FileSystem): FileSessionStore {
  return new FileSessionStore({ directory: '/w/sessions' }, { fileSystem, commit: 'inline' })
}

describe('a process whose journal is replaced again and again until it is killed', () => {
  test('has lost nothing that it told of', async () => {
    await using at = await place()
    const child = startChild('writer.ts', at.directory, '0', '3', 'one')
    await child.line((line) => line.startsWith('one '))
    for (const kind of ['older', 'gone', 'older', 'gone', 'older'] as const) {
      const seen = child.lines.length
      if (kind === 'older') linkAside(at)
      else rmSync(at.path(journal), { force: true })
      // Up to six appends share one fence: after so many, at least one fence came behind the deed.
      await child.line((line) => line.startsWith('one '), seen + 14)
    }
    const told = Number(child.lines.at(-1)?.split(' ')[1])
    child.signal('SIGKILL')
    await child.ended
    const acknowledged = Math.max(told, ...child.lines.map((line) => Number(line.split(' ')[1])))
    const { state, events, writer } = await at.open().claim('one', { owner, expect: 'existing' })
    expect(fold(events, state as SessionState | null)?.seq).toBeGreaterThanOrEqual(acknowledged)
    expect((await linesOf(at.store, 'one')).length).toBeGreaterThanOrEqual(acknowledged)
    await writer.release()
    expect((await at.store.verify('one')).intact).toBe(true)
  })
})

/** A copy of the journal takes its place, as a program does that restores it. */
function linkAside(at: Place): void {
  const copy = at.path('restored')
  rmSync(copy, { force: true })
  copyFileSync(at.path(journal), copy)
  const name = at.path('name')
  rmSync(name, { force: true })
  linkSync(copy, name)
  renameSync(name, at.path(journal))
}
