import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSessionEvent, readSession, whyNotSaved } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { type Server, sharedServer, untilWaiting } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const command = 'touch began; until test -e go; do sleep 0.05; done; head -c 200000 /dev/urandom > made'

describe.runIf(fromCi)('a worker that is killed after its pack was stored, and before its result', () => {
  test('leaves a session without either, and a text that goes with the next claim', { timeout: 180_000 }, async () => {
    const schema = `cut_${randomUUID().replaceAll('-', '')}`
    await using fleet = await fleetStage(
      { address: server.address, schema },
      line('I make it.', call('bash', { command })),
      { ...line('I do not know what became of it.'), repeat: 'any' },
    )
    const flags = ['--permission-mode', 'danger-full-access']
    fleet.one.write('README', 'A project.\n')
    const queued = await fleet.one.run(['run', 'Run the command that makes the file.', '--detach'], {
      environment: fleet.environment,
    })
    const id = queued.stdout.trim()
    const first = fleet.worker(flags, 'machine-1')
    const folder = join(fleet.folderOn('machine-1'), '..', id)
    await expect.poll(() => existsSync(join(folder, 'began'))).toBe(true)

    const admin = new pg.Client({ connectionString: server.address })
    await admin.connect()
    try {
      // From here on texts are stored, and no event is.
      await admin.query('begin')
      await admin.query(`lock table ${schema}.event in exclusive mode`)
      const texts = async () => Number((await admin.query(`select count(*) from ${schema}.blob`)).rows[0]?.count)
      writeFileSync(join(folder, 'go'), '')
      await untilWaiting(server.address, `insert into "${schema}".event`)
      expect(await texts()).toBeGreaterThan(0)
      first.process.kill('SIGKILL')
      await first.ended
      // What it had sent goes with its connection, as when its machine ends.
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like $1`,
        [`%insert into "${schema}".event%`],
      )
      await admin.query('rollback')
    } finally {
      await admin.end()
    }
    const { state } = await readSession(fleet.store, id)
    expect(state.turn?.calls).toMatchObject([{ call: { name: 'bash' } }])
    expect(state.turn?.calls[0]?.outcome).toBeUndefined()
    expect(whyNotSaved(state)).toBeUndefined()
    const before = await fleet.store.verify(id)
    expect(before).toMatchObject({ intact: true, findings: [{ what: 'unnamed_blob', severity: 'note' }] })

    const next = fleet.worker(flags, 'machine-2')
    await expect.poll(async () => (await fleet.dispatch.fleet()).sessions).toEqual([])
    const { history } = await readSession(fleet.store, id)
    const outcomes = history.filter(isSessionEvent).filter((event) => event.type === 'tool.finished')
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unknown'])
    expect(await fleet.store.verify(id)).toMatchObject({ intact: true, findings: [] })
    expect(existsSync(join(fleet.folderOn('machine-2'), '..', id, 'made'))).toBe(false)
    next.process.kill('SIGTERM')
    expect((await next.ended).code).toBe(0)
  })
})
