import { estimateTokens } from '@loader/compaction'
import {
  type Backend,
  BackendError,
  type BackendEvent,
  type ModelRequest,
  type PriceCeiling,
} from '@loader/session-core'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { AgentConfig } from '../src/index.ts'
import { expectReadByOlderVersion } from './done/older-reader.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const price: PriceCeiling = { kind: 'priced', input: 3, output: 15, source: 'test' }
const words = 'Explain what a.txt holds.'
const files = { 'a.txt': 'Some text.\n' }

/** A number from 0 to 1 for each call, always the same for the same seed. */
function chances(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) / 0x100000000
  }
}

interface Provider {
  readonly backend: Backend
  /** What the provider charges, whether it tells or not. */
  readonly spent: () => number
}

/** A provider that charges each request, tells what it likes, and breaks off some answers that it charges. */
function provider(seed: number, answers: number): Provider {
  const chance = chances(seed)
  let usd = 0
  let asked = 0
  async function* stream(request: ModelRequest): AsyncGenerator<BackendEvent> {
    asked += 1
    const input = Math.ceil(estimateTokens(request).input * (0.5 + 0.75 * chance()))
    const output = Math.floor((request.maxOutputTokens ?? 100_000) * chance())
    const amount = (input * 3 + output * 15) / 1_000_000
    usd += amount
    yield { type: 'text', delta: 'Let me see' }
    const luck = chance()
    if (luck < 0.15) throw new BackendError({ kind: 'interrupted', message: 'cut off' })
    const call = { id: `c${asked}`, name: 'read', input: { file_path: 'a.txt' } }
    const isLast = asked > answers
    const untold = luck < 0.3
    yield {
      type: 'done',
      content: [{ type: 'text', text: `Let me see ${asked}.` }, ...(isLast ? [] : [{ type: 'call', call } as const])],
      finishReason: isLast ? 'stop' : 'tool-calls',
      ...(!untold && {
        usage: { inputTokens: input, outputTokens: output },
        cost: { kind: 'priced', amount, currency: 'USD', source: 'test' } as const,
      }),
    }
  }
  const backend = { id: 'paid/model', stream, priceCeiling: async () => price }
  return { backend, spent: () => usd }
}

describe('what a session costs never exceeds its budget, by the count of the provider', () => {
  test.for(Array.from({ length: times({ quick: 25, ci: 120, long: 2000 }) }, (_, index) => index + 1))(
    'seed %i',
    async (seed) => {
      const { backend, spent } = provider(seed, 12)
      const usd = 0.3 * chances(seed + 7)()
      await using set = await stage([], { backend, files, config: { budget: { usd } } })
      const first = await set.agent.run(words)
      expect(spent()).toBeLessThanOrEqual(usd)
      const history = await set.place.history()
      for (const event of eventsOf(history, 'model.asked')) expect(event.atMostUsd).toBeLessThanOrEqual(usd)
      expectReadByOlderVersion(history)
      if (first.reason !== 'cost_budget_exhausted') return
      // The session is whole, and goes on with a larger budget; the smaller one still ends it at once.
      const before = spent()
      expect(await set.agent.run('Go on.')).toMatchObject({ reason: 'cost_budget_exhausted' })
      expect(spent()).toBe(before)
      const { id } = set.agent.session
      await set.agent.close()
      const agent = set.place.again({ config: { budget: { usd: usd + 5 } } })
      await agent.resumeSession(id)
      expect((await agent.run('Go on.')).reason).not.toBe('cost_budget_exhausted')
      expect(spent()).toBeLessThanOrEqual(usd + 5)
      await agent.close()
    },
  )
})

function paid(ceiling: PriceCeiling | undefined, id = 'paid/model'): Backend {
  return { ...provider(1, 0).backend, id, priceCeiling: async () => ceiling }
}

describe('a budget', () => {
  test.for([0, 1e-12, 0.000001, 0.01])('of $%d ends the turn before the first request', async (usd) => {
    await using set = await stage([], { backend: paid(price), files, config: { budget: { usd } } })
    const result = await set.agent.run(words)
    expect(result.reason).toBe('cost_budget_exhausted')
    expect(result.summary).toMatch(/could exceed the budget.*--max-budget-usd/)
    expect(eventsOf(await set.place.history(), 'model.asked')).toEqual([])
    expect(set.agent.messages).toMatchObject([{ role: 'user', content: [{ text: words }] }])
  })

  test.for([-1, Number.NaN, Number.POSITIVE_INFINITY])('of %d is refused', (usd) => {
    const config: AgentConfig = { budget: { usd } }
    return expect(stage([], { backend: paid(price), files, config })).rejects.toThrow('budget.usd')
  })

  test('of nothing is enough for a local model', async () => {
    const backend = paid({ kind: 'local' })
    await using set = await stage([], { backend, files, config: { budget: { usd: 0 } } })
    expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete' })
  })

  test('with a model of unknown price is refused before anything is recorded, and says what to do', async () => {
    await using set = await stage([], { backend: paid(undefined), files, config: { budget: { usd: 1 } } })
    const refused = set.agent.run(words)
    await expect(refused).rejects.toThrow(/price of paid\/model is not known[^]*"prices"[^]*"unknownPrices"/)
    await expect(set.place.history()).rejects.toThrow('There is no session')
  })

  test('with a fallback of unknown price is refused as well', async () => {
    const config = { budget: { usd: 1 } }
    const fallback = paid(undefined, 'other/model')
    await using set = await stage([], { backend: paid(price), fallback, files, config })
    await expect(set.agent.run(words)).rejects.toThrow('price of other/model is not known')
  })

  test('goes on with an unknown price when the user allows it', async () => {
    const config: AgentConfig = { budget: { usd: 1, unknownPrices: 'allow' } }
    await using set = await stage([], { backend: paid(undefined), files, config })
    expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete' })
  })

  test('limits an answer to what is paid for, and never above the limit of the user', async () => {
    const asked: ModelRequest[] = []
    const { backend } = provider(3, 0)
    const watched: Backend = { ...backend, stream: (request) => (asked.push(request), backend.stream(request)) }
    for (const [usd, most] of [
      [0.05, 16_384],
      [5, 16_384],
      [5, 700],
    ] as const) {
      const limits = most === 700 ? { maxOutputTokens: most } : {}
      await using set = await stage([], { backend: watched, files, config: { budget: { usd }, limits } })
      await set.agent.run(words)
      expect(asked.at(-1)?.maxOutputTokens).toBeLessThanOrEqual(most)
      expect((asked.at(-1)?.maxOutputTokens ?? 0) * 15).toBeLessThanOrEqual(usd * 1_000_000)
    }
  })
})

test('a session says what is known of its cost: local models, and answers that were cut off', async () => {
  const { backend } = provider(1, 0)
  const local: Backend = {
    ...backend,
    describe: async () => ({ model: 'paid/model', nativeTools: true, local: true }),
    async *stream() {
      yield { type: 'text', delta: 'Half' }
      throw new BackendError({ kind: 'interrupted', message: 'cut off' })
    },
  }
  await using set = await stage([], { backend: local, files, config: { limits: { maxAttempts: 2 } } })
  const { usage } = await set.agent.run(words)
  expect(usage).toMatchObject({ requests: 2, cost: { usd: 0, known: 2, local: 2 } })
})
