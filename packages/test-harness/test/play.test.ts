import { BackendError, type BackendEvent, callsOf, textOf } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { call, type Completion, fixedEnvironment, line, ScriptedBackend } from '../src/index.ts'
import { ask, deltas, last, request, watch } from './asking.ts'

describe('faults', () => {
  test('throw what a provider would, with status and what it asks to wait', async () => {
    const fault = {
      type: 'throw',
      kind: 'rate_limited',
      status: 429,
      retryAfterMs: 2000,
      message: 'Slow down.',
    } as const
    const { events, error } = await watch(new ScriptedBackend({ fault }))
    expect(events).toEqual([])
    expect(error).toBeInstanceOf(BackendError)
    const { type: _type, ...failure } = fault
    expect(error).toMatchObject({ message: 'Slow down.', failure })
  })

  test('throw in the middle of an answer', async () => {
    const fault = { type: 'throw', kind: 'connection', after: 2 } as const
    const { events, error } = await watch(new ScriptedBackend({ text: 'a b c', chunks: 'word', fault }))
    expect(deltas(events, 'text')).toEqual(['a', ' b'])
    expect(error).toMatchObject({ failure: { kind: 'connection' } })
  })

  test('cut the stream, so that it closes without its end', async () => {
    const text = { text: 'a b c', chunks: 'word' } as const
    const backend = new ScriptedBackend(
      { ...text, fault: { type: 'cut', after: 1 } },
      { ...text, fault: { type: 'cut' } },
      { fault: { type: 'cut', after: 5 } },
    )
    expect(await watch(backend)).toEqual({ events: [{ type: 'text', delta: 'a' }], error: undefined })
    expect(deltas(await ask(backend), 'text')).toEqual(['a', ' b', ' c'])
    expect(await watch(backend)).toEqual({ events: [], error: undefined })
  })

  test('break the arguments of the last call', async () => {
    const calls = [call('read', { path: 'a' }), call('write', { path: 'b' })]
    const backend = new ScriptedBackend(
      { calls, fault: { type: 'malformed_call' } },
      { calls: [call('write', {}, { raw: '{"path": b}' })] },
      { calls: [call('write', {}, { raw: ' {"path": "c"} ' })] },
      { calls, fault: { type: 'malformed_call', raw: '' } },
    )
    const broken = await ask(backend)
    expect(callsOf(last(broken).content)).toEqual([
      { id: 'call_1', name: 'read', input: { path: 'a' } },
      { id: 'call_2', name: 'write', input: {}, malformed: '{"path' },
    ])
    expect(deltas(broken, 'call_input')).toEqual(['{"path":"a"}', '{"path'])
    expect(callsOf(last(await ask(backend)).content)).toMatchObject([{ input: {}, malformed: '{"path": b}' }])
    expect(callsOf(last(await ask(backend)).content)).toEqual([{ id: 'call_4', name: 'write', input: { path: 'c' } }])
    expect(callsOf(last(await ask(backend)).content)[1]).toMatchObject({ malformed: '' })
  })

  test('answer with nothing', async () => {
    const backend = new ScriptedBackend({
      text: 'Never said.',
      usage: { outputTokens: 0 },
      fault: { type: 'empty_answer' },
    })
    expect(await ask(backend)).toEqual([
      { type: 'done', content: [], finishReason: 'stop', model: 'scripted/model', usage: { outputTokens: 0 } },
    ])
  })

  test('drip on a clock that is moved', async () => {
    const environment = fixedEnvironment({ start: '2026-01-01T00:00:00.000Z' })
    const slow: Completion = { text: 'a b c', chunks: 'word', fault: { type: 'drip', delayMs: 20_000 } }
    await ask(ScriptedBackend.from([slow], { environment }))
    expect(environment.now()).toBe('2026-01-01T00:01:00.000Z')
  })

  test('drip as somebody else waits', async () => {
    const waits: number[] = []
    const slow: Completion = { text: 'a b', chunks: 'word', fault: { type: 'drip', delayMs: 50 } }
    await ask(ScriptedBackend.from([slow], { wait: async (delay) => void waits.push(delay) }))
    expect(waits).toEqual([50, 50])
  })

  test('never wait for real: without a clock a drip says what is missing', async () => {
    const backend = new ScriptedBackend({ text: 'a', fault: { type: 'drip', delayMs: 50 } })
    await expect(ask(backend)).rejects.toThrow('Line 1 drips, but there is no clock')
  })
})

describe('aborting', () => {
  test('ends a stalled stream with the reason of the signal', async () => {
    const backend = new ScriptedBackend({ text: 'Thinking', fault: { type: 'stall' } })
    const controller = new AbortController()
    const watched = watch(backend, controller.signal)
    setImmediate(() => controller.abort())
    const { events, error } = await watched
    expect(deltas(events, 'text')).toEqual(['Thinking'])
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('ends a stream that is running', async () => {
    const controller = new AbortController()
    const backend = new ScriptedBackend({ text: 'a b c', chunks: 'word' })
    const seen: BackendEvent[] = []
    const reading = (async () => {
      for await (const event of backend.stream(request(), { signal: controller.signal })) {
        seen.push(event)
        controller.abort(new Error('The user left.'))
      }
    })()
    await expect(reading).rejects.toThrow('The user left.')
    expect(deltas(seen, 'text')).toEqual(['a'])
  })

  test('at the last moment still keeps the end from arriving', async () => {
    const controller = new AbortController()
    const seen: BackendEvent[] = []
    const reading = (async () => {
      for await (const event of new ScriptedBackend(line('a')).stream(request(), { signal: controller.signal })) {
        seen.push(event)
        controller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toEqual([{ type: 'text', delta: 'a' }])
  })

  test('while the clock is being moved ends the stream at once', async () => {
    const controller = new AbortController()
    const wait = () => {
      controller.abort()
      return new Promise<void>(() => {})
    }
    const slow: Completion = { text: 'a', fault: { type: 'drip', delayMs: 50 } }
    const { error } = await watch(ScriptedBackend.from([slow], { wait }), controller.signal)
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('is listened for no longer than a stream waits', async () => {
    const listeners = new Set<() => void>()
    const signal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
    }
    let most = 0
    const wait = async () => void (most = Math.max(most, await Promise.resolve().then(() => listeners.size)))
    const slow: Completion = { text: 'a b', chunks: 'word', fault: { type: 'drip', delayMs: 50 } }
    await watch(ScriptedBackend.from([slow], { wait }), signal as unknown as AbortSignal)
    expect({ most, left: listeners.size }).toEqual({ most: 1, left: 0 })
  })

  test('ends a drip before the wait is over', async () => {
    const controller = new AbortController()
    const never = new Promise<void>(() => {})
    const slow: Completion = { text: 'a', fault: { type: 'drip', delayMs: 50 } }
    const watched = watch(ScriptedBackend.from([slow], { wait: () => never }), controller.signal)
    setImmediate(() => controller.abort())
    expect((await watched).error).toMatchObject({ name: 'AbortError' })
  })

  test('before the request uses up the line all the same', async () => {
    const backend = new ScriptedBackend(line('Never said.'), line('Second.'))
    expect((await watch(backend, AbortSignal.abort())).error).toMatchObject({ name: 'AbortError' })
    expect(textOf(last(await ask(backend)).content)).toBe('Second.')
  })

  test('throws an AbortError also when the signal has no reason', async () => {
    const signal = { aborted: true, reason: undefined, addEventListener() {}, removeEventListener() {} }
    const { error } = await watch(new ScriptedBackend(line('a')), signal as unknown as AbortSignal)
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('must be possible when the script stalls', async () => {
    await expect(ask(new ScriptedBackend({ fault: { type: 'stall' } }))).rejects.toThrow('without a signal')
  })
})
