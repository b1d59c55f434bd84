import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { expectedCalls, lines, question, readSchema, results } from './conversation.ts'

const tools = [{ type: 'function' as const, function: { name: 'read', parameters: readSchema } }]

const clientOf = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-any', maxRetries: 0 })

type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[]

const toolMessages = (calls: readonly { id: string }[]): Messages =>
  calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: results[at] ?? '' }))

describe('the client of OpenAI', () => {
  test('has a conversation with two calls in whole answers', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const messages: Messages = [{ role: 'user', content: question }]
    const first = await client.chat.completions.create({ model: 'm', messages, tools })
    const message = first.choices[0]?.message
    expect(message).toMatchObject({ content: 'I read both.', reasoning_content: 'Two files, then.' })
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    expect(first.usage).toEqual({
      prompt_tokens: 120,
      completion_tokens: 40,
      total_tokens: 160,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 6 },
    })
    const calls = (message?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
    expect(
      calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input: JSON.parse(input) })),
    ).toEqual(expectedCalls)
    if (message) messages.push(message, ...toolMessages(calls))
    const second = await client.chat.completions.create({ model: 'm', messages, tools })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Größe: 12 Äpfel 🍎.' } })
    server.assertDone()
  })

  test('has the same conversation in streams', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const messages: Messages = [{ role: 'user', content: question }]
    const first = client.chat.completions.stream({
      model: 'm',
      messages,
      tools,
      stream_options: { include_usage: true },
    })
    const fragments: string[] = []
    first.on('tool_calls.function.arguments.delta', ({ arguments_delta: delta }) => fragments.push(delta))
    const completion = await first.finalChatCompletion()
    expect(fragments.slice(0, 5)).toEqual(['', '{"pat', 'h":"a', '.txt"', '}'])
    expect(completion.usage).toMatchObject({ prompt_tokens: 120, completion_tokens: 40 })
    const message = completion.choices[0]?.message
    expect(message?.content).toBe('I read both.')
    const calls = message?.tool_calls ?? []
    expect(calls.map(({ id }) => id)).toEqual(['call_1', 'call_2'])
    if (message)
      messages.push({ role: 'assistant', content: message.content, tool_calls: calls }, ...toolMessages(calls))
    const deltas: string[] = []
    const second = await client.chat.completions.create({ model: 'm', messages, tools, stream: true })
    for await (const chunk of second) deltas.push(chunk.choices[0]?.delta.content ?? '')
    expect(deltas.join('')).toBe('Größe: 12 Äpfel 🍎.')
    expect(deltas).toContain('🍎')
    server.assertDone()
  })

  test('lists models and learns that one is missing', async () => {
    await using server = await wireServer({
      lines: [],
      models: [{ id: 'small', contextWindow: 4096 }, { id: 'large' }],
    })
    const client = clientOf(server.url)
    const listed = await client.models.list()
    expect(listed.data.map(({ id }) => id)).toEqual(['small', 'large'])
    expect(await client.models.retrieve('small')).toMatchObject({ id: 'small', max_model_len: 4096 })
    await expect(client.models.retrieve('huge')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    const asked = client.chat.completions.create({ model: 'huge', messages: [{ role: 'user', content: 'Hi' }] })
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  test('gets a broken history back as a bad request', async () => {
    await using server = await wireServer({ lines })
    const messages: Messages = [
      { role: 'user', content: question },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }] },
    ]
    const asked = clientOf(server.url).chat.completions.create({ model: 'm', messages, tools })
    await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    await expect(asked).rejects.toThrow('did not have response messages: a')
    expect(server.requests[0]?.violations).toMatchObject([{ rule: 'callsAnswered', index: 1 }])
    expect(() => server.assertDone()).toThrow('Request 1 broke the rule callsAnswered at message 1')
  })

  test('is told to wait', async () => {
    await using server = await wireServer({
      lines: [{ fault: { type: 'throw', kind: 'rate_limited', retryAfterMs: 20 } }, { text: 'Now.' }],
    })
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-any', maxRetries: 1 })
    const answer = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    expect(answer.choices[0]?.message.content).toBe('Now.')
    expect(server.requests.map(({ status }) => status)).toEqual([429, 200])
    server.assertDone()
  })
})
