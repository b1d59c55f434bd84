import { LoaderError } from '@loader/session-core'
import { installations, Server } from '@loader/test-postgres'
import { fromCi, needing } from '@loader/test-tier'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'

const owner = { type: 'Agent', path: 'public-agent' }
const installation = installations().find(({ bin }) => existsSync(join(bin, 'pg_dump')))
const withoutDump = installation === undefined && 'there is no pg_dump'

test.runIf(fromCi && installation)(
  needing(withoutDump, 'a dump that is taken while sessions are written gives whole sessions, which go on'),
  { timeout: 120_000 },
  async () => {
    if (installation === undefined) return
    const server = await Server.start(installation)
    try {
      const source = await server.database()
      await using store = new PostgresSessionStore(source, { leaseMs: 1_500 })
      const writers = await Promise.all(
        ['one', 'two', 'three'].map(async (id) => {
          const { writer } = await store.claim(id, { owner, expect: 'new' })
          await writer.append([opened(id)], 'flush')
          return { id, writer, last: 1, blobs: new Map<string, string>() }
        }),
      )
      const words = (id: string) => ({ id, from: 'browser', kind: 'words', text: 'Words.' }) as const
      for (const message of ['b', 'a'].map(words)) await store.inbox('one').put(message)
      let isOver = false
      const writing = writers.map(async (each) => {
        while (!isOver) {
          const text = `${each.id} ${each.last}`
          each.blobs.set((await each.writer.blobs.put(text)).blob, text)
          await each.writer.append([titled(each.last + 1), titled(each.last + 2)], 'flush')
          each.last += 2
        }
      })
      await expect.poll(() => writers.every(({ last }) => last > 20)).toBe(true)
      const acknowledged = writers.map(({ last }) => last)
      const known = writers.map(({ blobs }) => new Map(blobs))
      const dump = await dumpOf(installation.bin, source)
      isOver = true
      await Promise.all(writing)

      const target = await server.database()
      const restored = spawnSync(join(installation.bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', target], {
        input: dump,
        encoding: 'utf8',
      })
      expect({ status: restored.status, stderr: restored.stderr }).toEqual({ status: 0, stderr: '' })
      await using copy = new PostgresSessionStore(target)
      expect((await copy.list()).rows.map(({ id }) => id).toSorted()).toEqual(['one', 'three', 'two'])
      await copy.inbox('one').put(words('c'))
      expect(await copy.inbox('one').messages()).toEqual(['b', 'a', 'c'].map(words))
      for (const [index, { id }] of writers.entries()) {
        const { intact, events } = await copy.verify(id)
        expect(intact).toBe(true)
        expect(events.last).toBeGreaterThanOrEqual(acknowledged[index] ?? 0)
        expect(events.last % 2).toBe(1)
        for (const [blob, text] of known[index] ?? []) expect(await copy.readBlob(id, blob)).toBe(text)
        // The lease that was dumped with it ends by the clock of the database, as any other.
        const claimed = async () => copy.claim(id, { owner, expect: 'existing' }).catch(codeOf)
        let claim = await claimed()
        while (claim === 'session_busy') claim = await claimed()
        if (typeof claim === 'string') throw new Error(claim)
        await claim.writer.append([titled(events.last + 1)], 'flush')
        await claim.writer.release()
      }

      // A backup that takes the place of the database under a writer: the writer notices, and nothing is written over.
      const { rows } = await asked(source, `update loader.session set head_seq = 3 where key = 'one' returning id`)
      expect(rows).toEqual([{ id: 'one' }])
      await asked(source, `delete from loader.event where key = 'one' and seq > 3`)
      const [first] = writers
      const late = await first?.writer.append([titled((first?.last ?? 0) + 1)], 'flush').catch(codeOf)
      expect(late).toMatch(/^(storage_uncertain|writer_fenced)$/)
      expect((await store.verify('one')).events).toMatchObject({ first: 1, last: 3 })

      // Whoever follows it hears that as well, also where it has grown further than before, and gets no mix of both.
      const followed = store.watch('two', 1)
      const { last = 0 } = writers[1] ?? {}
      for (let seen = 0; seen < last;) {
        const { value } = await followed.next()
        if (value?.kind === 'event') seen = value.event.seq
      }
      await asked(source, `update loader.session set head_seq = 3 where key = 'two'`)
      await asked(source, `delete from loader.event where key = 'two' and seq > 3`)
      const { writer } = await store.claim('two', { owner, expect: 'existing', takeover: true })
      const others = Array.from({ length: last }, (_unused, index) => ({ ...titled(index + 4), title: 'Another.' }))
      await writer.append(others, 'flush')
      await expect(followed.next()).rejects.toMatchObject({ code: 'session_not_found' })
    } finally {
      await server.dispose()
    }
  },
)

function codeOf(error: unknown): string {
  if (LoaderError.is(error)) return error.code
  throw error
}

async function dumpOf(bin: string, address: string): Promise<string> {
  const child = spawn(join(bin, 'pg_dump'), [address], { stdio: ['ignore', 'pipe', 'inherit'] })
  let dump = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (dump += text))
  expect(await once(child, 'close')).toEqual([0, null])
  return dump
}

async function asked(address: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const result = await client.query(statement)
  await client.end()
  return result
}
