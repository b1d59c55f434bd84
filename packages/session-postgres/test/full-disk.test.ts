import { LoaderError } from '@loader/session-core'
import { anyInstallation, Server } from '@loader/test-postgres'
import { fromCi, needing, sample } from '@loader/test-tier'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened } from './events.ts'

const owner = { type: 'Agent', path: 'public-agent' }
const megabyte = 1024 * 1024

/** Why there is no small disk to fill; undefined when there is one. */
const withoutDisk = ((): string | undefined => {
  const directory = mkdtempSync(join(tmpdir(), 'loader-mount-'))
  try {
    mount(directory)
    execFileSync('umount', ['-l', directory], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `a small file system cannot be mounted here, only root may (${String(error).split('\n')[0]})`
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})()

function mount(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${160 * megabyte},mode=755`, 'tmpfs', directory], { stdio: 'pipe' })
}

/** How much is free when the session begins: then the tables fill the disk, or the log of the server does. */
const free = sample([1, 2, 5, 12, 20], { quick: 1, ci: 3 })

describe.runIf(fromCi && withoutDisk === undefined)(needing(withoutDisk, 'a server whose disk is full'), () => {
  for (const size of free) {
    test(`with ${size} MB left loses nothing that was acknowledged, and goes on after room is made`, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'loader-small-'))
      mount(directory)
      try {
        await expect(fill(directory, size)).resolves.toBeUndefined()
      } finally {
        execFileSync('umount', ['-l', directory], { stdio: 'pipe' })
        rmSync(directory, { recursive: true, force: true })
      }
    })
  }
})

async function fill(directory: string, size: number): Promise<void> {
  const place = join(directory, 'server')
  mkdirSync(place)
  const server = await Server.start(anyInstallation(), {
    directory: place,
    settings: ['fsync=off', 'max_wal_size=32MB'],
  })
  const store = new PostgresSessionStore(server.address, { tenant: randomUUID(), leaseMs: 6_000, timeoutMs: 1_000 })
  try {
    const first = await store.claim('one', { owner, expect: 'new' })
    await first.writer.append([opened('one')], 'flush')
    const { bavail, bsize } = statfsSync(directory)
    const ballast = join(directory, 'ballast')
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - size * megabyte))
    let acknowledged = 1
    let refusal: unknown
    while (refusal === undefined) {
      refusal = await first.writer.append([long(acknowledged + 1)], 'flush').catch((error: unknown) => error)
      if (refusal === undefined) acknowledged += 1
    }
    if (!LoaderError.is(refusal)) throw refusal
    const { code } = refusal
    expect(code).toMatch(/^storage_(full|uncertain|refused)$/)
    const text = Array.from({ length: 30_000 }, () => randomUUID()).join('')
    const put = await store
      .inbox('one')
      .put({ id: 'a', from: 'browser', kind: 'words', text })
      .then(
        () => 'stored',
        (error: unknown) => (LoaderError.is(error) ? error.code : error),
      )
    expect(put).toMatch(/^(stored|storage_(full|uncertain|refused))$/)
    rmSync(ballast)
    const stored = await expect
      .poll(async () => {
        // Where its log found no room, the server ends, now or in a moment.
        if (!server.isRunning) await server.run()
        return lastOf(store).catch(() => undefined)
      })
      .toBeDefined()
      .then(() => lastOf(store))
    if (code === 'storage_uncertain') expect([acknowledged, acknowledged + 1]).toContain(stored)
    else expect(stored).toBe(acknowledged)
    await first.writer.append([long(stored + 1)], 'flush').catch(async (error: unknown) => {
      if (!LoaderError.is(error)) throw error
      await first.writer.release()
      const claim = () => store.claim('one', { owner, expect: 'existing', takeover: true }).catch(() => undefined)
      const next = await claim()
      await next?.writer.append([long(stored + 1)], 'flush')
      await next?.writer.release()
    })
    expect(await lastOf(store)).toBe(stored + 1)
    const { length } = await store.inbox('one').messages()
    if (put === 'storage_uncertain') expect(length).toBeLessThan(2)
    else expect(length).toBe(put === 'stored' ? 1 : 0)
    await store.inbox('one').remove('a')
    expect((await store.verify('one')).findings).toEqual([])
    await first.writer.release()
  } finally {
    await store.close()
    await server.dispose()
  }
}

/** Letters that do not become fewer when the server packs them. */
function long(seq: number): ReturnType<typeof opened> {
  const data = { text: Array.from({ length: 600 }, () => randomUUID()).join('') }
  return { type: 'custom.recorded', seq, at: opened('one').at, name: 'sample', data }
}

async function lastOf(store: PostgresSessionStore): Promise<number> {
  let last = 0
  for await (const { seq } of store.read('one')) expect(seq).toBe((last += 1))
  return last
}
