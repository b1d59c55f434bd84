import type { Backend, BackendDone, Usage } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { backendFor } from '../../src/backend-for.ts'
import { withPrices, type PriceOptions } from '../../src/prices/with-prices.ts'

const request = { requestId: 'req_1', purpose: 'answer', system: '', messages: [], tools: [] } as const

function backend(id: string, done: Partial<BackendDone>): Backend {
  return {
    id,
    async *stream() {
      yield { type: 'text', delta: 'Hi' }
      yield { type: 'done', content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop', ...done }
    },
    describe: async () => ({ model: id, nativeTools: true, contextWindow: 100_000 }),
  }
}

async function costOf(id: string, done: Partial<BackendDone>, options?: PriceOptions) {
  for await (const event of withPrices(backend(id, done), options).stream(request)) {
    if (event.type === 'done') return event.cost
  }
  throw new Error('no end')
}

const usage: Usage = { inputTokens: 10_000, outputTokens: 1000 }
const priced = { kind: 'priced', currency: 'USD', source: 'genai-prices 0.1.8', date: '2026-09-23' }

describe('an answer says what it cost', () => {
  test('by the list', async () => {
    expect(await costOf('openai/gpt-5', { usage })).toEqual({ ...priced, amount: expect.closeTo(0.0225, 9) })
  })

  test('by the model that answered, or by the one that was asked where the list does not have that', async () => {
    const cheap = await costOf('openai/gpt-5', { usage, model: 'openai/gpt-5-nano-2025-08-07' })
    expect(cheap).toEqual({ ...priced, amount: expect.closeTo(0.0009, 9) })
    expect(await costOf('openai/gpt-5', { usage, model: 'openai/fp_abc' })).toMatchObject({
      amount: expect.closeTo(0.0225, 9),
    })
  })

  test('by the prices of the user first: of the model, then of the provider', async () => {
    const prices = { 'openai/gpt-5': { input: 1, output: 2, cacheRead: 0.5 }, 'mine/*': { input: 3, output: 4 } }
    const own = { kind: 'priced', currency: 'USD', source: 'settings' }
    expect(await costOf('openai/gpt-5', { usage }, { prices })).toEqual({ ...own, amount: 0.012 })
    const cached = { ...usage, cacheReadTokens: 4000, cacheWriteTokens: 1000 }
    expect(await costOf('openai/gpt-5', { usage: cached }, { prices })).toEqual({ ...own, amount: 0.01 })
    expect(await costOf('mine/a/b', { usage }, { prices })).toEqual({ ...own, amount: 0.034 })
    expect(await costOf('mine/a', { usage }, { prices: { 'mine/*': 'local' } })).toEqual({ kind: 'local' })
  })

  test('with what Anthropic keeps for an hour at twice the price', async () => {
    const written = { inputTokens: 10_000, outputTokens: 0, cacheWriteTokens: 10_000 }
    const kept = (count: number) => ({
      providerMetadata: { anthropic: { usage: { cache_creation: { ephemeral_1h_input_tokens: count } } } },
    })
    const id = 'anthropic/claude-opus-4-5'
    expect(await costOf(id, { usage: written })).toMatchObject({ amount: expect.closeTo(0.0625, 9) })
    expect(await costOf(id, { usage: written, ...kept(10_000) })).toMatchObject({ amount: expect.closeTo(0.1, 9) })
    expect(await costOf(id, { usage: written, ...kept(99_999) })).toMatchObject({ amount: expect.closeTo(0.1, 9) })
  })

  test('as the provider reported it, where it does', async () => {
    const cost = { kind: 'priced', amount: 0.5, currency: 'USD', source: 'openrouter' } as const
    expect(await costOf('openrouter/openai/gpt-5', { usage, cost })).toEqual(cost)
  })

  test.for(['ollama/qwen3:8b', 'llamacpp/x', 'lmstudio/x', 'vllm/x'])(
    '%s is local, with and without usage',
    async (id) => {
      expect(await costOf(id, {})).toEqual({ kind: 'local' })
      expect(await withPrices(backend(id, {})).describe?.()).toMatchObject({ local: true })
      expect(await withPrices(backend(id, {})).priceCeiling?.()).toEqual({ kind: 'local' })
    },
  )

  test('what Ollama only passes on is not local', async () => {
    expect(await costOf('ollama/gpt-oss:120b-cloud', { usage })).toBeUndefined()
  })
})

describe('an unknown cost stays unknown', () => {
  test.for<[string, Usage | undefined]>([
    ['no usage', undefined],
    ['no count of the request', { outputTokens: 5 }],
    ['no count of the answer', { inputTokens: 5 }],
    ['more cached than there is', { inputTokens: 10, outputTokens: 1, cacheReadTokens: 50 }],
    [
      'more read and written than there is',
      { inputTokens: 10, outputTokens: 1, cacheReadTokens: 6, cacheWriteTokens: 6 },
    ],
    ['more thinking than answer', { inputTokens: 10, outputTokens: 1, reasoningTokens: 2 }],
    ['a negative count', { inputTokens: -10, outputTokens: 1 }],
    ['a count that is no number', { inputTokens: Number.NaN, outputTokens: 1 }],
    ['an absurd count', { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1 }],
    ['a request of no tokens', { inputTokens: 0, outputTokens: 0 }],
    ['half a token', { inputTokens: 1.5, outputTokens: 1 }],
  ])('with %s', async ([, told]) => {
    expect(await costOf('openai/gpt-5', told === undefined ? {} : { usage: told })).toBeUndefined()
  })

  test('for a model without a price, and for its budget', async () => {
    expect(await costOf('openai/gpt-99', { usage })).toBeUndefined()
    expect(await withPrices(backend('openai/gpt-99', {})).priceCeiling?.()).toBeUndefined()
  })

  test('for an answer that was cut off', async () => {
    expect(await costOf('openai/gpt-5', { usage, finishReason: 'interrupted' })).toBeUndefined()
  })
})

test('backendFor prices what it makes', async () => {
  const variables = { OPENAI_API_KEY: 'sk-test' }
  const { currency: _currency, ...list } = priced
  expect(await backendFor('openai/gpt-5', { variables }).priceCeiling?.()).toEqual({ ...list, input: 1.25, output: 10 })
  const providers = { work: { api: 'openai', baseUrl: 'https://api.openai.com/v1' } } as const
  expect(await backendFor('work/gpt-5', { variables, providers }).priceCeiling?.()).toMatchObject({ input: 1.25 })
  const home = { home: { api: 'ollama' } } as const
  expect(await backendFor('home/qwen3', { providers: home, contextWindow: 8192 }).priceCeiling?.()).toEqual({
    kind: 'local',
  })
})
