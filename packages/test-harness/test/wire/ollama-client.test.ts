import { type ChatResponse, type Message, Ollama } from 'ollama'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { answers, expectedCalls, lines, question, readSchema, results } from './conversation.ts'

const tools = [{ type: 'function', function: { name: 'read', description: 'Reads a file', parameters: readSchema } }]

async function ask(client: Ollama, mode: 'stream' | 'whole', messages: Message[]): Promise<ChatResponse[]> {
  const request = { model: 'm', messages, tools, think: true, options: { num_ctx: 8192 } }
  if (mode === 'whole') return [await client.chat({ ...request, stream: false })]
  const parts: ChatResponse[] = []
  for await (const part of await client.chat({ ...request, stream: true })) parts.push(part)
  return parts
}

const joined = (parts: readonly ChatResponse[], of: 'content' | 'thinking') =>
  parts.map(({ message }) => message[of] ?? '').join('')

describe('the client of Ollama', () => {
  test.each(answers)('has a conversation with thinking and two calls, each answer as a %s', async (mode) => {
    await using server = await wireServer({ lines })
    const client = new Ollama({ host: server.url })
    const messages: Message[] = [{ role: 'user', content: question }]
    const first = await ask(client, mode, messages)
    expect(joined(first, 'thinking')).toBe('Two files, then.')
    expect(joined(first, 'content')).toBe('I read both.')
    const calls = first.flatMap(({ message }) => message.tool_calls ?? [])
    expect(calls.map(({ function: { name, arguments: input } }) => ({ name, input }))).toEqual(
      expectedCalls.map(({ name, input }) => ({ name, input })),
    )
    expect(first.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 120, eval_count: 40 })
    messages.push(
      { role: 'assistant', content: 'I read both.', tool_calls: calls },
      ...results.map((content) => ({ role: 'tool', tool_name: 'read', content })),
    )
    const second = await ask(client, mode, messages)
    expect(joined(second, 'content')).toBe('Größe: 12 Äpfel 🍎.')
    server.assertDone()
  })

  test('sees what the server is and has', async () => {
    await using server = await wireServer({
      lines: [],
      models: [{ id: 'small', contextWindow: 4096, capabilities: ['tools'] }],
    })
    const client = new Ollama({ host: server.url })
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['small'])
    expect(await client.show({ model: 'small:latest' })).toMatchObject({
      capabilities: ['completion', 'tools'],
      model_info: { 'scripted.context_length': 4096 },
    })
    expect((await client.ps()).models).toMatchObject([{ name: 'small', context_length: 4096 }])
    expect(await client.version()).toEqual({ version: '0.12.0' })
    await expect(client.show({ model: 'huge' })).rejects.toThrow("model 'huge' not found")
    expect(await (await fetch(server.url)).text()).toBe('Ollama is running')
  })

  test('loads a model and lets it go without a line', async () => {
    await using server = await wireServer({ lines: [] })
    const client = new Ollama({ host: server.url })
    expect(await client.chat({ model: 'm', messages: [] })).toMatchObject({ done: true, done_reason: 'load' })
    const unloaded = await client.chat({ model: 'm', messages: [], keep_alive: 0 })
    expect(unloaded.done_reason).toBe('unload')
    server.assertDone()
  })

  test('learns that a model has no tools and cannot think', async () => {
    await using server = await wireServer({ lines: [], models: [{ id: 'small', capabilities: [] }] })
    const client = new Ollama({ host: server.url })
    const messages: Message[] = [{ role: 'user', content: 'Hi' }]
    await expect(client.chat({ model: 'small', messages, tools })).rejects.toThrow(
      'registry.ollama.ai/library/small does not support tools',
    )
    await expect(client.chat({ model: 'small', messages, think: true })).rejects.toThrow(
      '"small" does not support thinking',
    )
  })

  test('meets arguments that are no JSON as an error of the server', async () => {
    const line = {
      text: 'I read.',
      calls: [{ name: 'read', input: { path: 'a' } }],
      fault: { type: 'malformed_call' },
    } as const
    await using server = await wireServer({ lines: [line, line] })
    const client = new Ollama({ host: server.url })
    const messages: Message[] = [{ role: 'user', content: 'Hi' }]
    await expect(client.chat({ model: 'm', messages, tools })).rejects.toThrow('error parsing tool call')
    const seen: string[] = []
    const streamed = (async () => {
      for await (const { message } of await client.chat({ model: 'm', messages, tools, stream: true }))
        seen.push(message.content)
    })()
    await expect(streamed).rejects.toThrow('error parsing tool call')
    expect(seen).toEqual(['I read.'])
    server.assertDone()
  })
})
