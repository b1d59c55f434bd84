import { type Backend, BackendError, type BackendEvent } from '@loader/session-core'
import { call } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { everyNth } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { hear, rejection, request } from './requests.ts'

interface UnderTest extends AsyncDisposable {
  readonly backend: Backend
  /** Settles when the model has been asked and has not answered yet. */
  readonly asked: Promise<void>
  /** How the server saw each request to the model end; absent when there is no server. */
  ends?(): Promise<readonly string[]>
}

export interface Traits {
  /** `silent`: the protocol has no place for it. */
  readonly reasoning: 'told' | 'silent'
  /** The counts that the protocol has a place for. */
  readonly usage: 'all' | 'totals'
  /** `none`: nothing is sent, so nothing can be cut into bytes. */
  readonly wire: 'http' | 'none'
  /** What a stream does that is cut off: it just closes, or it throws. */
  readonly cut: 'closes' | 'fails'
  /** Arguments that are no JSON cannot be sent where arguments are no text. */
  readonly arguments?: 'text' | 'object'
}

/** A backend whose model answers one request with this line. */
export type MakeBackend = (line: WireLine) => Promise<UnderTest>

const twoCalls = [call('write', { path: 'ä.txt', content: '{"a": "b"}' }), call('write', { path: 'b.txt' })]
const everything: WireLine = { reasoning: 'Zwei Dateien, höre ich.', text: 'Grüße 🙂, ich fange an.', calls: twoCalls }

/** What every backend does, whatever model is behind it. */
export function backendContract(name: string, make: MakeBackend, traits: Traits): void {
  describe(name, () => {
    const ask = async (line: WireLine) => {
      await using under = await make(line)
      return await hear(under.backend.stream(request()))
    }

    test('text arrives in pieces, and whole at the end', async () => {
      const { events, text, done } = await ask({ text: 'Hello there, you.', chunks: 'word' })
      expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
      expect(text).toBe('Hello there, you.')
      expect(done.content).toMatchObject([{ type: 'text', text: 'Hello there, you.' }])
      expect(done.finishReason).toBe('stop')
    })

    test('reasoning stands before the text, where the protocol has a place for it', async () => {
      const { reasoning, done } = await ask({ reasoning: 'Let me see.', text: 'Well.', chunks: 'word' })
      const told = traits.reasoning === 'told'
      expect(reasoning).toBe(told ? 'Let me see.' : '')
      expect(done.content).toMatchObject([
        ...(told ? [{ type: 'reasoning', text: 'Let me see.' }] : []),
        { type: 'text', text: 'Well.' },
      ])
    })

    test('a call in fragments becomes one call with its id', async () => {
      const { inputs, done } = await ask({
        calls: [call('write', { path: 'a.txt' }, { id: 'call_abc' })],
        chunks: { arguments: 2 },
      })
      expect(inputs.map((input) => JSON.parse(input))).toEqual([{ path: 'a.txt' }])
      expect(done.content).toMatchObject([
        { type: 'call', call: { id: 'call_abc', name: 'write', input: { path: 'a.txt' } } },
      ])
      expect(done.finishReason).toBe('tool-calls')
    })

    test('several calls in fragments stay apart, behind what was said', async () => {
      const { inputs, text, done } = await ask({ ...everything, chunks: { text: 'word', arguments: 3 } })
      const thoughts = traits.reasoning === 'told' ? [{ type: 'reasoning', text: everything.reasoning }] : []
      expect(text).toBe(everything.text)
      expect(done.content).toMatchObject([
        ...thoughts,
        { type: 'text', text: everything.text },
        ...twoCalls.map(({ name: tool, input }) => ({ type: 'call', call: { name: tool, input } })),
      ])
      expect(inputs.map((input) => JSON.parse(input))).toEqual(twoCalls.map(({ input }) => input))
      const ids = done.content.flatMap((part) => (part.type === 'call' ? [part.call.id] : []))
      expect(new Set(ids).size).toBe(2)
    })

    test('usage is what the server told, cached and reasoning tokens included', async () => {
      const totals = { inputTokens: 100, outputTokens: 20 }
      const details = { reasoningTokens: 7, cacheReadTokens: 60 }
      const { done } = await ask({ text: 'Hi.', usage: { ...totals, ...details } })
      expect(done.usage).toMatchObject(traits.usage === 'all' ? { ...totals, ...details } : totals)
    })

    test('an answer that was cut for its length says so', async () => {
      expect((await ask({ text: 'Once upon', finishReason: 'length' })).done.finishReason).toBe('length')
    })

    test('an empty answer is an answer without content', async () => {
      expect((await ask({ fault: { type: 'empty_answer' } })).done.content).toEqual([])
    })

    test('arguments that are no JSON are kept as text, or shown by a server that cannot hand them on', async () => {
      const asked = ask({ calls: [call('write', {}, { raw: '{"path": "a.tx' })] })
      if (traits.arguments === 'object') return expect(asked).rejects.toThrow('{"path": "a.tx')
      expect((await asked).done.content).toMatchObject([
        { type: 'call', call: { name: 'write', input: {}, malformed: '{"path": "a.tx' } },
      ])
    })

    test('a call without arguments has an empty object', async () => {
      const { done } = await ask({ calls: [call('write')] })
      expect(done.content).toMatchObject([{ type: 'call', call: { input: {} } }])
      expect(JSON.stringify(done.content)).not.toContain('malformed')
    })

    describe('aborted', () => {
      test('before the request, it throws the reason of the signal', async () => {
        await using under = await make({ text: 'Hi.' })
        const reason = new Error('enough')
        const stream = under.backend.stream(request(), { signal: AbortSignal.abort(reason) })
        expect(await rejection(hear(stream))).toBe(reason)
      })

      test('in the middle of the answer, it throws the reason and the server sees the client leave', async () => {
        await using under = await make({ text: 'one two three', chunks: 'word', fault: { type: 'stall', after: 2 } })
        const abort = new AbortController()
        const reason = new Error('enough')
        const seen: BackendEvent[] = []
        const reading = async () => {
          for await (const event of under.backend.stream(request(), { signal: abort.signal })) {
            seen.push(event)
            if (seen.filter(({ type }) => type === 'text').length === 2) abort.abort(reason)
          }
        }
        expect(await rejection(reading())).toBe(reason)
        expect(seen.filter(({ type }) => type === 'text')).toHaveLength(2)
        if (under.ends) expect(await under.ends()).toEqual(['left'])
      })

      test('when the rest has arrived already, it throws the reason all the same', async () => {
        await using under = await make({ text: 'one two three', chunks: 'word' })
        const abort = new AbortController()
        const reason = new Error('enough')
        const seen: string[] = []
        const reading = async () => {
          for await (const event of under.backend.stream(request(), { signal: abort.signal })) {
            seen.push(event.type)
            if (event.type === 'text') abort.abort(reason)
          }
        }
        expect(await rejection(reading())).toBe(reason)
        expect(seen).not.toContain('done')
      })

      test('while nothing has come yet, it throws the reason and the server sees the client leave', async () => {
        await using under = await make({ text: 'one', fault: { type: 'stall', after: 0 } })
        const abort = new AbortController()
        const reason = new Error('enough')
        const heard = rejection(hear(under.backend.stream(request(), { signal: abort.signal })))
        await under.asked
        abort.abort(reason)
        expect(await heard).toBe(reason)
        if (under.ends) expect(await under.ends()).toEqual(['left'])
      })
    })

    test('whoever leaves in the middle lets the server know', async () => {
      await using under = await make({ text: 'one two three', chunks: 'word', fault: { type: 'stall', after: 2 } })
      const heard: string[] = []
      for await (const event of under.backend.stream(request(), { signal: new AbortController().signal })) {
        if (event.type === 'text') heard.push(event.delta)
        if (heard.length === 1) break
      }
      expect(heard).toEqual(['one'])
      if (under.ends) expect(await under.ends()).toEqual(['left'])
    })

    describe('failing', () => {
      const fail = async (line: WireLine) => {
        await using under = await make(line)
        const error = await rejection(hear(under.backend.stream(request())))
        if (!(error instanceof BackendError)) throw new Error('This is no BackendError.', { cause: error })
        // Attempts belong to the session.
        if (under.ends) expect(await under.ends()).toHaveLength(1)
        return error.failure
      }

      test('says how long to wait when it was asked too often', async () => {
        const failure = await fail({ fault: { type: 'throw', kind: 'rate_limited', retryAfterMs: 7000, after: 0 } })
        expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterMs: 7000 })
      })

      test.each(['overloaded', 'context_too_long', 'auth', 'no_credit', 'unknown_model', 'bad_request', 'other'])(
        'is %s',
        async (kind) => {
          const failure = await fail({ fault: { type: 'throw', kind, after: 0 } })
          expect(failure.kind).toBe(kind)
          expect(failure.message).not.toBe('')
        },
      )

      test.each(['overloaded', 'other'])('in the middle of an answer, is %s all the same', async (kind) => {
        const failure = await fail({ text: 'one two', chunks: 'word', fault: { type: 'throw', kind, after: 1 } })
        expect(failure.kind).toBe(kind)
      })
    })

    test('a stream that closes without its end is interrupted, wherever it is cut', async () => {
      for (let after = 0; after <= 6; after += 1) {
        await using under = await make({ ...everything, chunks: { text: 'word' }, fault: { type: 'cut', after } })
        const reading = async () => {
          for await (const event of under.backend.stream(request())) expect(event.type).not.toBe('done')
        }
        if (traits.cut === 'closes') {
          await reading()
          continue
        }
        const error = await rejection(reading())
        if (!(error instanceof BackendError)) throw new Error(`Cut after ${after}: no BackendError`, { cause: error })
        // Before the first byte nobody can tell an answer from none.
        const kind = after === 0 && traits.wire === 'http' ? 'connection' : 'interrupted'
        expect([after, error.failure.kind]).toEqual([after, kind])
      }
    })

    if (traits.wire === 'none') return
    describe('over HTTP', () => {
      test('characters that are split over chunks stay whole', async () => {
        const { text, done } = await ask({ ...everything, chunks: 'character', wire: { bytesPerWrite: 1 } })
        expect(text).toBe(everything.text)
        expect(done.content).toMatchObject(
          traits.reasoning === 'told' ? [{ text: everything.reasoning }, { text }, {}, {}] : [{ text }, {}, {}],
        )
      })

      test('a body that is cut at any byte is never an answer', async () => {
        const step = everyNth({ quick: 97, ci: 13, long: 1 })
        for (let after = 1; after < 700; after += step) {
          await using under = await make({ ...everything, wire: { fault: { type: 'cut_bytes', after } } })
          const error = await rejection(hear(under.backend.stream(request())))
          if (!(error instanceof BackendError)) throw new Error(`Cut after ${after}: no BackendError`, { cause: error })
          expect(['interrupted', 'other']).toContain(error.failure.kind)
        }
      })

      test('an event that is no JSON fails the request', async () => {
        await using under = await make({
          text: 'one two',
          chunks: 'word',
          wire: { fault: { type: 'malformed_event' } },
        })
        const error = await rejection(hear(under.backend.stream(request())))
        expect(error).toBeInstanceOf(BackendError)
      })
    })
  })
}
