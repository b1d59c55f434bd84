import type { LanguageModelV3 } from '@ai-sdk/provider'
import { type Backend, type ModelRequest, ThinkingLevel } from '@loader/session-core'
import { wireServer } from '@loader/test-harness/wire'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { anthropic, type Fetch, fromLanguageModel, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { thinksByBudget } from '../src/providers/thinking-budget.ts'
import { hear, request } from './requests.ts'

const connection = { apiKey: 'sk-test-0123456789abcdef', variables: {} }

type Maker = (url: string, model: string) => Backend
const claude: Maker = (url, model) => anthropic({ ...connection, baseUrl: url, model })
const responses: Maker = (url, model) => openai({ ...connection, baseUrl: `${url}/v1`, model })
const chat: Maker = (url, model) => openai({ ...connection, baseUrl: `${url}/v1`, model, api: 'chat' })
const xai: Maker = (url, model) => openai({ ...connection, baseUrl: `${url}/v1`, model, provider: 'xai' })
const gemini: Maker = (url, model) => google({ ...connection, baseUrl: url, model })
const compatible: Maker = (url, model) => openaiCompatible({ ...connection, baseUrl: `${url}/v1`, model })
const deepseek: Maker = (url, model) =>
  openaiCompatible({ ...connection, baseUrl: `${url}/v1`, model, provider: 'deepseek' })
const native: Maker = (url, model) => ollama({ variables: {}, baseUrl: url, model })

/** The fields that say how much to think, in any of the protocols. */
const Fields = z.object({
  thinking: z.unknown().optional(),
  output_config: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  reasoning_effort: z.unknown().optional(),
  think: z.unknown().optional(),
  generationConfig: z.object({ thinkingConfig: z.unknown().optional() }).optional(),
})

async function sent(make: Maker, model: string, fields: Partial<ModelRequest>) {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  const { status } = await hear(make(server.url, model).stream(request(fields)))
  server.assertDone()
  const body = server.requests[0]?.body
  const { generationConfig, ...said } = Fields.parse(body)
  const config = generationConfig?.thinkingConfig
  return { body, said: { ...said, ...(config !== undefined && { thinkingConfig: config }) }, notes: status }
}

const adaptive = (effort: string) => ({
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort },
})
const budget = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } })
const effort = (level: string) => ({ reasoning: { effort: level, summary: 'auto' } })
const plain = (level: string) => ({ reasoning_effort: level })
const google25 = (thinkingBudget: number) => ({ thinkingConfig: { includeThoughts: true, thinkingBudget } })
const google3 = (thinkingLevel: string) => ({ thinkingConfig: { includeThoughts: true, thinkingLevel } })

type Four = readonly [off: object, low: object, medium: object, high: object]

/** What goes over the wire for off, low, medium and high. */
const table: readonly (readonly [what: string, make: Maker, model: string, ...levels: Four])[] = [
  [
    'Anthropic, by budget',
    claude,
    'claude-sonnet-4-5',
    { thinking: { type: 'disabled' } },
    budget(6400),
    budget(19_200),
    budget(38_400),
  ],
  [
    'Anthropic, adaptive',
    claude,
    'claude-opus-4-8',
    { thinking: { type: 'disabled' } },
    adaptive('low'),
    adaptive('medium'),
    adaptive('high'),
  ],
  [
    'Anthropic, never off',
    claude,
    'claude-opus-5-5',
    { output_config: { effort: 'low' } },
    adaptive('low'),
    adaptive('medium'),
    adaptive('high'),
  ],
  [
    'Anthropic, between tools',
    claude,
    'claude-sonnet-5-5',
    { thinking: { type: 'between_tools' } },
    adaptive('low'),
    adaptive('medium'),
    adaptive('high'),
  ],
  ['OpenAI', responses, 'gpt-5.1', { reasoning: { effort: 'none' } }, effort('low'), effort('medium'), effort('high')],
  [
    'OpenAI, never off',
    responses,
    'gpt-5',
    { reasoning: { effort: 'minimal' } },
    effort('low'),
    effort('medium'),
    effort('high'),
  ],
  ['xAI', xai, 'grok-4.3', effort('low'), effort('low'), effort('medium'), effort('high')],
  [
    'a deployment on Azure',
    responses,
    'my-deployment',
    { reasoning: { effort: 'none' } },
    effort('low'),
    effort('medium'),
    effort('high'),
  ],
  ['OpenAI, without thoughts', responses, 'gpt-4o', {}, {}, {}, {}],
  ['OpenAI, chat', chat, 'gpt-5.1', plain('none'), plain('low'), plain('medium'), plain('high')],
  ['OpenAI, chat, without thoughts', chat, 'gpt-4.1', {}, {}, {}, {}],
  [
    'Gemini 2.5',
    gemini,
    'gemini-2.5-flash',
    { thinkingConfig: { thinkingBudget: 0 } },
    google25(6554),
    google25(19_661),
    google25(24_576),
  ],
  [
    'Gemini 3',
    gemini,
    'gemini-3-pro',
    { thinkingConfig: { thinkingLevel: 'low' } },
    google3('low'),
    google3('medium'),
    google3('high'),
  ],
  ['Gemini 2.0', gemini, 'gemini-2.0-flash', {}, {}, {}, {}],
  ['a compatible server', compatible, 'qwen3', plain('none'), plain('low'), plain('medium'), plain('high')],
  [
    'DeepSeek',
    deepseek,
    'deepseek-v4',
    { thinking: { type: 'disabled' } },
    { thinking: { type: 'enabled' }, ...plain('low') },
    { thinking: { type: 'enabled' }, ...plain('medium') },
    { thinking: { type: 'enabled' }, ...plain('high') },
  ],
  ['Ollama', native, 'qwen3', { think: false }, { think: true }, { think: true }, { think: true }],
  [
    'Ollama, by level',
    native,
    'gpt-oss:20b',
    { think: 'low' },
    { think: 'low' },
    { think: 'medium' },
    { think: 'high' },
  ],
]

describe.each(table)('%s', (_what, make, model, off, low, medium, high) => {
  const expected = { off, low, medium, high }

  test.each(ThinkingLevel.options)('is told the level %s in its own words', async (thinking) => {
    expect((await sent(make, model, { thinking, maxOutputTokens: 64_000 })).said).toEqual(expected[thinking])
  })

  test('is told nothing when no level is asked for', async () => {
    expect((await sent(make, model, {})).said).toEqual({})
  })
})

describe('a level that a model does not have', () => {
  test.each([
    [claude, 'claude-opus-5-5', 'off', /always uses adaptive thinking/],
    [responses, 'gpt-5', 'off', /cannot think as asked: thinking off .* "minimal"/],
    [responses, 'o3', 'off', /^openai\/o3 always thinks; its lowest level is taken: low\.$/],
    [responses, 'gpt-4o', 'high', /^openai\/gpt-4o does not think\.$/],
    [gemini, 'gemini-2.5-pro', 'off', /128 tokens/],
    [gemini, 'gemini-3-pro', 'off', /"low"/],
    [native, 'gpt-oss:20b', 'off', /always thinks; its lowest level is taken: low/],
    [native, 'qwen3', 'medium', /thinks or does not/],
  ] as const)('is said, and the nearest is taken: %o %s %s', async (make, model, thinking, note) => {
    expect((await sent(make, model, { thinking })).notes.join('\n')).toMatch(note)
  })

  test('is said once', async () => {
    await using server = await wireServer({ lines: [{ text: 'Hi.', repeat: 2 }] })
    const backend = responses(server.url, 'gpt-5')
    expect((await hear(backend.stream(request({ thinking: 'off' })))).status).toHaveLength(1)
    expect((await hear(backend.stream(request({ thinking: 'off' })))).status).toEqual([])
  })

  test('is no fault where there is nothing to switch off', async () => {
    expect((await sent(responses, 'gpt-4o', { thinking: 'off' })).notes).toEqual([])
  })

  test('is taken from the list of the server, where Ollama has one', async () => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    const listing: Fetch = async (url, init) =>
      new URL(url).pathname === '/api/show'
        ? Response.json({ capabilities: ['tools', 'thinking'], thinking: { values: ['low', 'high'] } })
        : fetch(url, init)
    const backend = ollama({ variables: {}, baseUrl: server.url, model: 'new', fetch: listing })
    const { status } = await hear(backend.stream(request({ thinking: 'off' })))
    expect(server.requests.at(-1)?.body).toMatchObject({ think: 'low' })
    expect(status).toContain('new always thinks; its lowest level is taken: low.')
  })
})

describe('a budget of Anthropic', () => {
  test('is part of the limit of an answer, so that it takes and costs no more than it may', async () => {
    const fields = { thinking: 'medium', temperature: 0.3, maxOutputTokens: 10_000 } as const
    const { body } = await sent(claude, 'claude-haiku-4-5', fields)
    expect(body).toMatchObject({ max_tokens: 10_000, thinking: { budget_tokens: 3000 } })
    expect(body).not.toHaveProperty('temperature')
  })

  test.each([
    [2048, { max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    [2047, { max_tokens: 2047, thinking: { type: 'disabled' } }],
  ])('is left out where the limit leaves no room for it: %d', async (maxOutputTokens, expected) => {
    const { body, notes } = await sent(claude, 'claude-haiku-4-5', { thinking: 'low', maxOutputTokens })
    expect(body).toMatchObject(expected)
    expect(notes.some((note) => note.includes('no room for thoughts'))).toBe(maxOutputTokens < 2048)
  })

  test('is a part of what the model can write where there is no limit', async () => {
    const { maxOutputTokens: _limit, ...unlimited } = request({ thinking: 'high' })
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    await hear(claude(server.url, 'claude-haiku-4-5').stream(unlimited))
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 64_000, thinking: { budget_tokens: 38_400 } })
  })
})

describe('a budget that the caller gives', () => {
  const given = (budgetTokens: number) => ({ anthropic: { thinking: { type: 'enabled', budgetTokens } } }) as const
  const models = ['claude-haiku-4-5', 'claude-sonnet-4-6', 'MiniMax-M2']
  const limits = [1, 500, 1024, 2047, 2048, 3000, 9024, 64_000]
  const cases = models.flatMap((model) =>
    [1024, 8000, 63_999].flatMap((own) => limits.map((limit) => ({ model, own, limit }))),
  )

  test.each(sample(cases, { quick: 8 }))(
    'is part of the limit as well, as far as there is room, with marks for an hour: %o',
    async ({ model, own, limit }) => {
      const make: Maker = (url) =>
        anthropic({ ...connection, baseUrl: url, model, providerOptions: given(own), promptCache: '1h' })
      const { body, said, notes } = await sent(make, model, { maxOutputTokens: limit })
      expect(body).toMatchObject({ max_tokens: limit })
      const hasRoom = limit >= 2048
      expect(said).toEqual(hasRoom ? budget(Math.min(own, limit - 1024)) : { thinking: { type: 'disabled' } })
      expect(notes.some((note) => note.includes('no room for thoughts'))).toBe(!hasRoom)
      expect(JSON.stringify(body)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}')
    },
  )
})

test('what the caller says of thinking to the provider goes before a level', async () => {
  const options = { anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } } } as const
  const own: Maker = (url, model) => anthropic({ ...connection, baseUrl: url, model, providerOptions: options })
  const fields = { thinking: 'high', maxOutputTokens: 10_000 } as const
  expect((await sent(own, 'claude-sonnet-4-5', fields)).said).toEqual(budget(2048))
})

test('a model of specification 3 has no levels, and that is said', async () => {
  const model = {
    specificationVersion: 'v3',
    provider: 'own',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not asked')),
    doStream: async (options) => {
      expect(options).not.toHaveProperty('reasoning')
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
      ]
      return { stream: ReadableStream.from(parts) } as Awaited<ReturnType<LanguageModelV3['doStream']>>
    },
  } satisfies LanguageModelV3
  const { status } = await hear(fromLanguageModel(model).stream(request({ thinking: 'high' })))
  expect(status).toEqual([expect.stringContaining('specification 3')])
})

test.each([
  'claude-3-7-sonnet-20250219',
  'claude-opus-4-0',
  'claude-opus-4-20250514',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4@20250514',
  'claude-opus-4-1-20250805',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5',
  'claude-opus-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-6',
  'claude-opus-4-7',
  'claude-opus-4-8',
  'claude-sonnet-5',
  'claude-sonnet-5-5',
  'claude-opus-5',
  'claude-opus-5-5',
  'claude-haiku-5-5',
  'claude-fable-5',
  'claude-fable-5-2',
  'claude-unheard-of-9',
  'MiniMax-M2',
])('what is known of %s agrees with the AI SDK: whether it thinks by a budget', async (model) => {
  const { said } = await sent(claude, model, { thinking: 'medium', maxOutputTokens: 8000 })
  expect(said.thinking).toMatchObject({ type: thinksByBudget(model) ? 'enabled' : 'adaptive' })
})
