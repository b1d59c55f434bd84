// What a session costs a scripted agent, and that a turn costs the same however many there were before it.
import { callsOf, MemoryStore, Session } from '@loader/session-core'
import { call, fixedEnvironment, line, ScriptedBackend } from '@loader/test-harness'
// @boundaries-ignore the bench measures the loop that the README shows
import { runTurn, startTurn } from '../packages/test-harness/examples/own-loop.ts'
import { interleave } from './interleave.mjs'

const batch = 10
const script = [line('On it.', call('write', { path: 'a.txt', content: 'a\n' })), line('Done.')]
const tools = { write: async () => 'Wrote a.txt.' }

export async function figures() {
  const speed = await interleave({
    session: async () => loopTurns(await openSession()),
    array: () => plainTurns([]),
  })
  const perTurn = speed.medianMs.session / batch

  const compacted = await lateToEarly(async (session) => {
    await loopTurns(session)
    await compact(session)
  })
  const appended = await lateToEarly(appendTurns)
  const uncompacted = await lateToEarly(loopTurns)
  return [
    { figure: 'scripted turns a second, MemoryStore', value: 1000 / perTurn, unit: '/s', bar: null, ok: true },
    {
      figure: 'a turn of the loop in a session to one over a plain array',
      value: speed.ratio('session', 'array'),
      unit: 'x',
      bar: null,
      ok: true,
    },
    flat('turn 2,000 to turn 10, compacted every 10 turns', compacted),
    flat('turn 2,000 to turn 10, nothing compacted, without the model', appended),
    {
      figure: 'turn 2,000 to turn 10, nothing compacted, every request with all messages',
      value: uncompacted,
      unit: 'x',
      bar: null,
      ok: true,
    },
  ]
}

function flat(figure, value) {
  return { figure, value, unit: 'x', bar: 1.3, ok: value <= 1.3 }
}

/**
 * Time for a batch of turns of one session around its turn 2,000 to that for the second batch of a new session, as the
 * median over rounds. Both alternate, so that whatever else the machine does hits both alike.
 */
async function lateToEarly(work, { rounds = 61 } = {}) {
  const old = await openSession()
  for (let turn = 0; turn < 2_000 - (rounds / 2) * batch; turn += batch) await work(old)
  const ratios = []
  for (let round = 0; round < rounds; round += 1) {
    const young = await openSession()
    await work(young)
    const early = await time(() => work(young))
    ratios.push((await time(() => work(old))) / early)
  }
  return ratios.sort((a, b) => a - b)[rounds >> 1]
}

async function time(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

function openSession() {
  return Session.open(new MemoryStore(), { environment: fixedEnvironment() })
}

async function loopTurns(session) {
  const backend = ScriptedBackend.from(Array.from({ length: batch }).flatMap(() => script))
  for (let turn = 0; turn < batch; turn += 1) {
    await startTurn(session, 'Write a.txt')
    await runTurn(session, backend, tools)
  }
}

/** The loop without a session: nothing is checked, folded or stored. */
async function plainTurns(messages) {
  const environment = fixedEnvironment()
  const say = (role, origin, content) =>
    messages.push({ id: environment.newId('message'), role, origin, content, at: environment.now() })
  const backend = ScriptedBackend.from(Array.from({ length: batch }).flatMap(() => script))
  for (let turn = 0; turn < batch; turn += 1) {
    say('user', 'input', [{ type: 'text', text: 'Write a.txt' }])
    for (let calls; calls?.length !== 0;) {
      const request = { requestId: environment.newId('req'), purpose: 'answer', system: '', messages, tools: [] }
      let content = []
      for await (const event of backend.stream(request)) if (event.type === 'done') ({ content } = event)
      say('assistant', 'model', content)
      calls = callsOf(content)
      for (const { id: callId, name, input } of calls) {
        say('tool', 'tool', [{ type: 'result', callId, name, outcome: 'ok', text: await tools[name](input) }])
      }
    }
  }
}

/** What the loop records in as many turns. */
async function appendTurns(session) {
  const { environment } = session
  for (let turn = 0; turn < batch; turn += 1) {
    await startTurn(session, 'Write a.txt')
    const [first, second, id] = ['req', 'req', 'call'].map((prefix) => environment.newId(prefix))
    const write = { id, name: 'write', input: { path: 'a.txt', content: 'a\n' }, providerId: id }
    const content = [
      { type: 'text', text: 'On it.' },
      { type: 'call', call: write },
    ]
    await session.append({ type: 'model.asked', requestId: first, purpose: 'answer', attempt: 1 })
    await session.append({ type: 'model.answered', requestId: first, content, finishReason: 'tool-calls' })
    await session.append({ type: 'tool.started', callId: id })
    await session.append({ type: 'tool.finished', callId: id, outcome: 'ok', text: 'Wrote a.txt.' })
    await session.append({ type: 'model.asked', requestId: second, purpose: 'answer', attempt: 1 })
    const done = [{ type: 'text', text: 'Done.' }]
    await session.append({ type: 'model.answered', requestId: second, content: done, finishReason: 'stop' })
    await session.append({ type: 'turn.finished', turnId: session.state.turn.id, reason: 'answered' })
  }
}

async function compact(session) {
  await session.append({
    type: 'context.compacted',
    messageId: session.environment.newId('sum'),
    text: '[COMPACTED CONTEXT] a.txt was written.',
    method: 'local',
    firstKept: null,
    removed: session.state.messages.length,
    tokensBefore: 5_000,
    tokensAfter: 100,
  })
}
