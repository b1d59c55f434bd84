import { type EventInput, MemoryStore, readSession, Session } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { pastLines } from '../../src/interactive/past-lines.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'

const look = { paint: (_style: unknown, text: string) => text, glyphs: glyphsFor({ environment: {} }), columns: 60 }
const bash = (id: string, command: string) =>
  ({ type: 'call', call: { id, name: 'bash', input: { command } } }) as const

async function past(...events: readonly EventInput[]): Promise<string[]> {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment: fixedEnvironment() })
  for (const event of events) await session.append(event)
  return pastLines((await readSession(store, session.id)).history, look)
}

const begun: EventInput[] = [
  { type: 'input.queued', inputId: 'in_1', text: 'Tell me' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
]
const asked = (requestId: string): EventInput => ({ type: 'model.asked', requestId, purpose: 'answer', attempt: 1 })

test('an answer that was cut off is there as far as it came, with what was thought before it', async () => {
  expect(
    await past(
      ...begun,
      asked('req_1'),
      { type: 'answer.progressed', requestId: 'req_1', reasoning: 'I begin ' },
      { type: 'answer.progressed', requestId: 'req_1', reasoning: 'here.', text: 'One.\nTw' },
      { type: 'answer.progressed', requestId: 'req_1', text: 'o and' },
    ),
  ).toEqual(['', '> Tell me', '', '~ I begin here.', 'One.', 'Two and'])
})

test('an answer that came whole is there once, and a call that has no result is named', async () => {
  expect(
    await past(
      ...begun,
      asked('req_1'),
      { type: 'answer.progressed', requestId: 'req_1', text: 'I ru' },
      {
        type: 'model.answered',
        requestId: 'req_1',
        content: [{ type: 'text', text: 'I run it.' }, bash('call_1', 'npm test'), bash('call_2', 'sleep 60')],
        finishReason: 'tool-calls',
      },
      { type: 'tool.started', callId: 'call_1' },
      { type: 'tool.started', callId: 'call_2' },
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text: 'Green.' },
    ),
  ).toEqual(['', '> Tell me', '', 'I run it.', '', '● bash npm test', '  ✓ Green.', '● bash sleep 60'])
})
