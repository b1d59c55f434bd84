import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createAzure } from '@ai-sdk/azure'
import { createCerebras } from '@ai-sdk/cerebras'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createFireworks } from '@ai-sdk/fireworks'
import { createVertex } from '@ai-sdk/google-vertex'
import { createGroq } from '@ai-sdk/groq'
import { createMistral } from '@ai-sdk/mistral'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { createTogetherAI } from '@ai-sdk/togetherai'
import { createXai } from '@ai-sdk/xai'
import type { Message } from '@loader/session-core'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { expect, test } from 'vitest'
import { type BackendOptions, backendFor, type Fetch, knownProviders } from '../src/index.ts'
import { differences } from './differences.ts'
import { assistant, rejection, request, result, user } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'
const pixel = 'iVBORw0KGgo='

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The one request that the work sends; it gets no answer. */
async function sentBy(work: (fetch: Fetch) => PromiseLike<unknown>): Promise<Sent> {
  const sent: Sent[] = []
  const fetch: Fetch = async (target, init) => {
    const { 'user-agent': _agent, ...headers } = Object.fromEntries(new Headers(init?.headers))
    const url = target instanceof URL || typeof target === 'string' ? String(target) : target.url
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    sent.push({ url, headers, body })
    return new Response('{"error":{"message":"no"}}', { status: 400, headers: { 'content-type': 'application/json' } })
  }
  await rejection(Promise.resolve(work(fetch)))
  expect(sent).toHaveLength(1)
  return sent[0] as Sent
}

// The same conversation for both: a picture, an answer with a thought and a call, and its result.
const image = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } } as const
const call = { type: 'call', call: { id: 'call00001', name: 'write', input: { path: 'a.txt' } } } as const
const messages: readonly Message[] = [
  { ...user('Look.'), content: [{ type: 'text', text: 'Look.' }, image] },
  assistant('r1', { type: 'reasoning', text: 'One file.' }, { type: 'text', text: 'On it.' }, call),
  result('call00001', 'Wrote a.txt.'),
]
const { tools } = request()

function ofBackend(name: string, options: BackendOptions = {}): Promise<Sent> {
  return sentBy(async (fetch) => {
    const backend = backendFor(name, { apiKey, variables: {}, ...options, fetch })
    for await (const _event of backend.stream(request({ messages }))) continue
  })
}

const toolCall = { type: 'tool-call', toolCallId: 'call00001', toolName: 'write', input: { path: 'a.txt' } } as const
const callOptions = (): LanguageModelV4CallOptions => ({
  prompt: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'One file.' }, { type: 'text', text: 'On it.' }, toolCall],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call00001',
          toolName: 'write',
          output: { type: 'text', value: 'Wrote a.txt.' },
        },
      ],
    },
  ],
  tools: tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
  maxOutputTokens: 500,
})

interface Compared {
  readonly name: string
  /** The model of the provider's own package. */
  readonly theirs: (fetch: Fetch) => Pick<LanguageModelV4, 'doStream'>
  readonly options?: BackendOptions
  readonly callOptions?: Partial<LanguageModelV4CallOptions>
  /** Every place where the two differ, and why ours is as it is. */
  readonly why?: Readonly<Record<string, string>>
}

const usage = 'Groq and OpenRouter document this field, and report the usage at the end of the stream with it'
const nameless = 'the id says which call it is the result of'

const compared: readonly Compared[] = [
  {
    name: 'openrouter/qwen/qwen3',
    theirs: (fetch) => createOpenRouter({ apiKey, fetch })('qwen/qwen3') as unknown as LanguageModelV4,
    why: {
      'body.messages[0].content': 'a text that is the only part of a message needs no list',
      'body.messages[2].reasoning': 'thoughts go back under the name under which they came',
      'body.messages[3].name': nameless,
      'body.stream_options': usage,
    },
  },
  {
    name: 'groq/qwen3',
    theirs: (fetch) => createGroq({ apiKey, fetch })('qwen3'),
    why: { 'body.stream_options': usage },
  },
  { name: 'mistral/magistral', theirs: (fetch) => createMistral({ apiKey, fetch })('magistral') },
  { name: 'deepseek/deepseek-chat', theirs: (fetch) => createDeepSeek({ apiKey, fetch })('deepseek-chat') },
  {
    name: 'xai/grok-4',
    theirs: (fetch) => createXai({ apiKey, fetch })('grok-4'),
    callOptions: { providerOptions: { xai: { store: false } } },
    why: {
      'body.input[3].id': 'a result finds its call by its call_id',
      'body.input[3].status': 'what is sent back is complete',
      'body.tools[0].strict': 'false is what is meant when it is absent',
    },
  },
  { name: 'together/qwen3', theirs: (fetch) => createTogetherAI({ apiKey, fetch })('qwen3') },
  { name: 'fireworks/qwen3', theirs: (fetch) => createFireworks({ apiKey, fetch })('qwen3') },
  { name: 'cerebras/qwen3', theirs: (fetch) => createCerebras({ apiKey, fetch })('qwen3') },
  {
    name: 'azure/my-deployment',
    options: { variables: { AZURE_RESOURCE_NAME: 'mine' } },
    theirs: (fetch) => createAzure({ apiKey, fetch, resourceName: 'mine' })('my-deployment'),
    callOptions: { providerOptions: { openai: { store: false } } },
    why: { url: 'version 1 of the interface needs no date of a version' },
  },
  {
    name: 'vertex/gemini-3-pro',
    theirs: (fetch) => createVertex({ apiKey, fetch })('gemini-3-pro'),
  },
]

test.each(compared)(
  '$name: path, headers and body are those of its own package, but for what is told here',
  async ({ name, theirs, options, callOptions: more, why = {} }) => {
    const ours = await ofBackend(name, options)
    const expected = await sentBy((fetch) => theirs(fetch).doStream({ ...callOptions(), ...more }))
    const places = differences(ours, expected).map(({ at }) => at)
    expect(places.toSorted()).toEqual(Object.keys(why).toSorted())
    expect(JSON.stringify(ours.headers)).toContain(apiKey)
    if ('url' in why) expect(ours.url).toBe(expected.url.replace(/\?.*/, ''))
  },
)

test('every provider that is said to be compared is compared here', () => {
  const names = knownProviders.filter(({ tested }) => tested === 'compared request').map(({ name }) => name)
  const here = new Set(compared.map(({ name }) => name.split('/')[0]))
  expect(names.filter((name) => !here.has(name))).toEqual([])
})

const askBedrock = async (variables: Readonly<Record<string, string>>) => {
  const program = fileURLToPath(new URL('children/ask-bedrock.ts', import.meta.url))
  const words = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program]
  const { stdout } = await promisify(execFile)(process.execPath, [...words, JSON.stringify(variables)])
  return JSON.parse(stdout) as { readonly sent: readonly Sent[]; readonly error: string }
}

test('bedrock is asked in its region, with a key or signed, and says what is missing', async () => {
  const region = { AWS_REGION: 'eu-west-1' }
  const keyed = await askBedrock({ ...region, AWS_BEARER_TOKEN_BEDROCK: apiKey })
  expect(keyed.sent[0]?.url).toMatch(/^https:\/\/bedrock-runtime\.eu-west-1\.amazonaws\.com\/model\/us\.claude\//)
  expect(keyed.sent[0]?.headers['authorization']).toBe(`Bearer ${apiKey}`)
  expect(keyed.sent[0]?.body).toMatchObject({ system: [{ text: 'Be brief.' }] })
  const signed = await askBedrock({ ...region, AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' })
  expect(signed.sent[0]?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d+\/eu-west-1\//)
  expect((await askBedrock(region)).error).toContain('AWS_ACCESS_KEY_ID')
  expect((await askBedrock({ AWS_BEARER_TOKEN_BEDROCK: apiKey })).error).toContain('Set AWS_REGION')
})
