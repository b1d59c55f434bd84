import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type EventInput,
  fold,
  isSessionEvent,
  LoaderError,
  MemoryStore,
  parseState,
  Session,
  type SessionState,
  type StoredEvent,
} from '../src/index.ts'
import { usesOf } from '../src/reduce/used.ts'
import { UsedIds } from '../src/used-ids.ts'
import { digestOf } from '../src/words/id-digests.ts'
import { FailingStore } from './failing-store.ts'
import { fixedEnvironment } from './fixed-environment.ts'
import { randomHistory, timeOf } from './random-history.ts'

const environment = fixedEnvironment()
const queued = (inputId: string): EventInput => ({ type: 'input.queued', inputId, text: 'Hello' })
const started = (turnId: string, inputId: string): EventInput => ({ type: 'turn.started', turnId, inputId })
const asked = (requestId: string): EventInput => ({ type: 'model.asked', requestId, purpose: 'answer', attempt: 1 })
const answered = (requestId: string, ...calls: readonly string[]): EventInput => ({
  type: 'model.answered',
  requestId,
  finishReason: 'stop',
  content: [
    { type: 'text', text: 'Well.' },
    ...calls.map((id) => ({ type: 'call' as const, call: { id, name: 'look', input: {} } })),
  ],
})
const finished = (callId: string): EventInput => ({ type: 'tool.finished', callId, outcome: 'failed', text: 'No.' })
const ended = (turnId: string): EventInput => ({ type: 'turn.finished', turnId, reason: 'turn_complete' })

/** Two turns, of which the first makes a call. */
async function twoTurns(store = new MemoryStore()): Promise<Session> {
  const session = await Session.open(store, { environment, id: 'one' })
  await session.append([queued('in-1'), started('turn-1', 'in-1'), asked('req-1'), answered('req-1', 'call-1')])
  await session.append([finished('call-1'), asked('req-2'), answered('req-2'), ended('turn-1')])
  await session.append([queued('in-2'), started('turn-2', 'in-2'), asked('req-3'), answered('req-3'), ended('turn-2')])
  return session
}

const began = [queued('in-3'), started('turn-3', 'in-3')]

describe('an id that was used', () => {
  test.for<readonly [string, readonly EventInput[], RegExp]>([
    [
      'of an input',
      [queued('in-1')],
      /there is input in-1 already; turn turn-1 was begun for it, and it ended: turn_complete/,
    ],
    ['of a turn', [queued('in-3'), started('turn-1', 'in-3')], /there is turn turn-1 already; it ended: turn_complete/],
    ['of a request', [...began, asked('req-1')], /there is request req-1 already; it was answered/],
    [
      'of a call',
      [...began, asked('req-4'), answered('req-4', 'call-1')],
      /there is call call-1 already; it ended: failed/,
    ],
    ['of an input of the same batch', [queued('in-3'), queued('in-3')], /input in-3 already; it is being stored/],
  ])('%s is refused, with what became of the first, and nothing is recorded', async ([, inputs, message]) => {
    const session = await twoTurns()
    const { seq } = session.state
    await expect(session.append(inputs)).rejects.toMatchObject({
      code: 'id_used',
      message: expect.stringMatching(message),
    })
    expect(session.state.seq).toBe(seq)
    await session.append(began)
    expect(session.state.turn?.id).toBe('turn-3')
  })

  test.for<readonly [string, EventInput, RegExp]>([
    ['of an input', queued('in-1'), /input in-1 already; it is in the conversation/],
    ['of the input of the last turn', queued('in-2'), /turn turn-2 was begun for it, and it ended: turn_complete/],
  ])('%s is refused by the next writer too', async ([, input, message]) => {
    const store = new MemoryStore()
    await (await twoTurns(store)).close()
    const session = await Session.load(store, 'one', { environment })
    await expect(session.append(input)).rejects.toThrow(message)
  })

  test('is free again when its event was refused by the store, or its input withdrawn', async () => {
    const store = new FailingStore()
    const session = await Session.open(store, { environment })
    store.failure = new LoaderError('storage_full', 'The disk is full.')
    await expect(session.append(queued('in-1'))).rejects.toMatchObject({ code: 'storage_full' })
    store.failure = undefined
    await session.append(queued('in-1'))
    await session.append({ type: 'input.withdrawn', inputId: 'in-1', by: 'user' })
    await session.append(queued('in-1'))
    expect(session.state.queue.map(({ inputId }) => inputId)).toEqual(['in-1'])
  })

  test('of a request that failed is that of its next attempt', async () => {
    const session = await twoTurns()
    const failed: EventInput = { type: 'model.failed', requestId: 'req-4', error: { kind: 'other', message: 'no' } }
    await session.append([...began, asked('req-4'), failed])
    await session.append({ type: 'model.asked', requestId: 'req-4', purpose: 'answer', attempt: 2 })
    expect(session.state.turn?.request).toMatchObject({ id: 'req-4', attempt: 2 })
  })
})

describe('after any history, of which only the state was saved', () => {
  const at = (input: EventInput) => ({ ...input, seq: 1, at: timeOf(1) }) as unknown as StoredEvent

  test('every id that it gave is refused, unless its input was withdrawn, and every other one is free', () => {
    const histories = fc.array(fc.nat(1000), { minLength: 20, maxLength: 240 }).map(randomHistory)
    fc.assert(
      fc.property(histories, fc.uuid(), (events, fresh) => {
        const state = parseState(JSON.parse(JSON.stringify(fold(events)))) as SessionState
        const used = new UsedIds(state)
        const given = new Set<string>()
        for (const event of events.filter(isSessionEvent)) {
          for (const use of usesOf(event)) given.add(JSON.stringify(use))
          if (event.type === 'input.withdrawn') given.delete(JSON.stringify(['input', event.inputId]))
        }
        const inventions = {
          input: (id: string) => queued(id),
          turn: (id: string) => started(id, 'in-0'),
          request: (id: string) => asked(id),
          call: (id: string) => answered('req-0', id),
        }
        for (const text of given) {
          const [kind, id] = JSON.parse(text) as [keyof typeof inventions, string]
          const event = at(inventions[kind](id))
          if (isSessionEvent(event)) expect(() => used.requireUnused(event, [])).toThrow(/already/)
        }
        for (const invent of Object.values(inventions)) {
          const event = at(invent(fresh))
          if (isSessionEvent(event)) used.requireUnused(event, [])
        }
      }),
      { numRuns: times({ quick: 50, ci: 200, long: 2000 }) },
    )
  })

  test('ids that count, and ids that differ in one character, have digests of their own', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `call_${index}`)
    const digests = ids.flatMap((id) => [digestOf('call', id), digestOf('input', id), digestOf('call', `${id}a`)])
    expect(new Set(digests).size).toBe(3 * ids.length)
    expect(digests.every((digest) => digest.length === 8)).toBe(true)
    // Stored states rest on it.
    expect(digestOf('input', 'in_1')).toBe('woi21oq6')
  })
})
