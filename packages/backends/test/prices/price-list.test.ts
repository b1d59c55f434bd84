import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { modelFacts } from '../../src/prices/model-facts.ts'
import { listedCeiling, listedCost, priceSource } from '../../src/prices/price-list.ts'

const time = Date.parse('2026-11-19T12:00:00Z')
const tokens = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 }

test('the list names the version that is installed', () => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const { version }: { version: string } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'))
  expect(priceSource.source).toBe(`genai-prices ${version}`)
})

describe('a cost', () => {
  const small = { input: 10_000, output: 1_000, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 }

  test.for([
    ['anthropic', 'claude-opus-4-5', 0.075],
    ['anthropic', 'claude-opus-4-5-20251101', 0.075],
    ['openrouter', 'anthropic/claude-opus-4.5', 0.075],
    ['openai', 'gpt-5-2025-08-07', 0.0225],
    ['azure', 'gpt-5', 0.0225],
  ] as const)('of %s %s is that of the list, dates and prefixes in the name included', ([provider, model, usd]) => {
    expect(listedCost({ provider, model }, small, time)).toBeCloseTo(usd, 9)
  })

  test('has the prices of cached tokens for those', () => {
    const model = { provider: 'anthropic', model: 'claude-opus-4-5' }
    const cost = (more: object) => listedCost(model, { ...small, output: 0, ...more }, time)
    expect(cost({})).toBeCloseTo(0.05, 9)
    expect(cost({ cacheRead: 10_000 })).toBeCloseTo(0.005, 9)
    expect(cost({ cacheWrite: 10_000 })).toBeCloseTo(0.0625, 9)
    expect(cost({ cacheWrite: 10_000, cacheWriteHour: 10_000 })).toBeCloseTo(0.1, 9)
    expect(cost({ cacheRead: 4000, cacheWrite: 5000 })).toBeCloseTo(0.002 + 0.03125 + 0.005, 9)
  })

  test('counts thinking once: it is a part of the answer', () => {
    const model = { provider: 'openai', model: 'gpt-5' }
    expect(listedCost(model, { ...small, reasoning: 900 }, time)).toBe(listedCost(model, small, time))
  })

  test('depends on the time, where the list says so', () => {
    const model = { provider: 'deepseek', model: 'deepseek-chat' }
    const at = (hour: string) => listedCost(model, tokens, Date.parse(`2026-11-19T${hour}:00Z`))
    expect(at('12:00')).not.toBe(at('20:00'))
  })

  test.for([
    ['a model that the list does not have', { provider: 'openai', model: 'gpt-99' }],
    ['a provider whose name contains that of another', { provider: 'my-openai-proxy', model: 'gpt-5' }],
    ['a provider with the name of a property of all objects', { provider: 'constructor', model: 'gpt-5' }],
    [
      'a server whose path looks like an address',
      { provider: 'x', model: 'gpt-5', baseUrl: 'http://h/api.openai.com' },
    ],
  ] as const)('is not known for %s', ([, model]) => {
    expect(listedCost(model, small, time)).toBeUndefined()
    expect(listedCeiling(model, 100_000, time)).toBeUndefined()
  })

  test('of a provider under a name of the user is found by its address', () => {
    const model = { provider: 'work', model: 'gpt-5', baseUrl: 'https://api.openai.com/v1' }
    expect(listedCost(model, small, time)).toBeCloseTo(0.0225, 9)
  })
})

describe('the highest prices', () => {
  const models = [
    ['anthropic', 'claude-sonnet-4-5'],
    ['deepseek', 'deepseek-chat'],
    ['deepseek', 'deepseek-v4-pro'],
    ['google', 'gemini-2.5-pro'],
    ['openai', 'gpt-5.1'],
    ['openrouter', 'anthropic/claude-sonnet-4.5'],
    ['openrouter', 'perplexity/sonar-deep-research'],
  ] as const

  test.for(models)('of %s %s are not below any cost', ([provider, model]) => {
    const at = { provider, model }
    const window = 300_000
    const ceiling = listedCeiling(at, window, time)
    for (const input of [1, 1000, 199_999, 200_001, window]) {
      for (const [read, write] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [0.5, 0.5],
      ] as const) {
        for (const hours of [0, 3, 9, 14, 21]) {
          const usage = {
            input,
            output: 8000,
            cacheRead: Math.floor(input * read),
            cacheWrite: Math.floor(input * write),
            cacheWriteHour: 0,
            reasoning: 4000,
          }
          const cost = listedCost(at, usage, time + hours * 3_600_000) ?? Number.NaN
          const most = ((ceiling?.input ?? 0) * input + (ceiling?.output ?? 0) * 8000) / 1_000_000
          expect(cost).toBeLessThanOrEqual(most * (1 + 1e-9))
        }
      }
    }
  })
})

test('the list knows windows of models', async () => {
  expect(await modelFacts('anthropic/claude-opus-4-5')).toEqual({ contextWindow: 200_000 })
  expect(await modelFacts('anthropic/unheard-of')).toEqual({})
})
