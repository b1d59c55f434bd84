import { MemoryStore, readSession, type History, Session, type StoredEvent } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import {
  call,
  effectsOf,
  eventLines,
  fixedEnvironment,
  line,
  Script,
  ScriptedBackend,
  scriptFromHistory,
  scriptFromSession,
} from '../src/index.ts'
import { runTurn, startTurn } from '../examples/own-loop.ts'
import { record, resume, script } from './scripted-sessions.ts'

const whole = await record(ScriptedBackend.from(script))

describe('a history as a script', () => {
  test('makes the same loop record the same events', async () => {
    const { lines } = scriptFromHistory(whole)
    const backend = ScriptedBackend.from(lines)
    const again = await record(backend)
    expect(eventLines(again)).toEqual(eventLines(whole))
    expect(again).toEqual(whole)
    backend.assertDone()
  })

  test('is as short as if somebody had written it, and can be written to a file', () => {
    const { lines } = scriptFromHistory(whole)
    expect(lines).toEqual([
      line('Reading.', call('read', { path: 'a' }, { id: 'call_1' }), call('read', { path: 'b' }, { id: 'call_2' })),
      line('Read.'),
      { fault: { type: 'throw', kind: 'overloaded', message: expect.any(String), status: 529 } },
      { fault: { type: 'cut' } },
      line(call('write', { line: 5 }, { id: 'call_5_1' })),
      { calls: [{ name: 'write', raw: '{"path', id: 'call_3' }] },
      line(call('write', { path: 'd' }, { id: 'call_4' }), call('nothing', {}, { id: 'call_4' })),
      { reasoning: 'Hm.', text: 'Done.', usage: { inputTokens: 9, outputTokens: 2 } },
    ])
    expect(Script.parse(JSON.parse(JSON.stringify({ lines })))).toEqual({ lines })
  })

  test('says what has to come of the calls', () => {
    expect(scriptFromHistory(whole).effects).toEqual([
      { name: 'read', input: { path: 'a' }, outcome: 'ok' },
      { name: 'read', input: { path: 'b' }, outcome: 'ok' },
      { name: 'write', input: { line: 5 }, outcome: 'failed' },
      { name: 'write', input: {}, outcome: 'failed' },
      { name: 'write', input: { path: 'd' }, outcome: 'ok' },
      { name: 'nothing', input: {}, outcome: 'failed' },
    ])
  })

  test('leaves out the requests that the end of a process cut off, wherever it ended', async () => {
    const { lines } = scriptFromHistory(whole)
    for (let end = 2; end <= whole.length; end += 1) {
      const cut = whole.slice(0, end)
      const resumed = await resume(cut, ScriptedBackend.from(lines, { after: cut }))
      expect(scriptFromHistory(resumed).lines, `cut after event ${end}`).toEqual(lines)
    }
  })
})

describe('an answer in a script', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const events = (...inputs: readonly object[]): History =>
    inputs.map((input, index) => ({ seq: index + 1, at, ...input }) as StoredEvent)
  const asked = { type: 'model.asked', requestId: 'r', purpose: 'answer', attempt: 1 }

  test('keeps its order and what is opaque, where the short form would lose it', () => {
    const file = { type: 'file', mediaType: 'text/plain', source: { kind: 'path', path: 'a.txt' } }
    const content = [
      { type: 'call', call: { id: 'own', providerId: 'theirs', name: 'read', input: {} } },
      { type: 'text', text: 'After.', providerMetadata: { signature: 'abc' } },
      file,
    ]
    const { lines } = scriptFromHistory(
      events(asked, { type: 'model.answered', requestId: 'r', content, finishReason: 'other' }),
    )
    expect(lines).toEqual([
      {
        content: [{ type: 'call', call: { id: 'theirs', name: 'read', input: {} } }, content[1], file],
        finishReason: 'other',
      },
    ])
    expect(() => ScriptedBackend.from(lines)).not.toThrow()
  })

  test('keeps what is opaque also where the order is the usual one', () => {
    const content = [{ type: 'reasoning', text: 'Hm.', providerMetadata: { signature: 'abc' } }]
    const history = events(asked, { type: 'model.answered', requestId: 'r', content, finishReason: 'stop' })
    expect(scriptFromHistory(history).lines).toEqual([{ content }])
  })

  test('that was cut off is cut off after what had been stored of it', () => {
    const { lines } = scriptFromHistory(
      events(
        asked,
        { type: 'answer.progressed', requestId: 'r', reasoning: 'Hm.', text: 'Half a ' },
        { type: 'answer.progressed', requestId: 'r', text: 'sentence' },
        { type: 'model.interrupted', requestId: 'r', reason: 'cancelled' },
        asked,
        { type: 'model.interrupted', requestId: 'r', reason: 'cut' },
      ),
    )
    expect(lines).toEqual([
      { text: 'Half a sentence', reasoning: 'Hm.', fault: { type: 'cut' } },
      { fault: { type: 'cut' } },
    ])
  })

  test('that hid its calls in text hides them again', () => {
    const recovered = [{ id: 'c', name: 'read', input: { path: 'a' }, recovered: true }]
    const text = '<tool_call>{"name":"read"}</tool_call>'
    const history = events(
      asked,
      { type: 'model.answered', requestId: 'r', content: [{ type: 'text', text }], finishReason: 'stop' },
      { type: 'calls.recovered', requestId: 'r', calls: recovered },
      { type: 'hook.finished', hook: 'h', on: 'pre_tool', decision: 'continue', callId: 'c', input: { path: 'b' } },
      { type: 'tool.started', callId: 'c' },
      { type: 'tool.finished', callId: 'c', outcome: 'ok', text: 'b' },
    )
    expect(scriptFromHistory(history)).toEqual({
      lines: [{ text }],
      effects: [{ name: 'read', input: { path: 'b' }, outcome: 'ok' }],
    })
  })
})

describe('effects', () => {
  test('stand in the order in which the model made the calls, and only once they were answered', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const content = ['a', 'b', 'c'].map((id) => ({ type: 'call', call: { id, name: id, input: {} } }))
    const history = [
      { type: 'model.answered', requestId: 'r', content, finishReason: 'tool-calls' },
      { type: 'tool.started', callId: 'c' },
      { type: 'tool.started', callId: 'b', input: { changed: true } },
      { type: 'tool.finished', callId: 'b', outcome: 'ok', text: '' },
      { type: 'tool.finished', callId: 'a', outcome: 'denied', text: '' },
    ].map((event, index) => ({ seq: index + 1, at, ...event }) as StoredEvent)
    expect(effectsOf(history)).toEqual([
      { name: 'a', input: {}, outcome: 'denied' },
      { name: 'b', input: { changed: true }, outcome: 'ok' },
    ])
  })
})

describe('a session in a store as a script', () => {
  const long = 'A long answer. '.repeat(10_000)

  async function sessionWithLongAnswer(): Promise<MemoryStore> {
    const store = new MemoryStore()
    const session = await Session.open(store, { id: 'long', environment: fixedEnvironment() })
    const text = await session.storeText(long)
    await startTurn(session, 'Tell me everything.')
    await session.append({ type: 'model.asked', requestId: 'r', purpose: 'answer', attempt: 1 })
    const image = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: text } } as const
    const content = [{ type: 'text', text }, image] as const
    await session.append({ type: 'model.answered', requestId: 'r', content, finishReason: 'stop' })
    await runTurn(session, new ScriptedBackend(), {})
    return store
  }

  test('has its long texts in full', async () => {
    const { lines } = await scriptFromSession(await sessionWithLongAnswer(), 'long')
    const image = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: long } }
    expect(lines).toEqual([{ content: [{ type: 'text', text: long }, image] }])
  })

  test('without them says how to get them', async () => {
    const { history } = await readSession(await sessionWithLongAnswer(), 'long')
    expect(() => scriptFromHistory(history)).toThrow(/long text blob1.*scriptFromSession/)
  })
})
