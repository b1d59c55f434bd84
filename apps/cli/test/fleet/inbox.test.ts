import { randomUUID } from 'node:crypto'
import { isSessionEvent, readSession } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { call, line } from '@loader/test-harness'
import { anyInstallation, Server, sharedServer } from '@loader/test-postgres'
import { fromCi, tier } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { webOf } from '../e2e/stage/web-of.ts'
import { type FleetStage, fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const limit = { timeout: 30_000 }
/** An answer that stays in its middle. */
const half = { text: 'The first half. And', chunks: 'word', fault: { type: 'stall', after: 3 } } as const

async function historyOf({ store }: FleetStage, id: string) {
  return (await readSession(store, id)).history.filter(isSessionEvent)
}

/** Starts a run, and waits until the session has an event of this type. */
async function held(fleet: FleetStage, type: string, ...words: readonly string[]) {
  const running = fleet.one.start(['-p', 'Begin.', '--permission-mode', 'danger-full-access', ...words], {
    environment: fleet.environment,
  })
  await expect.poll(async () => (await fleet.store.list()).rows.length, limit).toBe(1)
  const [row] = (await fleet.store.list()).rows
  const id = row?.id ?? ''
  await expect.poll(async () => (await historyOf(fleet, id)).map((event) => event.type), limit).toContain(type)
  return { running, id }
}

/** Those that came through an inbox. */
async function brought(fleet: FleetStage, id: string) {
  return (await historyOf(fleet, id)).flatMap((event) =>
    'via' in event && event.via !== undefined ? [{ type: event.type, request: event.via.id }] : [],
  )
}

describe.runIf(fromCi)('a session of a database that another process has', { timeout: 180_000 }, () => {
  test('hears words and a stop of the page within its turn, each once, from two servers', async () => {
    await using fleet = await fleetStage(server, line('I wait.', call('bash', { command: 'sleep 60' })), {
      ...line('Done.'),
      repeat: 'any',
    })
    const { running, id } = await held(fleet, 'tool.started')
    const webs = [
      await webOf(fleet.one, ['--port', '0'], fleet.environment),
      await webOf(fleet.one, ['--port', '0'], fleet.environment),
    ] as const
    const standing = await webs[0].standing(id)
    expect(standing).toMatchObject({ phase: 'running', holder: { where: 'elsewhere', takes: true } })
    const request = randomUUID()
    const words = { request, session: id, text: 'And hurry.' }
    for (const told of await Promise.all(webs.map((web) => web.act('queue', words))))
      expect(told).toMatchObject({ status: 200, state: 'recorded' })
    const stop = { session: id, turnId: standing.turnId ?? '' }
    const stops = await Promise.all(webs.map((web) => web.act('stop', stop)))
    expect(stops.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect((await running.ended).code).not.toBe(0)
    expect((await brought(fleet, id)).map(({ type }) => type)).toEqual(['input.queued', 'stop.requested'])
    expect(await fleet.store.inbox(id).messages()).toEqual([])
  })

  test('that is killed before it takes a message: the server of the page carries it out, once', async () => {
    await using fleet = await fleetStage(server, half, { ...line('The whole answer.'), repeat: 'any' })
    const { running, id } = await held(fleet, 'answer.progressed')
    const web = await webOf(fleet.one, ['--port', '0'], fleet.environment)
    running.process.kill('SIGSTOP')
    const request = randomUUID()
    const words = { request, session: id, text: 'And hurry.' }
    const told = web.act('queue', words)
    await expect
      .poll(async () => (await fleet.store.inbox(id).messages()).map((message) => message.id), limit)
      .toEqual([request])
    running.process.kill('SIGKILL')
    await running.ended
    expect(await told).toMatchObject({ session: id, state: expect.stringMatching(/recorded|delivered/) })
    await expect.poll(async () => (await web.standing(id)).phase, limit).toBe('resting')
    expect(await web.act('queue', words)).toMatchObject({ status: 200, repeated: true })
    expect(await brought(fleet, id)).toEqual([{ type: 'input.queued', request }])
    const { state } = await readSession(fleet.store, id)
    expect(JSON.stringify(state.messages.toArray()).match(/And hurry\./g)).toHaveLength(1)
    expect(await fleet.store.inbox(id).messages()).toEqual([])
  })

  test.runIf(tier === 'long')(
    'and left messages that it has in the log: they are none for whoever goes on',
    async () => {
      await using fleet = await fleetStage(server, half, { ...line('The whole answer.'), repeat: 'any' })
      const { running, id } = await held(fleet, 'answer.progressed')
      const message: InboxMessage = { id: randomUUID(), from: 'browser', kind: 'words', text: 'And hurry.' }
      await fleet.store.inbox(id).put(message)
      await expect.poll(() => brought(fleet, id), limit).toHaveLength(1)
      running.process.kill('SIGKILL')
      await running.ended
      await fleet.store.inbox(id).put(message)
      const web = await webOf(fleet.one, ['--port', '0'], fleet.environment)
      expect(await web.standing(id)).toMatchObject({ phase: 'cut_off', holder: null, undelivered: [] })
      expect(await web.act('continue', { session: id })).toMatchObject({ status: 200 })
      await expect.poll(async () => (await web.standing(id)).phase, limit).toBe('resting')
      expect(await brought(fleet, id)).toEqual([{ type: 'input.queued', request: message.id }])
      await expect.poll(() => fleet.store.inbox(id).messages(), limit).toEqual([])
    },
  )

  test('and that is a worker: nothing is put where nobody looks', async () => {
    await using fleet = await fleetStage(server, line('I wait.', call('bash', { command: 'sleep 60' })), {
      ...line('Done.'),
      repeat: 'any',
    })
    const web = await webOf(fleet.one, ['--port', '0'], fleet.environment)
    const body = { project: fleet.one.project, text: 'Wait.', mode: 'execute', to: 'fleet' } as const
    const { session: id } = await web.act('send', body)
    fleet.worker(['--permission-mode', 'danger-full-access'])
    await expect.poll(async () => (await historyOf(fleet, id)).map(({ type }) => type), limit).toContain('tool.started')
    const { holder, turnId } = await web.standing(id)
    expect(holder).toMatchObject({ where: 'elsewhere', takes: false })
    const refused = [
      await web.act('queue', { session: id, text: 'And hurry.' }),
      await web.act('stop', { session: id, turnId: turnId ?? '' }),
    ]
    for (const told of refused) expect(told).toMatchObject({ status: 409, error: { code: 'busy' } })
    expect(await fleet.store.inbox(id).messages()).toEqual([])
  })

  test.runIf(tier === 'long')('hears what was put when the database was killed and came back', async () => {
    const own = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
    try {
      await using fleet = await fleetStage(own, half, { ...line('The whole answer.'), repeat: 'any' })
      const { running, id } = await held(fleet, 'answer.progressed')
      const web = await webOf(fleet.one, ['--port', '0'], fleet.environment)
      const requests: string[] = []
      for (let kills = 0; kills < 5; kills += 1) {
        const request = randomUUID()
        requests.push(request)
        const words = { request, session: id, text: `Words ${kills}.` }
        running.process.kill('SIGSTOP')
        const told = web.act('queue', words)
        await expect
          .poll(async () => (await fleet.store.inbox(id).messages()).map((message) => message.id), limit)
          .toEqual([request])
        await own.end('SIGKILL')
        const refused = await web.act('queue', { ...words, request: randomUUID() })
        expect(refused.status).toBeGreaterThanOrEqual(500)
        await own.run()
        running.process.kill('SIGCONT')
        expect(await told).toMatchObject({ session: id })
        await expect.poll(() => brought(fleet, id), limit).toHaveLength(kills + 1)
        expect(await web.act('queue', words)).toMatchObject({ status: 200, repeated: true })
      }
      expect((await brought(fleet, id)).map(({ request }) => request)).toEqual(requests)
      expect(await web.standing(id)).toMatchObject({ phase: 'running', trouble: null })
      running.process.kill('SIGSTOP')
      const told = web.act('queue', { session: id, text: 'Too late.' })
      await expect.poll(async () => (await fleet.store.inbox(id).messages()).length, limit).toBe(1)
      running.process.kill('SIGKILL')
      await running.ended
      await expect
        .poll(
          () =>
            fleet.store.delete(id).then(
              () => true,
              () => false,
            ),
          limit,
        )
        .toBe(true)
      expect([200, 202, 404]).toContain((await told).status)
      expect((await fleet.store.list()).rows).toEqual([])
    } finally {
      await own.dispose()
    }
  })
})
