import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type Part as GooglePart } from '@google/genai'
import type { Backend, Message, Part } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems'
import { expect, test } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { differences } from './differences.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'
const options = { apiKey, variables: {} }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const system = 'Be brief.'
const asks = 'Create these.'
const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const }, content: { type: 'string' as const } },
  required: ['path'],
}
const description = 'Writes a file.'
const limit = 2048

const works: WireLine = {
  reasoning: 'Two files.',
  text: 'On it.',
  calls: [call('write', { path: 'a.txt' }), call('write', { path: 'b.txt' })],
}
const lines: readonly WireLine[] = [works, { text: 'Done.' }]
const outcomes = ['Wrote a.txt.', 'Wrote b.txt.'] as const

/** The body of the second request that the backend makes: behind an answer with calls, and their results. */
async function ofBackend(at: (url: string) => Backend) {
  await using server = await wireServer({ lines })
  const backend = at(server.url)
  const image: Part = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } }
  const shown: Message = { ...user(asks), content: [{ type: 'text', text: asks }, image] }
  const { done } = await hear(backend.stream(request({ messages: [shown], maxOutputTokens: limit })))
  const ids = done.content.flatMap((part) => (part.type === 'call' ? [part.call.id] : []))
  const messages = [shown, assistant('r1', ...done.content), ...ids.map((id, at) => result(id, outcomes[at] ?? ''))]
  await hear(backend.stream(request({ messages, maxOutputTokens: limit })))
  return bodyOf(server)
}

/** The body of the second request that the official client makes of the same conversation. */
async function ofClient(talk: (url: string) => Promise<void>) {
  await using server = await wireServer({ lines })
  await talk(server.url)
  return bodyOf(server)
}

function bodyOf(server: WireServer): unknown {
  server.assertDone()
  return server.requests[1]?.body
}

const dataUrl = `data:image/png;base64,${pixel}`

async function chatWithOpenAI(url: string, model: string, more: object): Promise<void> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey })
  const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    {
      role: 'user',
      content: [
        { type: 'text', text: asks },
        { type: 'image_url', image_url: { url: dataUrl } },
      ],
    },
  ]
  const ask = () =>
    client.chat.completions
      .stream({
        model,
        messages,
        ...more,
        tools: [{ type: 'function', function: { name: 'write', description, parameters: schema } }],
        stream_options: { include_usage: true },
      })
      .finalChatCompletion()
  const { choices } = await ask()
  const { content = null, tool_calls: calls = [] } = choices[0]?.message ?? {}
  messages.push({ role: 'assistant', content, tool_calls: calls })
  for (const [at, { id }] of calls.entries())
    messages.push({ role: 'tool', tool_call_id: id, content: outcomes[at] ?? '' })
  await ask()
}

async function respondWithOpenAI(url: string): Promise<void> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey })
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'developer', content: system },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: asks },
        { type: 'input_image', image_url: dataUrl, detail: 'auto' },
      ],
    },
  ]
  const ask = () =>
    client.responses
      .stream({
        model: 'gpt-5',
        input,
        max_output_tokens: limit,
        tools: [{ type: 'function', name: 'write', description, parameters: schema, strict: false }],
        store: false,
        include: ['reasoning.encrypted_content'],
      })
      .finalResponse()
  const { output } = await ask()
  input.push(...toResponseInputItems(output))
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
  for (const [at, { call_id }] of calls.entries())
    input.push({ type: 'function_call_output', call_id, output: outcomes[at] ?? '' })
  await ask()
}

async function messageAnthropic(baseURL: string): Promise<void> {
  const client = new Anthropic({ baseURL, apiKey })
  const messages: Anthropic.MessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: asks },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
      ],
    },
  ]
  const ask = () =>
    client.messages
      .stream({
        model: 'm',
        max_tokens: limit,
        system,
        messages,
        tools: [{ name: 'write', description, input_schema: schema }],
      })
      .finalMessage()
  const { content } = await ask()
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
  const results = calls.map(({ id }, at) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: outcomes[at] ?? '',
  }))
  messages.push({ role: 'assistant', content }, { role: 'user', content: results })
  await ask()
}

async function generateWithGoogle(baseUrl: string): Promise<void> {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } })
  const contents = [
    { role: 'user', parts: [{ text: asks }, { inlineData: { mimeType: 'image/png', data: pixel } }] },
  ] as {
    role: string
    parts: GooglePart[]
  }[]
  const ask = async () => {
    const parts: GooglePart[] = []
    const stream = await client.models.generateContentStream({
      model: 'gemini-3-pro',
      contents,
      config: {
        systemInstruction: system,
        maxOutputTokens: limit,
        tools: [{ functionDeclarations: [{ name: 'write', description, parametersJsonSchema: schema }] }],
      },
    })
    for await (const { candidates } of stream) parts.push(...(candidates?.[0]?.content?.parts ?? []))
    return parts
  }
  const parts = await ask()
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
  const results = calls.map(({ id = '', name = '' }, at): GooglePart => {
    return { functionResponse: { id, name, response: { output: outcomes[at] } } }
  })
  contents.push({ role: 'model', parts }, { role: 'user', parts: results })
  await ask()
}

async function chatWithOllama(host: string): Promise<void> {
  const client = new Ollama({ host })
  const messages: Parameters<typeof client.chat>[0]['messages'] = [
    { role: 'system', content: system },
    { role: 'user', content: asks, images: [pixel] },
  ]
  const tools = [{ type: 'function', function: { name: 'write', description, parameters: schema } }]
  const ask = async () => {
    const said = { role: 'assistant', content: '', thinking: '', tool_calls: [] as any[] }
    const asked = { model: 'm', messages, tools, options: { num_predict: limit } }
    for await (const { message } of await client.chat({ ...asked, stream: true })) {
      said.content += message.content
      said.thinking += message.thinking ?? ''
      said.tool_calls.push(...(message.tool_calls ?? []))
    }
    return said
  }
  const said = await ask()
  messages.push(said)
  for (const at of said.tool_calls.keys())
    messages.push({ role: 'tool', tool_name: 'write', content: outcomes[at] ?? '' })
  await ask()
}

interface Compared {
  readonly name: string
  readonly at: (url: string) => Backend
  readonly talk: (url: string) => Promise<void>
  /** Every place where the two differ, and why ours is as it is. */
  readonly why: Readonly<Record<string, string>>
}

const word = 'a text that is the only part of a message needs no list'
const byCallId = 'a result finds its call by its call_id, and whose item it was does not matter where nothing is stored'
const inContent = 'the AI SDK puts a result under `content`, with the name of the tool; Google reads any object'

const compared: readonly Compared[] = [
  {
    name: 'openai, chat',
    at: (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'gpt-5', api: 'chat' }),
    talk: (url) => chatWithOpenAI(url, 'gpt-5', { max_completion_tokens: limit }),
    why: {
      store: 'the session is the history: nothing is to be kept',
      'messages[0].role': 'what was called system is called developer for models that reason',
    },
  },
  {
    name: 'openaiCompatible',
    at: (url) => openaiCompatible({ ...options, baseUrl: `${url}/v1`, model: 'm' }),
    talk: (url) => chatWithOpenAI(url, 'm', { max_tokens: limit }),
    why: {
      'messages[2].reasoning_content': 'servers of open models want their thoughts back; OpenAI has no field for them',
    },
  },
  {
    name: 'openai',
    at: (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'gpt-5' }),
    talk: respondWithOpenAI,
    why: {
      'input[1].content[1].detail': '`auto` is what OpenAI takes by itself',
      'input[3].content': word,
      'input[3].type': 'a message may leave out that it is one',
      'input[3].id': byCallId,
      'input[3].status': 'what is sent back is complete',
      'input[4].id': byCallId,
      'input[4].status': 'what is sent back is complete',
      'input[5].id': byCallId,
      'input[5].status': 'what is sent back is complete',
    },
  },
  {
    name: 'anthropic',
    at: (url) => anthropic({ ...options, baseUrl: url, model: 'm' }),
    talk: messageAnthropic,
    why: {
      system: 'instructions are a list of texts, so that the last can have a cache mark',
      'tools[0].eager_input_streaming': 'arguments are shown as they come',
      'tools[0].cache_control': 'a cache mark: tools stay the same',
      'messages[0].content[1].cache_control': 'a cache mark, where the request before ended',
      'messages[2].content[1].cache_control': 'a cache mark, where this one ends',
    },
  },
  {
    name: 'google',
    at: (url) => google({ ...options, baseUrl: url, model: 'gemini-3-pro' }),
    talk: generateWithGoogle,
    why: {
      'contents[1].parts[4]': 'the empty text at the end of a stream says nothing',
      'contents[2].parts[0].functionResponse.response.name': inContent,
      'contents[2].parts[0].functionResponse.response.content': inContent,
      'contents[2].parts[0].functionResponse.response.output': inContent,
      'contents[2].parts[1].functionResponse.response.name': inContent,
      'contents[2].parts[1].functionResponse.response.content': inContent,
      'contents[2].parts[1].functionResponse.response.output': inContent,
      'systemInstruction.role': 'instructions have no role',
    },
  },
  {
    name: 'ollama',
    at: (url) => ollama({ ...options, baseUrl: url, model: 'm' }),
    talk: chatWithOllama,
    why: {
      'messages[2].tool_calls[0].function.index': 'calls stand in their order',
      'messages[2].tool_calls[1].function.index': 'calls stand in their order',
      'messages[3].tool_call_id': 'Ollama takes the id of the call as well, where it gave one',
      'messages[4].tool_call_id': 'Ollama takes the id of the call as well, where it gave one',
      truncate: 'a prompt that is too long is to be refused, not cut without a word',
      shift: 'an answer that is too long ends, instead of pushing out what came first',
      keep_alive: 'a turn takes longer than the five minutes for which a model stays loaded by itself',
      'options.num_ctx': 'the usual window is too small for an agent',
    },
  },
]

test.each(compared)(
  '$name sends what the official client sends, but for what is told here',
  async ({ at, talk, why }) => {
    const places = differences(await ofBackend(at), await ofClient(talk)).map((difference) => difference.at)
    expect(places.toSorted()).toEqual(Object.keys(why).toSorted())
  },
)
