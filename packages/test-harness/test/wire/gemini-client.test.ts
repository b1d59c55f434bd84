import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { answers, expectedCalls, lines, question, readSchema, results } from './conversation.ts'

const config = {
  tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: readSchema }] }],
  thinkingConfig: { includeThoughts: true },
}

const clientOf = (baseUrl: string) => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl } })

interface Asked {
  readonly parts: Part[]
  readonly last: GenerateContentResponse
}

async function ask(
  client: GoogleGenAI,
  mode: 'stream' | 'whole',
  contents: Content[],
  more: object = config,
): Promise<Asked> {
  const request = { model: 'm', contents, config: more }
  if (mode === 'whole') {
    const last = await client.models.generateContent(request)
    return { parts: last.candidates?.[0]?.content?.parts ?? [], last }
  }
  const parts: Part[] = []
  let last: GenerateContentResponse | undefined
  for await (const chunk of await client.models.generateContentStream(request)) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    last = chunk
  }
  if (last === undefined) throw new Error('The stream was empty.')
  return { parts, last }
}

const said = (parts: readonly Part[], thought?: true) =>
  parts.flatMap((part) => (part.text !== undefined && part.thought === thought ? [part.text] : []))

const responsesTo = (parts: readonly Part[]): Part[] =>
  parts
    .flatMap(({ functionCall: call }) => (call ? [call] : []))
    .map(({ id, name }, at) => ({
      functionResponse: { id: id ?? '', name: name ?? '', response: { output: results[at] } },
    }))

const asks = (text: string): Content => ({ role: 'user', parts: [{ text }] })

describe('the client of Google', () => {
  test.each(answers)('has a conversation with thoughts and two calls, each answer as a %s', async (mode) => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const contents = [asks(question)]
    const first = await ask(client, mode, contents)
    expect(said(first.parts, true).join('')).toBe('Two files, then.')
    expect(said(first.parts).join('')).toBe('I read both.')
    const calls = first.parts.filter(({ functionCall }) => functionCall)
    expect(calls.map(({ functionCall: call }) => ({ id: call?.id, name: call?.name, input: call?.args }))).toEqual(
      expectedCalls,
    )
    expect(calls.map(({ thoughtSignature }) => thoughtSignature !== undefined)).toEqual([true, false])
    expect(first.last.candidates?.[0]?.finishReason).toBe('STOP')
    expect(first.last.usageMetadata).toMatchObject({
      promptTokenCount: 120,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 34,
      thoughtsTokenCount: 6,
      totalTokenCount: 160,
    })
    contents.push({ role: 'model', parts: first.parts }, { role: 'user', parts: responsesTo(first.parts) })
    const second = await ask(client, mode, contents)
    expect(said(second.parts).join('')).toBe('Größe: 12 Äpfel 🍎.')
    expect(server.requests[1]?.request?.messages.flatMap((message) => message.results)).toMatchObject([
      { callId: 'call_1', text: 'apples' },
      { callId: 'call_2', text: 'Äpfel' },
    ])
    server.assertDone()
  })

  test.each(answers)('runs its tools by itself, each answer as a %s', async (mode) => {
    await using server = await wireServer({ lines })
    const paths: unknown[] = []
    const tool = {
      tool: async () => config.tools[0] ?? {},
      callTool: async (calls: readonly { id?: string; name?: string; args?: Record<string, unknown> }[]) =>
        calls.map(({ id, name, args }, at): Part => {
          paths.push(args?.['path'])
          return { functionResponse: { id: id ?? '', name: name ?? '', response: { output: results[at] } } }
        }),
    }
    const { parts } = await ask(clientOf(server.url), mode, [asks(question)], { tools: [tool] })
    expect(said(parts).join('')).toContain('Größe: 12 Äpfel 🍎.')
    expect(paths).toEqual(['a.txt', 'übung.txt'])
    server.assertDone()
  })

  test('sees text and thoughts as they come, and calls whole', async () => {
    await using server = await wireServer({ lines })
    const { parts } = await ask(clientOf(server.url), 'stream', [asks(question)])
    expect(said(parts, true)).toEqual(['Two', ' files,', ' then.'])
    expect(said(parts)).toEqual(['I', ' read', ' both.', ''])
    expect(parts.filter(({ functionCall }) => functionCall)).toHaveLength(2)
  })

  test('keeps the signature of a text that was thought about, in a chat', async () => {
    await using server = await wireServer({ lines: [{ reasoning: 'Hm.', text: 'Yes.' }, { text: 'Good.' }] })
    const chat = clientOf(server.url).chats.create({ model: 'm' })
    let text = ''
    for await (const chunk of await chat.sendMessageStream({ message: question })) text += chunk.text ?? ''
    expect(text).toBe('Yes.')
    expect((await chat.sendMessage({ message: 'And?' })).text).toBe('Good.')
    expect(JSON.stringify(server.requests[1]?.body)).toContain('thoughtSignature')
    server.assertDone()
  })

  test('gets back a call without its signature, and one with a piece of it', async () => {
    await using server = await wireServer({ lines })
    const client = clientOf(server.url)
    const { parts } = await ask(client, 'whole', [asks(question)])
    const after = (changed: Part[]) =>
      ask(client, 'whole', [
        asks(question),
        { role: 'model', parts: changed },
        { role: 'user', parts: responsesTo(parts) },
      ])
    const without = parts.map(({ thoughtSignature: _lost, ...part }) => part)
    await expect(after(without)).rejects.toThrow(
      /Function call is missing a thought_signature in functionCall parts.*function call `default_api:read` , position 2/,
    )
    const cut = parts.map((part) =>
      part.thoughtSignature === undefined ? part : { ...part, thoughtSignature: part.thoughtSignature.slice(0, -8) },
    )
    await expect(after(cut)).rejects.toThrow('Corrupted thought signature.')
    const anothers = parts.map((part) =>
      part.thoughtSignature === undefined ? part : { ...part, thoughtSignature: 'x' },
    )
    await expect(after(anothers)).rejects.toThrow('(TYPE_BYTES), Base64 decoding failed')
    expect(server.requests.slice(1).map(({ violations }) => violations[0]?.rule)).toEqual([
      'signaturesPresent',
      'thinkingSealed',
      'thinkingSealed',
    ])
  })

  test('lists models, counts tokens, and learns that a model is missing', async () => {
    await using server = await wireServer({
      lines: [],
      models: [{ id: 'small', contextWindow: 4096 }, { id: 'large' }],
    })
    const client = clientOf(server.url)
    const names: unknown[] = []
    for await (const { name } of await client.models.list()) names.push(name)
    expect(names).toEqual(['models/small', 'models/large'])
    expect(await client.models.get({ model: 'small' })).toMatchObject({ inputTokenLimit: 4096 })
    expect((await client.models.countTokens({ model: 'small', contents: 'Hi' })).totalTokens).toBeGreaterThan(5)
    await expect(client.models.get({ model: 'huge' })).rejects.toMatchObject({ status: 404 })
    const asked = client.models.generateContent({ model: 'huge', contents: 'Hi' })
    await expect(asked).rejects.toBeInstanceOf(ApiError)
    await expect(asked).rejects.toThrow('models/huge is not found for API version v1beta')
  })

  test('is told to wait, that its prompt is too long, and that its key is wrong or missing', async () => {
    await using server = await wireServer({
      scripts: {
        ann: {
          key: 'any',
          lines: [{ fault: { type: 'throw', kind: 'rate_limited', retryAfterMs: 1500 } }],
          models: [{ id: 'm', contextWindow: 100 }],
        },
      },
    })
    const client = clientOf(server.url)
    await expect(client.models.generateContent({ model: 'm', contents: 'Hi' })).rejects.toThrow(
      /RESOURCE_EXHAUSTED.*"retryDelay":"1.5s"/,
    )
    await expect(client.models.generateContent({ model: 'm', contents: 'word '.repeat(200) })).rejects.toThrow(
      /The input token count \(\d+\) exceeds the maximum number of tokens allowed \(100\)/,
    )
    const other = new GoogleGenAI({ apiKey: 'other', httpOptions: { baseUrl: server.url } })
    await expect(other.models.generateContent({ model: 'm', contents: 'Hi' })).rejects.toThrow('API_KEY_INVALID')
    const path = `${server.url}/v1beta/models/m:generateContent`
    const inQuery = await fetch(`${path}?key=any`, { method: 'POST', body: '{}' })
    expect([inQuery.status, await inQuery.json()]).toMatchObject([
      400,
      { error: { message: '* GenerateContentRequest.contents: contents is not specified\n' } },
    ])
    const keyless = await fetch(`${server.urlFor('ann')}/v1beta/models/m:generateContent`, {
      method: 'POST',
      body: '{}',
    })
    expect(keyless.status).toBe(400)
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
    await expect(ask(client, 'stream', [asks(question)])).rejects.toThrow('The model is overloaded')
    const abort = new AbortController()
    const stream = await client.models.generateContentStream({
      model: 'm',
      contents: question,
      config: { abortSignal: abort.signal },
    })
    await stream.next()
    abort.abort()
    await expect(
      (async () => {
        for await (const _chunk of stream);
      })(),
    ).rejects.toMatchObject({ name: 'AbortError' })
    await server.untilIdle()
    expect(server.requests.map(({ end }) => end)).toEqual(['sent', 'left'])
  })

  test('gets a field back that is none, wherever it stands, in either way of writing', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.' }] })
    const send = async (body: object) => {
      const headers = { 'x-goog-api-key': 'any', 'content-type': 'application/json' }
      const path = `${server.url}/v1beta/models/m:generateContent`
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as any }
    }
    const schema = { type: 'OBJECT', properties: { path: { type: 'STRING', additionalProperties: false } } }
    const refused = await send({
      contents: [{ role: 'user', parts: [{ text: 'Hi', name: 'Ann' }] }],
      tools: [{ function_declarations: [{ name: 'read', parameters: schema }] }],
      max_tokens: 100,
    })
    expect(refused).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
    expect(refused.body.error.message.split('\n')).toEqual([
      'Invalid JSON payload received. Unknown name "name" at \'contents[0].parts[0]\': Cannot find field.',
      'Invalid JSON payload received. Unknown name "additionalProperties" at ' +
        "'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.",
      'Invalid JSON payload received. Unknown name "max_tokens": Cannot find field.',
    ])
    expect(refused.body.error.details[0].fieldViolations).toHaveLength(3)
    const taken = await send({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] }],
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      generation_config: { max_output_tokens: 100 },
    })
    expect(taken.status).toBe(200)
    expect(server.requests[1]?.request).toMatchObject({ system: 'Be brief.', maxOutputTokens: 100 })
  })
})
