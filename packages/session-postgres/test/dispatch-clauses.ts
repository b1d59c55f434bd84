import assert from 'node:assert/strict'
import type { SessionWriter } from '@loader/session-core'
import { Dispatch } from '../src/dispatch/index.ts'
import type { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'
import type { LeaseScene } from './lease-clauses.ts'

const owner = { type: 'Agent', path: 'worker' }

/** A session with one event, held. */
async function begun(store: PostgresSessionStore, id: string): Promise<SessionWriter> {
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  await writer.append([opened(id)], 'flush')
  return writer
}

/** A session in line, with something to do. */
async function queued(store: PostgresSessionStore, id: string): Promise<void> {
  const writer = await begun(store, id)
  assert.equal(await new Dispatch(store).offer(id, writer.epoch), true)
  await writer.append([titled(2)], 'flush')
  await writer.release()
}

async function held(store: PostgresSessionStore, id: string): Promise<SessionWriter> {
  return (await store.claim(id, { owner, expect: 'existing' })).writer
}

async function takenBy(dispatch: Dispatch, worker: string): Promise<string | undefined> {
  return (await dispatch.take(worker))?.id
}

/** Workers that are killed with the session in hand, and the ends of their leases. */
async function killed(scene: LeaseScene, dispatch: Dispatch, id: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const worker = `killed-${count}`
    assert.equal(await takenBy(dispatch, worker), id)
    const writer = await held(scene.store(), id)
    assert.equal(await dispatch.begin(worker, id, writer.epoch), true)
    await scene.endLease(id)
  }
}

/** What the line promises in which sessions wait for workers. Each rejects when the promise is broken. */
export const dispatchClauses: Readonly<Record<string, (scene: LeaseScene) => Promise<void>>> = {
  'a session is given to one worker at a time, and to nobody while it is held': async ({ store }) => {
    const one = store()
    await queued(one, 'one')
    const dispatches = Array.from({ length: 6 }, () => new Dispatch(store()))
    const taken = await Promise.all(dispatches.map((dispatch, index) => takenBy(dispatch, `worker-${index}`)))
    assert.deepEqual(
      taken.filter((id) => id !== undefined),
      ['one'],
    )
    const winner = taken.indexOf('one')
    const writer = await held(one, 'one')
    await new Dispatch(one).begin(`worker-${winner}`, 'one', writer.epoch)
    assert.equal(await takenBy(new Dispatch(store()), 'late'), undefined)
  },

  'a worker that takes long to begin keeps what it was given, and one that is gone does not': async ({ store }) => {
    const one = store()
    await queued(one, 'one')
    const dispatch = new Dispatch(one, { takeMs: 1_000 })
    assert.equal(await takenBy(dispatch, 'slow'), 'one')
    for (let kept = 0; kept < 3; kept += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      assert.equal(await dispatch.keep('slow', 'one'), true)
      assert.equal(await dispatch.keep('other', 'one'), false)
      assert.equal(await takenBy(dispatch, 'other'), undefined)
    }
    let next: string | undefined
    while (next === undefined) next = await takenBy(dispatch, 'other')
    assert.equal(await dispatch.keep('slow', 'one'), false)
  },

  'a session whose worker is gone is given to the next one when its lease is over': async (scene) => {
    const store = scene.store()
    const dispatch = new Dispatch(store)
    await queued(store, 'one')
    await killed(scene, dispatch, 'one', 1)
    assert.equal(await takenBy(dispatch, 'next'), 'one')
  },

  'a session that has killed three workers in a row is parked, and taken again when somebody says so': async (
    scene,
  ) => {
    const store = scene.store()
    const dispatch = new Dispatch(store)
    await queued(store, 'one')
    await killed(scene, dispatch, 'one', 3)
    assert.equal(await takenBy(dispatch, 'fourth'), undefined)
    const [parked, ...others] = await dispatch.park()
    assert.equal(parked?.id, 'one')
    assert.match(parked.reason, /^3 workers in a row/)
    assert.deepEqual(others, [])
    assert.deepEqual(await dispatch.park(), [])
    assert.equal(await takenBy(dispatch, 'fourth'), undefined)
    assert.equal((await dispatch.fleet()).sessions[0]?.standing, 'parked')
    assert.equal(await dispatch.unpark('one'), true)
    assert.equal(await dispatch.unpark('one'), false)
    assert.equal(await takenBy(dispatch, 'fourth'), 'one')
  },

  'a worker that gives a session back in order, or leaves it, was not killed by it': async (scene) => {
    const store = scene.store()
    const dispatch = new Dispatch(store)
    await queued(store, 'one')
    await killed(scene, dispatch, 'one', 2)
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    await dispatch.leave('worker', 'one', 'no folder')
    assert.equal((await dispatch.fleet()).sessions[0]?.kills, 2)
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    const writer = await held(store, 'one')
    await dispatch.begin('worker', 'one', writer.epoch)
    assert.equal(await dispatch.settle('one', writer.epoch, { kind: 'open', last: true }), true)
    await writer.release()
    await killed(scene, dispatch, 'one', 2)
    assert.deepEqual(await dispatch.park(), [])
  },

  'failures of workers count as kills, with their reason': async ({ store }) => {
    const one = store()
    const dispatch = new Dispatch(one)
    await queued(one, 'one')
    for (let count = 0; count < 3; count += 1) {
      assert.equal(await takenBy(dispatch, 'worker'), 'one')
      const writer = await held(one, 'one')
      await dispatch.begin('worker', 'one', writer.epoch)
      await dispatch.settle('one', writer.epoch, { kind: 'failed', reason: 'it broke' })
      await writer.release()
    }
    assert.match((await dispatch.park())[0]?.reason ?? '', /it broke/)
  },

  'a session that waits for an answer is taken when it has one, whoever stored it': async ({ store }) => {
    const one = store()
    const dispatch = new Dispatch(one)
    await queued(one, 'one')
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    const writer = await held(one, 'one')
    await dispatch.begin('worker', 'one', writer.epoch)
    await dispatch.settle('one', writer.epoch, { kind: 'waiting', reason: 'may it?' })
    await writer.release()
    assert.equal(await takenBy(dispatch, 'worker'), undefined)
    assert.equal((await dispatch.fleet()).sessions[0]?.standing, 'waiting')
    const answering = await held(store(), 'one')
    await answering.append([titled(3)], 'flush')
    assert.equal(await takenBy(dispatch, 'worker'), undefined)
    await answering.release()
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
  },

  'a worker that was displaced takes no session out of the line': async (scene) => {
    const store = scene.store()
    const dispatch = new Dispatch(store)
    await queued(store, 'one')
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    const displaced = await held(store, 'one')
    await dispatch.begin('worker', 'one', displaced.epoch)
    await scene.endLease('one')
    const other = await held(scene.store(), 'one')
    await dispatch.offer('one', other.epoch)
    await other.append([titled(3)], 'flush')
    for (const how of [{ kind: 'done' }, { kind: 'waiting', reason: 'x' }, { kind: 'open', last: false }] as const) {
      assert.equal(await dispatch.settle('one', displaced.epoch, how), false)
    }
    assert.equal(await dispatch.offer('one', displaced.epoch), false)
    await other.release()
    // What the displaced worker was given holds for a while longer.
    await dispatch.leave('worker', 'one')
    assert.equal(await takenBy(dispatch, 'next'), 'one')
  },

  'a session with nothing open is in no line, and in it again when it is offered': async ({ store }) => {
    const one = store()
    const dispatch = new Dispatch(one)
    await queued(one, 'one')
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    const writer = await held(one, 'one')
    await dispatch.begin('worker', 'one', writer.epoch)
    assert.equal(await dispatch.settle('one', writer.epoch, { kind: 'done' }), true)
    await writer.release()
    assert.deepEqual((await dispatch.fleet()).sessions, [])
    const again = await held(one, 'one')
    await dispatch.offer('one', again.epoch)
    await again.append([titled(3)], 'flush')
    await again.release()
    assert.equal(await takenBy(dispatch, 'worker'), 'one')
    await dispatch.leave('worker', 'one')
    await one.delete('one')
    assert.deepEqual((await dispatch.fleet()).sessions, [])
  },
}
