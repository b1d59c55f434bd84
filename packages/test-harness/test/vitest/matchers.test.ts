import { LoaderError, MemoryStore, readSession, Session } from '@loader/session-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventLog, fixedEnvironment } from '../../src/index.ts'
import { useLoaderMatchers } from '../../src/vitest.ts'

beforeAll(useLoaderMatchers)

const titled = (title: string) => ({ type: 'session.titled', title, by: 'user' }) as const

describe('the events of a session', () => {
  test('are compared line by line, of a history and of an event log', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: fixedEnvironment() })
    const log = eventLog(session)
    await session.append([titled('A'), { type: 'custom.recorded', name: 'mine', data: 1 }])
    const { history } = await readSession(store, session.id)
    const all = ['session.opened', 'session.claimed', 'session.titled', 'custom.recorded(mine)']
    expect(history).toHaveEvents(all)
    expect(log).toHaveEvents(all.slice(2))
    expect(history).toEndWithEvents(['session.titled', 'custom.recorded(mine)'])
    expect(history).toEndWithEvents([])
    expect(history).not.toHaveEvents(all.slice(0, 3))
    expect(history).not.toEndWithEvents(['session.titled'])
    expect(history).not.toEndWithEvents(['session.opened', ...all])
  })

  test('are shown when they differ', () => {
    expect(() => expect(['turn.started']).toHaveEvents(['turn.finished'])).toThrow(
      expect.objectContaining({ actual: ['turn.started'], expected: ['turn.finished'] }),
    )
    expect(() => expect('no history').toHaveEvents([])).toThrow('Expected a history')
  })
})

describe('a LoaderError', () => {
  const error = new LoaderError('session_busy', 'Session one is held by somebody.')

  test('is known by its code and by what it says', async () => {
    expect(error).toBeLoaderError('session_busy')
    expect(error).toBeLoaderError('session_busy', 'by somebody')
    expect(error).toBeLoaderError('session_busy', /^Session one/)
    expect(error).not.toBeLoaderError('session_exists')
    expect(error).not.toBeLoaderError('session_busy', 'by nobody')
    expect(new Error('session_busy')).not.toBeLoaderError('session_busy')
    await expect(Promise.reject(error)).rejects.toBeLoaderError('session_busy')
    expect({ error }).toEqual({ error: expect.toBeLoaderError('session_busy') })
  })

  test('is named when another was expected', () => {
    expect(() => expect(error).toBeLoaderError('session_exists', 'there')).toThrow(
      'to be session_exists that says there, but it is session_busy: Session one is held by somebody.',
    )
  })
})

describe('a history', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const call = { id: 'call_1', name: 'read', input: { path: 'a' } }
  const asked = { id: 'in', role: 'user', origin: 'input', content: [{ type: 'text', text: 'Read a' }], at } as const
  const calling = { id: 'req', role: 'assistant', origin: 'model', content: [{ type: 'call', call }], at } as const

  test('is taken, or its faults are listed', () => {
    expect([{ role: 'user', content: 'Hello' }]).toHaveNoHistoryFaults('anthropic')
    expect([{ role: 'assistant', content: 'Hello' }]).not.toHaveNoHistoryFaults('anthropic')
    expect([{ role: 'assistant', content: 'Hello' }]).toHaveNoHistoryFaults('openai')
    expect([{ role: 'user', content: '' }]).toHaveNoHistoryFaults('anthropic', { rules: { contentPresent: 'off' } })
    expect(() => expect([]).toHaveNoHistoryFaults('openai')).toThrow(
      'openai refuses this history:\n  message 0: there is no message (messagesPresent)',
    )
  })

  test('may be that of a session', () => {
    expect([asked]).toHaveNoHistoryFaults('ollama')
    expect(() => expect([asked, calling]).toHaveNoHistoryFaults('anthropic')).toThrow(
      'message 1: call call_1 has no tool_result in the next message (callsAnswered)',
    )
  })
})
