// Tests of an agent of your own, without a model and without chance. The script is the test: what the model says, line by
// line; one request too many, or one too few, fails. Run it: node examples/testing-your-agent.mjs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryStore, Session, textOf } from '@loader/session-core'
import { call, crashMatrix, eventLog, fixedEnvironment, line, ScriptedBackend } from '@loader/test-harness'
import { runTurn, startTurn } from './own-agent.mjs'

const tools = {
  read_file: async ({ path }) => (path === 'a.txt' ? 'Hello' : Promise.reject(new Error(`No file ${path}`))),
}

/** One task in a fresh session. The clock and the ids are the same in every run. */
async function run(...lines) {
  const backend = new ScriptedBackend(...lines)
  const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
  const log = eventLog(session)
  await startTurn(session, 'What is in a.txt?')
  await runTurn(session, backend, tools)
  backend.assertDone() // every line was asked for
  return { session, backend, log }
}

void test('the result of a call goes back to the model', async () => {
  const { backend, session } = await run(line('I look.', call('read_file', { path: 'a.txt' })), line('It says Hello.'))
  const [result] = backend.requests[1].messages.at(-1).content
  assert.deepEqual([result.outcome, result.text], ['ok', 'Hello'])
  assert.equal(textOf(session.state.messages.at(-1).content), 'It says Hello.')
})

void test('a tool that fails is no end: the model is told', async () => {
  const { log } = await run(line(call('read_file', { path: 'b.txt' })), line('There is none.'))
  assert.ok(log.lines.includes('tool.finished(failed)'))
  assert.equal(log.lines.at(-1), 'turn.finished(turn_complete)')
})

void test('an answer that breaks off is asked for again', async () => {
  const { backend } = await run({ ...line('It sa'), fault: { type: 'cut' } }, line('It says Hello.'))
  assert.equal(backend.requests.length, 2)
})

void test('a refused request ends the turn, and is written down', async () => {
  const { session } = await run({ fault: { type: 'throw', kind: 'auth', message: 'wrong key' } })
  assert.equal(session.state.lastTurn.reason, 'model_failed')
})

void test('a payment is made once, or known to be unknown, wherever the process dies', async () => {
  const script = [line('I pay.', call('pay')), line('Done.')]
  /** Begins the task, or goes on with it after a crash: the same code. */
  async function pay({ world, store, environment, effect }) {
    const isThere = (await store.list()).rows.length > 0
    const session = await (isThere
      ? Session.load(store, 'invoice', { environment })
      : Session.open(store, { environment, id: 'invoice' }))
    const after = []
    for await (const event of store.read('invoice')) after.push(event)
    if (session.state.turn === null && session.state.messages.length === 0) await startTurn(session, 'Pay invoice 7')
    await runTurn(session, ScriptedBackend.from(script, { after }), {
      pay: () => effect('pay', () => `Paid ${(world.paid += 1)} time`),
    })
    const told = session.state.messages
      .toArray()
      .flatMap(({ content }) => content.filter(({ type }) => type === 'result'))
    await session.close()
    return { paid: world.paid, told: told.map(({ outcome }) => outcome) }
  }
  const check = ({ paid, told }) => assert.ok(told[0] === 'unknown' ? paid <= 1 : paid === 1)
  const { failures, boundaries } = await crashMatrix({
    mode: 'in-process',
    prepare: () => ({ paid: 0 }),
    scenario: pay,
    resume: pay,
    check,
  })
  assert.deepEqual(failures, [])
  assert.ok(boundaries.length > 10) // it was killed at each of them
})
