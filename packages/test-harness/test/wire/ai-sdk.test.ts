import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { expectedCalls, lines, question, readSchema } from './conversation.ts'

interface Provider {
  readonly name: string
  readonly thinks: boolean
  readonly model: (url: string) => LanguageModel
}

const apiKey = 'sk-any'
const providers: readonly Provider[] = [
  {
    name: '@ai-sdk/openai-compatible',
    thinks: true,
    model: (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, includeUsage: true })('m'),
  },
  {
    name: '@ai-sdk/openai',
    thinks: false,
    model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('m'),
  },
  {
    name: '@ai-sdk/openai, responses',
    thinks: true,
    model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5'),
  },
  {
    name: '@ai-sdk/google',
    thinks: true,
    model: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })('gemini-3-pro'),
  },
  {
    name: '@ai-sdk/anthropic',
    thinks: true,
    model: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('m'),
  },
]

const contents: Readonly<Record<string, string>> = { 'a.txt': 'apples', 'übung.txt': 'Äpfel' }

function readTool(paths: string[]) {
  return tool({
    description: 'Reads a file',
    inputSchema: jsonSchema<{ path: string }>(readSchema),
    execute: async ({ path }) => {
      paths.push(path)
      return contents[path] ?? ''
    },
  })
}

describe.each(providers)('the tool loop of ai with $name', ({ model, thinks }) => {
  test('goes on to its end in whole answers', async () => {
    await using server = await wireServer({ lines })
    const paths: string[] = []
    const { text, steps } = await generateText({
      model: model(server.url),
      prompt: question,
      tools: { read: readTool(paths) },
      maxOutputTokens: 4096,
      stopWhen: stepCountIs(3),
    })
    expect(text).toBe('Größe: 12 Äpfel 🍎.')
    expect(steps[0]?.toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }))).toEqual(
      expectedCalls,
    )
    expect(paths).toEqual(['a.txt', 'übung.txt'])
    server.assertDone()
  })

  test('goes on to its end in streams', async () => {
    await using server = await wireServer({ lines })
    const result = streamText({
      model: model(server.url),
      prompt: question,
      tools: { read: readTool([]) },
      maxOutputTokens: 4096,
      stopWhen: stepCountIs(3),
    })
    const deltas: string[] = []
    for await (const delta of result.textStream) deltas.push(delta)
    expect(deltas.join('')).toBe('I read both.Größe: 12 Äpfel 🍎.')
    const [first] = await result.steps
    expect(first?.reasoningText).toBe(thinks ? 'Two files, then.' : undefined)
    expect(first?.usage).toMatchObject({ inputTokens: 120, outputTokens: 40 })
    expect(first?.usage.inputTokenDetails.cacheReadTokens).toBe(100)
    expect(server.requests[1]?.request?.messages.flatMap(({ results }) => results)).toMatchObject([
      { callId: 'call_1', text: 'apples' },
      { callId: 'call_2', text: 'Äpfel' },
    ])
    server.assertDone()
  })

  test('reports a refusal with the words of the provider', async () => {
    await using server = await wireServer({
      lines: [],
      models: ['m', 'gpt-5', 'gemini-3-pro'].map((id) => ({ id, contextWindow: 10 })),
    })
    const asked = generateText({ model: model(server.url), prompt: question, maxOutputTokens: 4096, maxRetries: 0 })
    await expect(asked).rejects.toSatisfy(
      (error: unknown) => APICallError.isInstance(error) && error.statusCode === 400 && !error.isRetryable,
    )
    await expect(asked).rejects.toThrow(/context length|context window|prompt is too long|maximum number of tokens/)
  })
})
