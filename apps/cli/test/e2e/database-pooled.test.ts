import { randomUUID } from 'node:crypto'
import { readSession } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line } from '@loader/test-harness'
import { anyInstallation, hasPooler, Server, startPooler } from '@loader/test-postgres'
import { fromCi, needing } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stage } from './stage/stage.ts'

describe.runIf(hasPooler && fromCi)(
  needing(!hasPooler && 'there is no pgbouncer', 'the command over a database behind PgBouncer in transaction mode'),
  () => {
    let server: Server
    let pooler: Awaited<ReturnType<typeof startPooler>>
    beforeAll(async () => {
      server = await Server.start(anyInstallation())
      pooler = await startPooler(server.port)
    })
    afterAll(async () => {
      await pooler.dispose()
      await server.dispose()
    })

    test('runs a task, is killed in a call, goes on with -c, and shows all of it', { timeout: 120_000 }, async () => {
      await using one = await stage(
        line('I begin.', call('bash', { command: 'echo begun > begun; sleep 600' })),
        line('I look at what there is.', call('read', { path: 'begun' })),
        { ...line('Here it is.'), repeat: 'any' },
      )
      const tenant = randomUUID()
      await using store = new PostgresSessionStore(server.address, { tenant })
      const environment = { LOADER_STORE: `${pooler.address}?tenant=${tenant}` }
      const full = ['--permission-mode', 'danger-full-access']
      const running = one.start(['-p', 'Begin.', ...full], { environment })
      await one.untilThere('begun')
      running.process.kill('SIGKILL')
      expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
      const [row] = (await store.list()).rows
      const id = row?.id ?? ''
      const acknowledged = JSON.stringify((await readSession(store, id)).history)

      // This machine knows that the process which held it is dead, so the end of its lease is not waited for.
      const again = await one.runBuilt(['-p', 'Go on.', '-c', ...full], { environment })
      // What the call did is not known, which the end of the turn rests on.
      expect(again).toMatchObject({ code: 3, stdout: expect.stringContaining('Here it is.') })
      const { history, state } = await readSession(store, id)
      expect(JSON.stringify(history).startsWith(acknowledged.slice(0, -1))).toBe(true)
      expect(
        history.flatMap((event) => (event.type === 'session.claimed' && 'epoch' in event ? [event.epoch] : [])),
      ).toEqual([1, 2])
      expect(JSON.stringify(state.messages)).toContain('"outcome":"unknown"')

      const run = (...words: readonly string[]) => one.runBuilt(words, { environment })
      expect((await run('sessions')).stdout).toContain(id)
      const shown = await run('show', id, '--full')
      expect(shown).toMatchObject({ code: 0, stderr: '' })
      for (const text of ['Begin.', 'Go on.', 'I look at what there is.', 'Here it is.'])
        expect(shown.stdout).toContain(text)
      expect(await run('verify', id)).toMatchObject({ code: 0 })
      expect((await run('sessions', 'copy', id, '--from', environment.LOADER_STORE)).stdout).toContain('1 session')
      expect(JSON.stringify((await readSession(one.store, id)).history)).toBe(JSON.stringify(history))
    })
  },
)
