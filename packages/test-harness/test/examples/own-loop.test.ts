import { MemoryStore, Session } from '@loader/session-core'
import { call, fixedEnvironment, line, ScriptedBackend } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { runTurn, startTurn } from '../../examples/own-loop.ts'

test('the result of a call goes back to the model', async () => {
  const backend = new ScriptedBackend(line('On it.', call('write', { path: 'a.txt' })), line('Done.'))
  const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
  await startTurn(session, 'Write a.txt')
  await runTurn(session, backend, { write: async () => 'Wrote a.txt.' })
  expect(backend.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool' })
  backend.assertDone() // every line was asked for; one request too many would have thrown
})
