import type { SessionWriter } from '@loader/session-core'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'
import { type Server, sharedServer } from '@loader/test-postgres'
import { type Cut, unsteadyLine } from './unsteady-line.ts'

const owner = { type: 'Agent', path: 'public-agent' }

describe('a connection that is cut', () => {
  let server: Server
  beforeAll(async () => {
    server = await sharedServer()
  })

  /** A session that is written over a line, and the same sessions over a good one. */
  async function scene(
    work: (scene: Scene) => Promise<void>,
    { leaseMs, timeoutMs } = { leaseMs: 40_000, timeoutMs: 1_000 },
  ): Promise<void> {
    const line = await unsteadyLine(server.port)
    const tenant = randomUUID()
    const over = new PostgresSessionStore(server.address.replace(String(server.port), String(line.port)), {
      tenant,
      leaseMs,
      timeoutMs,
    })
    const direct = new PostgresSessionStore(server.address, { tenant })
    try {
      // How long the tables take to be made is not what is tried here.
      await direct.migrate()
      const { writer } = await over.claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      await work({ line, writer, direct })
      await writer.release()
    } finally {
      await over.close()
      await direct.close()
      await line.dispose()
    }
  }

  test(
    'at any byte of an append, in either direction, loses nothing and doubles nothing',
    { timeout: 600_000 },
    async () => {
      const cut = fc.record({
        direction: fc.constantFrom('out', 'back'),
        afterBytes: fc.integer({ min: 1, max: 600 }),
        how: fc.constantFrom('silence', 'reset'),
      })
      const rounds = fc.array(fc.record({ cut, batch: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(rounds, async (drawn) => {
          await scene(async ({ line, writer, direct }) => {
            let acknowledged = 1
            for (const { cut: next, batch } of drawn) {
              line.cut(next as Cut)
              const events = Array.from({ length: batch }, (_, index) => titled(acknowledged + 1 + index))
              await writer.append(events, 'flush')
              acknowledged += batch
              expect(await seqsOf(direct)).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1))
            }
          })
        }),
        { numRuns: times({ quick: 6, ci: 30, long: 600 }) },
      )
    },
  )

  test('for longer than the lease leaves it open what was stored, and says so', async () => {
    await scene(
      async ({ line, writer, direct }) => {
        await line.dispose()
        const refusal: unknown = await writer.append([titled(2)], 'flush').catch((error: unknown) => error)
        expect(refusal).toMatchObject({ code: 'storage_uncertain' })
        expect(await seqsOf(direct)).toEqual([1])
      },
      { leaseMs: 6_000, timeoutMs: 2_000 },
    )
  })
})

interface Scene {
  readonly line: Awaited<ReturnType<typeof unsteadyLine>>
  readonly writer: SessionWriter
  readonly direct: PostgresSessionStore
}

async function seqsOf(store: PostgresSessionStore): Promise<readonly number[]> {
  const seqs: number[] = []
  for await (const { seq } of store.read('one')) seqs.push(seq)
  return seqs
}
