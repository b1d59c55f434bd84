import { describe, expect, test } from 'vitest'
import {
  BackendError,
  type EventInput,
  MemoryStore,
  readSession,
  Session,
  type SessionState,
  textOf,
} from '@loader/session-core'
import { call, eventLines, fixedEnvironment, line, ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import {
  compactFromModel,
  compactLocally,
  type CompactionPlan,
  planCompaction,
  readSummary,
  shouldCompact,
  summaryRequest,
} from '../src/index.ts'
import { compactionMarker } from '../src/summary-message.ts'
import { policyWith } from './policy.ts'

const long = 'Something was found here, and it is worth a word or two. '.repeat(60)
const failing: readonly (readonly [string, ScriptLine, RegExp])[] = [
  [
    'throws',
    { text: 'Sum', fault: { type: 'throw', kind: 'rate_limited', after: 0 } },
    /the model failed \(rate_limited\)/,
  ],
  [
    'throws half way',
    { text: 'Half', fault: { type: 'throw', kind: 'connection' } },
    /the model failed \(connection\)/,
  ],
  ['is empty', line(''), /the answer is empty/],
  ['is blank', line(' \n '), /the answer is empty/],
  ['is only the marker', line(compactionMarker), /the answer is empty/],
  ['has nothing in it', { fault: { type: 'empty_answer' } }, /the answer is empty/],
  ['is cut off', { text: 'The user wants', fault: { type: 'cut' } }, /the request was cut off/],
  ['is cut at its length', { text: 'The user wants', finishReason: 'length' }, /not whole \(length\)/],
  ['is filtered', { text: 'The user', finishReason: 'content-filter' }, /not whole \(content-filter\)/],
  ['times out', { text: 'The user', fault: { type: 'stall' } }, /the request was cut off/],
  ['calls a tool', line('Let me look.', call('read', { path: 'a' })), /the model called a tool/],
  ['is longer than what it replaces', line(`${long} And so on. `.repeat(20)), /gains too little: the window would go/],
]

describe('a summary that', () => {
  test.each(failing)('%s changes nothing but to say so', async (_name, script, reason) => {
    const { store, session } = await workday()
    const plan = planned(session.state)
    await ask(session, plan, new ScriptedBackend(script))
    const before = session.state
    const stored = (await readSession(store, session.id)).history
    const event = await finish(session, plan)

    expect(event).toMatchObject({ type: 'context.compaction_failed', method: 'model' })
    expect(event.type === 'context.compaction_failed' && event.reason).toMatch(reason)
    expect(session.state.messages).toBe(before.messages)
    expect(session.state).toEqual(withAttempt(before, session.state))
    const after = await readSession(store, session.id)
    expect(after.history.slice(0, -1)).toEqual(stored)
    expect(eventLines(after.history.slice(stored.length))).toHaveLength(1)
    expect(JSON.stringify(after.state)).toBe(JSON.stringify(session.state))
  })

  test.each(failing)('%s is followed by a local one, and that is all for the turn', async (_name, script) => {
    const { session } = await workday()
    expect(shouldCompact(session.state)).toMatchObject({ need: 'compact' })
    const plan = planned(session.state)
    await ask(session, plan, new ScriptedBackend(script))
    await finish(session, plan)
    expect(shouldCompact(session.state)).toMatchObject({ need: 'compact' })
    await session.append(compactLocally(session.state, plan, { messageId: session.environment.newId('sum') }))
    expect(session.state.compaction).toMatchObject({ method: 'local' })
    expect(shouldCompact(session.state)).toMatchObject({ need: 'stuck', over: 'threshold' })
  })
})

test('a sound summary replaces the messages in one event', async () => {
  const { session } = await workday()
  const plan = planned(session.state)
  const backend = new ScriptedBackend(
    line(`${compactionMarker}\nThe user wants the audit finished. Two files are left.`),
  )
  await ask(session, plan, backend, 'Dwell on the audit.')
  const event = await finish(session, plan)
  expect(event).toMatchObject({ type: 'context.compacted', method: 'model', removed: plan.folded.length })
  const text = textOf(session.state.messages.at(0)?.content ?? [])
  expect(text).toMatch(/^\[COMPACTED CONTEXT\]\nThe user wants the audit finished\. Two files are left\.\n/)
  expect(text.split(compactionMarker)).toHaveLength(2)
  const [asked] = backend.requests
  expect(asked).toMatchObject({ purpose: 'summary', tools: [] })
  expect(textOf(asked?.messages[0]?.content ?? [])).toContain('Dwell on the audit.')
})

test('a summary that is still being written is refused', () => {
  const request = {
    id: 'r',
    purpose: 'summary',
    attempt: 1,
    epoch: 1,
    at: '',
    seq: 1,
    partial: 'Th',
    partialReasoning: '',
  } as const
  expect(readSummary({ ...request, status: 'asked' })).toMatchObject({ outcome: 'refused' })
})

/** A session in the middle of a long turn. */
async function workday(): Promise<{ store: MemoryStore; session: Session }> {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment: fixedEnvironment() })
  await session.append(policyWith({ limits: { compactAtTokens: 500 } }))
  const turnId = session.environment.newId('turn')
  await session.append([
    { type: 'input.queued', inputId: 'in', text: 'Finish the audit.' },
    { type: 'turn.started', turnId, inputId: 'in' },
  ])
  for (const text of [long, long, 'Three.', 'Four.', 'Five.', 'Six.']) {
    const requestId = session.environment.newId('req')
    await session.append({ type: 'model.asked', requestId, purpose: 'answer', attempt: 1 })
    const content = [{ type: 'text' as const, text }]
    await session.append({ type: 'model.answered', requestId, content, finishReason: 'stop' })
  }
  return { store, session }
}

function planned(state: SessionState): CompactionPlan {
  const plan = planCompaction(state)
  if (plan === null) throw new Error('there is something to fold')
  return plan
}

/** What a loop does to have a summary written, with its patience at an end as soon as the model stalls. */
async function ask(session: Session, plan: CompactionPlan, backend: ScriptedBackend, instructions = ''): Promise<void> {
  const requestId = session.environment.newId('req')
  const request = { requestId, ...summaryRequest(session.state, plan, { instructions }) }
  await session.append({ type: 'model.asked', requestId, purpose: 'summary', attempt: 1 })
  await session.append(await answerTo(requestId, backend.stream(request, { signal: soonAborted() })))
}

async function answerTo(requestId: string, stream: ReturnType<ScriptedBackend['stream']>): Promise<EventInput> {
  try {
    for await (const event of stream) {
      if (event.type !== 'done') continue
      return {
        type: 'model.answered',
        requestId,
        content: event.content,
        finishReason: event.finishReason,
      }
    }
    return { type: 'model.interrupted', requestId, reason: 'cut' }
  } catch (error) {
    if (error instanceof BackendError) return { type: 'model.failed', requestId, error: error.failure }
    return { type: 'model.interrupted', requestId, reason: 'timed out' }
  }
}

/** Aborted at the second look of whoever waits, and never by a clock. */
function soonAborted(): AbortSignal {
  const controller = new AbortController()
  queueMicrotask(() => queueMicrotask(() => setImmediate(() => controller.abort())))
  return controller.signal
}

/** Records the one event that comes of the summary, and waits until it is durable. */
async function finish(session: Session, plan: CompactionPlan): Promise<EventInput> {
  const { state, environment } = session
  if (state.turn?.request == null) throw new Error('a summary was asked for')
  const event = compactFromModel(state, plan, readSummary(state.turn.request), { messageId: environment.newId('sum') })
  await session.append(event)
  return event
}

/** The state but for its place in time, with one attempt at compaction more. */
function withAttempt(before: SessionState, { seq, updatedAt }: SessionState): SessionState {
  const { turn } = before
  if (turn === null) throw new Error('a turn is open')
  const spent = { ...turn.spent, compactions: turn.spent.compactions + 1 }
  return { ...before, seq, updatedAt, turn: { ...turn, spent } }
}
