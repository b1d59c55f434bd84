import OpenAI from 'openai'
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { answers, expectedCalls, lines, question, readSchema, results } from './conversation.ts'

type Input = OpenAI.Responses.ResponseInputItem[]
type Item = OpenAI.Responses.ResponseOutputItem

const tools = [{ type: 'function' as const, name: 'read', parameters: readSchema, strict: false }]

const clientOf = (url: string, maxRetries = 0) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-any', maxRetries })

const sealed = {
  store: false,
  include: ['reasoning.encrypted_content' as const],
  reasoning: { effort: 'low' as const },
}

const ask = (client: OpenAI, mode: 'stream' | 'whole', input: Input, more: object = sealed) =>
  mode === 'stream'
    ? client.responses.stream({ model: 'm', input, tools, ...more }).finalResponse()
    : client.responses.create({ model: 'm', input, tools, ...more })

const callsIn = (output: readonly Item[]) => output.flatMap((item) => (item.type === 'function_call' ? [item] : []))

const outputsOf = (output: readonly Item[]): Input =>
  callsIn(output).map(({ call_id }, at) => ({ type: 'function_call_output', call_id, output: results[at] ?? '' }))

describe('the client of OpenAI, with responses', () => {
  test.each(answers)('has a conversation with reasoning and two calls, each answer as a %s', async (mode) => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const input: Input = [{ role: 'user', content: question }]
    const first = await ask(client, mode, input)
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call'])
    expect(first.output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'Two files, then.' }] })
    expect(first.output_text).toBe('I read both.')
    const calls = callsIn(first.output)
    expect(calls.map(({ call_id: id, name, arguments: text }) => ({ id, name, input: JSON.parse(text) }))).toEqual(
      expectedCalls,
    )
    expect(first.usage).toEqual({
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 6 },
      total_tokens: 160,
    })
    input.push(...toResponseInputItems(first.output), ...outputsOf(first.output))
    const second = await ask(client, mode, input)
    expect(second).toMatchObject({ status: 'completed', output_text: 'Größe: 12 Äpfel 🍎.' })
    expect(server.requests[1]?.request?.messages.flatMap((message) => message.results)).toMatchObject([
      { callId: 'call_1', text: 'apples' },
      { callId: 'call_2', text: 'Äpfel' },
    ])
    server.assertDone()
  })

  test('sees text, reasoning and arguments as they come', async () => {
    await using server = await wireServer({ lines })
    const seen: Record<string, string[]> = {}
    const numbers: number[] = []
    const stream = await clientOf(server.url).responses.create({ model: 'm', input: question, tools, stream: true })
    for await (const event of stream) {
      numbers.push(event.sequence_number)
      if ('delta' in event && typeof event.delta === 'string') (seen[event.type] ??= []).push(event.delta)
    }
    expect(seen).toEqual({
      'response.reasoning_summary_text.delta': ['Two', ' files,', ' then.'],
      'response.output_text.delta': ['I', ' read', ' both.'],
      'response.function_call_arguments.delta': ['{"pat', 'h":"a', '.txt"', '}', '{"pat', 'h":"ü', 'bung.', 'txt"}'],
    })
    expect(numbers).toEqual(numbers.map((_number, at) => at))
  })

  test('is told that an answer is not whole', async () => {
    await using server = await wireServer({ lines: [{ text: 'One two', finishReason: 'length' }] })
    const response = await ask(clientOf(server.url), 'stream', [{ role: 'user', content: question }])
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  })

  test('may refer to what the server keeps, and not to what it does not keep', async () => {
    await using server = await wireServer({ lines: [...lines, { text: 'Never.' }] })
    const client = clientOf(server.url)
    const input: Input = [{ role: 'user', content: question }]
    const { output } = await ask(client, 'whole', input, {})
    const kept: Input = output.map((item): Input[number] =>
      item.type === 'function_call' ? item : { type: 'item_reference', id: item.id ?? '' },
    )
    input.push(...kept, ...outputsOf(output))
    expect(await ask(client, 'whole', input, {})).toMatchObject({ output_text: 'Größe: 12 Äpfel 🍎.' })
    const asked = ask(client, 'whole', input, sealed)
    await expect(asked).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(asked).rejects.toThrow('Items are not persisted when `store` is set to false.')
  })

  test('gets reasoning back that was changed on its way', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const input: Input = [{ role: 'user', content: question }]
    const { output } = await ask(client, 'whole', input)
    const changed = output.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: item.encrypted_content?.slice(0, -4) ?? null } : item,
    )
    input.push(...toResponseInputItems(changed), ...outputsOf(output))
    await expect(ask(client, 'whole', input)).rejects.toMatchObject({ status: 400, code: 'invalid_encrypted_content' })
    expect(server.requests[1]?.violations).toMatchObject([{ rule: 'thinkingSealed', index: 1 }])
  })

  test('gets a call back whose reasoning was left out', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const input: Input = [{ role: 'user', content: question }]
    const { output } = await ask(client, 'whole', input)
    input.push(...toResponseInputItems(output.slice(1)), ...outputsOf(output))
    const asked = ask(client, 'whole', input)
    await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    await expect(asked).rejects.toThrow(
      /of type 'function_call' was provided without its required 'reasoning' item: 'rs_/,
    )
  })

  test('is told to wait, and that its prompt is too long, and that its key is missing', async () => {
    await using server = await wireServer({
      lines: [{ fault: { type: 'throw', kind: 'rate_limited', retryAfterMs: 20 } }, { text: 'Now.' }],
      models: [{ id: 'm', contextWindow: 100 }],
    })
    const client = clientOf(server.url, 1)
    expect((await client.responses.create({ model: 'm', input: 'Hi' })).output_text).toBe('Now.')
    expect(server.requests.map(({ status }) => status)).toEqual([429, 200])
    await expect(client.responses.create({ model: 'm', input: 'word '.repeat(200) })).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      message: expect.stringContaining('Your input exceeds the context window of this model.'),
    })
    await expect(client.responses.create({ model: 'large', input: 'Hi' })).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    const keyless = await fetch(`${server.url}/v1/responses`, { method: 'POST', body: '{"model":"m","input":"Hi"}' })
    expect([keyless.status, await keyless.json()]).toMatchObject([401, { error: { type: 'invalid_request_error' } }])
  })

  test('meets an error in the middle of a stream, and leaves one', async () => {
    const words = { text: 'eins zwei drei', chunks: 'word' } as const
    await using server = await wireServer({
      lines: [
        { ...words, fault: { type: 'throw', kind: 'overloaded', after: 2 } },
        { ...words, fault: { type: 'stall', after: 2 } },
      ],
    })
    const client = clientOf(server.url)
    const asked = ask(client, 'stream', [{ role: 'user', content: question }])
    await expect(asked).rejects.toThrow('The engine is currently overloaded')
    const stream = client.responses.stream({ model: 'm', input: question })
    for await (const event of stream) if (event.type === 'response.output_text.delta') break
    stream.abort()
    await server.untilIdle()
    expect(server.requests.map(({ end }) => end)).toEqual(['sent', 'left'])
  })

  test('gets a field back that is none', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const asked = client.responses.create({ model: 'm', input: question, max_tokens: 100 } as never)
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'unknown_parameter', param: 'max_tokens' })
    const item = { role: 'user', content: question, name: 'Ann' }
    const nested = client.responses.create({ model: 'm', input: [item] } as never)
    await expect(nested).rejects.toThrow("Unknown parameter: 'input[0].name'.")
  })
})
