import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'

const claude = (model: string, fields: object) => ({
  path: '/v1/messages',
  body: { model, max_tokens: 9000, messages: [{ role: 'user', content: 'Hi.' }], ...fields },
})
const responses = (model: string, effort: string) => ({
  path: '/v1/responses',
  body: { model, input: 'Hi.', reasoning: { effort } },
})
const chat = (model: string, effort: string) => ({
  path: '/v1/chat/completions',
  body: { model, messages: [{ role: 'user', content: 'Hi.' }], reasoning_effort: effort },
})
const gemini = (model: string, thinkingConfig: object) => ({
  path: `/v1beta/models/${model}:generateContent`,
  body: { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }], generationConfig: { thinkingConfig } },
})

const budget = { thinking: { type: 'enabled', budget_tokens: 2048 } }
const adaptive = { thinking: { type: 'adaptive' } }
const off = { thinking: { type: 'disabled' } }
const low = { output_config: { effort: 'low' } }

interface Request {
  readonly path: string
  readonly body: object
}

async function asked({ path, body }: Request) {
  await using server = await wireServer({ lines: [{ text: 'Hi.', repeat: 'any' }] })
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer k',
    'x-goog-api-key': 'k',
    'x-api-key': 'k',
    'anthropic-version': '2023-06-01',
  }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, rules: server.requests[0]?.violations.map(({ rule }) => rule) }
}

describe('how much to think', () => {
  test.each<Request>([
    claude('claude-sonnet-4-5', budget),
    claude('claude-opus-4-6', budget),
    claude('claude-opus-4-6', { ...adaptive, ...low }),
    claude('claude-opus-5', { ...off, ...low }),
    claude('claude-opus-5-5', low),
    claude('claude-sonnet-5-5', { thinking: { type: 'between_tools' } }),
    claude('claude-sonnet-4-5', { ...budget, temperature: 1 }),
    claude('claude-opus-4-5', { ...budget, ...low }),
    claude('some-other', { ...budget, ...low }),
    responses('gpt-5', 'minimal'),
    responses('gpt-5.1', 'none'),
    responses('gpt-99', 'whatever'),
    chat('qwen3', 'none'),
    gemini('gemini-2.5-flash', { thinkingBudget: 0 }),
    gemini('gemini-3-pro', { thinkingLevel: 'low' }),
  ])('is taken as the model knows it: $path $body', async (request) => {
    expect(await asked(request)).toEqual({ status: 200, rules: [] })
  })

  test.each<Request>([
    claude('claude-opus-4-8', budget),
    claude('claude-sonnet-5', budget),
    claude('claude-sonnet-4-5', adaptive),
    claude('claude-haiku-4-5', low),
    claude('claude-opus-5-5', off),
    claude('claude-fable-5-1', off),
    claude('claude-opus-5', { thinking: { type: 'between_tools' } }),
    claude('claude-sonnet-5', { temperature: 0.3 }),
    claude('claude-sonnet-4-5', { ...budget, temperature: 0.3 }),
    claude('claude-sonnet-4-5', { ...budget, top_k: 5 }),
    claude('some-other', { ...budget, temperature: 0.3 }),
    responses('gpt-5', 'none'),
    responses('gpt-5.1', 'minimal'),
    responses('gpt-4o', 'low'),
    chat('gpt-4.1', 'low'),
    chat('gpt-5-pro', 'low'),
    gemini('gemini-2.5-pro', { thinkingBudget: 0 }),
    gemini('gemini-2.5-flash', { thinkingLevel: 'low' }),
    gemini('gemini-2.0-flash', { thinkingBudget: 100 }),
    gemini('gemini-3-pro', { thinkingBudget: 100, thinkingLevel: 'low' }),
  ])('is refused otherwise: $path $body', async (request) => {
    expect(await asked(request)).toEqual({ status: 400, rules: ['thinkingSettings'] })
  })

  test('may not go with a tool that has to be called', async () => {
    const tools = [{ name: 'a', input_schema: { type: 'object' } }]
    const forced = { ...budget, tools, tool_choice: { type: 'any' } }
    expect(await asked(claude('claude-sonnet-4-5', forced))).toEqual({ status: 400, rules: ['thinkingSettings'] })
  })
})
