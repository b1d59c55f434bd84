// The first example of the README under node:test, on the built package: no vitest, no TypeScript, no workspace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryStore, readSession, Session } from '@loader/session-core'
import { call, eventLog, fixedEnvironment, line, ScriptedBackend, scriptFromHistory } from '@loader/test-harness'
import { runTurn, startTurn } from '../../examples/own-loop.ts'

const tools = { write: async () => 'Wrote a.txt.' }

async function runWith(backend) {
  const store = new MemoryStore()
  const session = await Session.open(store, { id: 'smoke', environment: fixedEnvironment() })
  const log = eventLog(session)
  await startTurn(session, 'Write a.txt')
  await runTurn(session, backend, tools)
  await session.close()
  return { log, history: (await readSession(store, 'smoke')).history }
}

void test('the result of a call goes back to the model', async () => {
  const backend = new ScriptedBackend(line('On it.', call('write', { path: 'a.txt' })), line('Done.'))
  const { log } = await runWith(backend)
  assert.ok(log.lines.includes('tool.finished(ok)'))
  assert.equal(backend.requests[1].messages.at(-1).role, 'tool')
  backend.assertDone()
})

void test('one request too many fails', async () => {
  const backend = new ScriptedBackend(line('On it.', call('write')))
  await assert.rejects(runWith(backend), /Request 2 has no line.*the result of write \(ok\): "Wrote a.txt."/)
})

void test('a history plays again', async () => {
  const { history } = await runWith(new ScriptedBackend(line(call('write')), line('Done.')))
  const again = await runWith(ScriptedBackend.from(scriptFromHistory(history).lines))
  assert.deepEqual(again.history, history)
})
