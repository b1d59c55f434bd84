import assert from 'node:assert/strict'
import {
  type ErrorCode,
  fold,
  LoaderError,
  type Owner,
  type SessionState,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'
import { opened } from './sample-events.ts'

export const owner: Owner = { type: 'StoreContract', path: 'store-contract' }
export const rival: Owner = { type: 'Rival', path: 'rival-of-the-contract' }

/** Begins a session and keeps its claim. */
export async function begin(
  store: SessionStore,
  id = 'one',
  changes: Parameters<typeof opened>[1] = {},
): Promise<SessionWriter> {
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  await writer.append([opened(id, changes)], 'flush')
  return writer
}

/** Leaves an unclaimed session behind, with these events after the first, saved. */
export async function leave(
  store: SessionStore,
  id = 'one',
  events: readonly StoredEvent[] = [],
  changes: Parameters<typeof opened>[1] = {},
): Promise<void> {
  const writer = await begin(store, id, changes)
  if (events.length > 0) await writer.append(events, 'flush')
  await writer.save(stateOf([opened(id, changes), ...events]))
  await writer.release()
}

/** Continues an unclaimed session. */
export async function resume(store: SessionStore, id = 'one'): Promise<SessionWriter> {
  const { writer } = await store.claim(id, { owner, expect: 'existing' })
  return writer
}

export async function readAll(store: SessionStore, id = 'one', fromSeq?: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id, fromSeq === undefined ? {} : { fromSeq })) events.push(event)
  return events
}

/** The events as they are written, for comparing every byte. */
export async function linesOf(store: SessionStore, id = 'one', fromSeq?: number): Promise<string[]> {
  return (await readAll(store, id, fromSeq)).map((event) => JSON.stringify(event))
}

export async function assertHolds(store: SessionStore, id: string, events: readonly StoredEvent[]): Promise<void> {
  assert.deepEqual(
    await linesOf(store, id),
    events.map((event) => JSON.stringify(event)),
  )
}

export async function listedIds(store: SessionStore): Promise<string[]> {
  const { rows } = await store.list()
  return rows.map(({ id }) => id)
}

/** Fails unless there is no such session. */
export async function assertGone(store: SessionStore, id = 'one'): Promise<void> {
  assert.ok(!(await listedIds(store)).includes(id), `${id} is still listed`)
  await assertRefused('session_not_found', store.claim(id, { owner, expect: 'existing' }))
}

export function stateOf(events: readonly StoredEvent[]): SessionState {
  const state = fold(events)
  assert.ok(state, 'a sample history folds to a state')
  return state
}

/** Fails unless the next claim gives the state of these events. The session must be unclaimed. */
export async function assertClaimFolds(
  store: SessionStore,
  id: string,
  expected: readonly StoredEvent[],
): Promise<void> {
  const { writer, state, events } = await store.claim(id, { owner, expect: 'existing' })
  assert.deepEqual(plain(fold(events, state)), plain(stateOf(expected)))
  await writer.release()
}

/** The value after a JSON round trip: plain arrays, no undefined fields. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Fails unless the work is refused with this code. */
export async function assertRefused(code: ErrorCode, work: Promise<unknown>): Promise<LoaderError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  assert.ok(outcome, `this is refused with ${code}, but it was done`)
  const { error } = outcome
  if (!LoaderError.is(error)) throw error
  assert.equal(error.code, code, `${error.code} instead of ${code}: ${error.message}`)
  return error
}
