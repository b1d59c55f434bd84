import { LoaderError } from '@loader/session-core'
import { fromCi, times } from '@loader/test-tier'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'
import { anyInstallation, Server } from '@loader/test-postgres'

const owner = { type: 'Agent', path: 'public-agent' }

test.runIf(fromCi)(
  'a server that is killed while sessions are written loses nothing that was acknowledged',
  { timeout: 600_000 },
  async () => {
    const server = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
    const store = new PostgresSessionStore(server.address, { tenant: randomUUID(), leaseMs: 60_000, timeoutMs: 2_000 })
    try {
      const writers = await Promise.all(
        ['one', 'two', 'three', 'four'].map(async (id) => {
          const { writer } = await store.claim(id, { owner, expect: 'new' })
          await writer.append([opened(id)], 'flush')
          return { id, writer, acknowledged: 1 }
        }),
      )
      let isOver = false
      const writing = writers.map(async (each) => {
        while (!isOver) {
          await each.writer.append([titled(each.acknowledged + 1)], 'flush')
          each.acknowledged += 1
        }
      })
      for (let kills = 0; kills < times({ quick: 1, ci: 3, long: 30 }); kills += 1) {
        const before = writers.map(({ acknowledged }) => acknowledged)
        await expect.poll(() => writers.every((each, index) => each.acknowledged > (before[index] ?? 0) + 5)).toBe(true)
        await server.end('SIGKILL')
        await server.run()
      }
      isOver = true
      await Promise.all(writing)
      for (const { id, acknowledged, writer } of writers) {
        const seqs: number[] = []
        for await (const { seq } of store.read(id)) seqs.push(seq)
        expect(seqs).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1))
        await writer.release()
      }
    } finally {
      await store.close()
      await server.dispose()
    }
  },
)

test.runIf(fromCi)(
  'a server that stands still for longer than the lease: its writer stops, and another one goes on',
  async () => {
    const server = await Server.start(anyInstallation())
    const tenant = randomUUID()
    const store = new PostgresSessionStore(server.address, { tenant, leaseMs: 12_000, timeoutMs: 3_000 })
    const other = new PostgresSessionStore(server.address, { tenant })
    try {
      const { writer } = await store.claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      server.pause()
      const late = writer.append([titled(2, 'Late')], 'flush').then(
        () => 'stored',
        (error: unknown) => (LoaderError.is(error) ? error.code : error),
      )
      expect(await late).toBe('storage_uncertain')
      expect(LoaderError.is(await writer.append([titled(2)], 'flush').catch((error: unknown) => error))).toBe(true)
      server.continue()
      // Whether the late one got in is open, and is read: what the next one writes comes behind it.
      const claimed = await expect
        .poll(() => other.claim('one', { owner, expect: 'existing' }).catch(() => undefined))
        .toBeDefined()
        .then(async () => (await other.holder('one'))?.path)
      expect(claimed).toBe(owner.path)
    } finally {
      server.continue()
      await store.close()
      await other.close()
      await server.dispose()
    }
  },
)
