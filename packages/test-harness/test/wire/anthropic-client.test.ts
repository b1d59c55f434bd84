import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { answers, expectedCalls, lines, question, readSchema, results } from './conversation.ts'

const tools = [{ name: 'read', input_schema: readSchema }]

const clientOf = (baseURL: string) => new Anthropic({ baseURL, apiKey: 'sk-any', maxRetries: 0 })

async function ask(client: Anthropic, mode: 'stream' | 'whole', messages: Anthropic.MessageParam[]) {
  const request = {
    model: 'm',
    max_tokens: 4096,
    messages,
    tools,
    thinking: { type: 'enabled' as const, budget_tokens: 1024 },
  }
  return mode === 'stream' ? client.messages.stream(request).finalMessage() : client.messages.create(request)
}

describe('the client of Anthropic', () => {
  test.each(answers)('has a conversation with thinking and two calls, each answer as a %s', async (mode) => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
    const first = await ask(client, mode, messages)
    expect(first.content[0]).toMatchObject({ type: 'thinking', thinking: 'Two files, then.' })
    expect(first.content[1]).toMatchObject({ type: 'text', text: 'I read both.' })
    const calls = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    expect(calls.map(({ id, name, input }) => ({ id, name, input }))).toEqual(expectedCalls)
    expect(first.stop_reason).toBe('tool_use')
    expect(first.usage).toMatchObject({
      input_tokens: 20,
      cache_read_input_tokens: 100,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 6 },
    })
    const content = calls.map(({ id }, at) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: results[at] ?? '',
    }))
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content })
    const second = await ask(client, mode, messages)
    expect(second.content).toMatchObject([{ type: 'text', text: 'Größe: 12 Äpfel 🍎.' }])
    expect(second.stop_reason).toBe('end_turn')
    server.assertDone()
  })

  test('sees text, thinking and arguments as they come', async () => {
    await using server = await wireServer({ lines })
    const seen: Record<string, string[]> = { text: [], thinking: [], inputJson: [] }
    const stream = clientOf(server.url).messages.stream({
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: question }],
      tools,
    })
    stream.on('text', (delta) => seen['text']?.push(delta))
    stream.on('thinking', (delta) => seen['thinking']?.push(delta))
    stream.on('inputJson', (delta) => seen['inputJson']?.push(delta))
    await stream.done()
    expect(seen).toEqual({
      text: ['I', ' read', ' both.'],
      thinking: ['Two', ' files,', ' then.'],
      inputJson: ['{"pat', 'h":"a', '.txt"', '}', '{"pat', 'h":"ü', 'bung.', 'txt"}'],
    })
  })

  test('lists models, counts tokens, and learns that a model is missing', async () => {
    await using server = await wireServer({ lines: [], models: [{ id: 'small' }] })
    const client = clientOf(server.url)
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['small'])
    expect(await client.models.retrieve('small')).toMatchObject({ type: 'model', display_name: 'small' })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hi' }]
    expect((await client.messages.countTokens({ model: 'small', messages })).input_tokens).toBeGreaterThan(5)
    const asked = client.messages.create({ model: 'huge', max_tokens: 9, messages })
    await expect(asked).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await expect(client.models.retrieve('huge')).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })

  test('gets a changed thinking block back as a bad request', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
    const { content } = await ask(client, 'whole', messages)
    const changed = content.map((block) => (block.type === 'thinking' ? { ...block, thinking: 'Redacted.' } : block))
    const done = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'ok' }] : [],
    )
    messages.push({ role: 'assistant', content: changed }, { role: 'user', content: done })
    const asked = ask(client, 'stream', messages)
    await expect(asked).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    await expect(asked).rejects.toThrow('messages.1.content.0: Invalid `signature` in `thinking` block')
  })

  test('brings back a signature that the script made up', async () => {
    const thought = { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 'c2ln' } } } as const
    await using server = await wireServer({
      lines: [{ content: [thought, { type: 'text', text: 'Yes.' }] }, { text: 'Good.' }],
    })
    const client = clientOf(server.url)
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
    const { content } = await ask(client, 'stream', messages)
    expect(content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' })
    messages.push({ role: 'assistant', content }, { role: 'user', content: 'And?' })
    expect((await ask(client, 'whole', messages)).content).toMatchObject([{ text: 'Good.' }])
    server.assertDone()
  })

  test('meets an overloaded server, at once and in the middle of a stream', async () => {
    const overloaded = { type: 'throw', kind: 'overloaded' } as const
    await using server = await wireServer({
      lines: [{ fault: overloaded }, { text: 'a b c', chunks: 'word', fault: { ...overloaded, after: 2 } }],
    })
    const client = clientOf(server.url)
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hi' }]
    await expect(client.messages.create({ model: 'm', max_tokens: 9, messages })).rejects.toMatchObject({
      status: 529,
      error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    })
    const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages })
    const texts: string[] = []
    stream.on('text', (delta) => texts.push(delta))
    await expect(stream.done()).rejects.toThrow('overloaded_error')
    expect(texts).toEqual(['a', ' b'])
    server.assertDone()
  })

  test('is told that there are no threads, and goes on with the whole conversation where it may', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.' }, { text: 'And good.' }] })
    const client = clientOf(server.url)
    const settings = { model: 'm', max_tokens: 9 }
    const asked = client.beta.messages.thread(settings).send({ role: 'user', content: question })
    await expect(asked).rejects.toMatchObject({ status: 400, errorCode: 'thread_unsupported_request' })
    const unsupportedRequestBehavior = 'continue_unthreaded'
    const thread = client.beta.messages.thread({ ...settings, unsupportedRequestBehavior })
    expect((await thread.send({ role: 'user', content: question })).content).toMatchObject([{ text: 'Good.' }])
    expect((await thread.send({ role: 'user', content: 'And?' })).content).toMatchObject([{ text: 'And good.' }])
    expect(server.requests.map(({ status }) => status)).toEqual([400, 400, 200, 200])
    server.assertDone()
  })

  test('sends a thread without the beta, which an older server does not know', async () => {
    await using server = await wireServer({ lines: [] })
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: question }],
      thread: { type: 'create' },
    }
    const asked = clientOf(server.url).messages.create(body as never)
    await expect(asked).rejects.toThrow('thread: Extra inputs are not permitted')
  })

  test('sends fields of a beta with its header alone', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.' }] })
    const client = clientOf(server.url)
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user' as const, content: question }],
      context_management: { edits: [] },
    }
    const plain = client.messages.create(body as Anthropic.MessageCreateParamsNonStreaming)
    await expect(plain).rejects.toThrow('context_management: Extra inputs are not permitted')
    const { content } = await client.beta.messages.create({ ...body, betas: ['context-management-2025-06-27'] })
    expect(content).toMatchObject([{ text: 'Good.' }])
  })
})
