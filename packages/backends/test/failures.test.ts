import { type Backend, BackendError } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { deserted, type Loopback, loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'
const variables = {}
/** A day before the date that a server names. */
const now = () => Date.parse('2026-05-05T10:00:00Z')

interface Response {
  readonly status: number
  readonly body: string | object
  readonly headers?: Readonly<Record<string, string>>
}

const profile = { model_info: { 'x.context_length': 32_768 }, capabilities: ['tools'] }

function failing({ status, body, headers = {} }: Response): Promise<Loopback> {
  return loopback(({ path }, response) => {
    const isAboutItself = path === '/api/show' || path === '/api/ps'
    if (isAboutItself) return void response.end(JSON.stringify(path === '/api/ps' ? { models: [] } : profile))
    response.writeHead(status, headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

const backends = {
  openaiCompatible: (url: string): Backend =>
    openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', provider: 'local', apiKey, variables, now }),
  openai: (url: string): Backend => openai({ baseUrl: `${url}/v1`, model: 'm', apiKey, variables, now }),
  anthropic: (url: string): Backend => anthropic({ baseUrl: `${url}/v1`, model: 'm', apiKey, variables, now }),
  google: (url: string): Backend => google({ baseUrl: url, model: 'm', apiKey, variables, now, contextWindow: 1e6 }),
  ollama: (url: string): Backend => ollama({ baseUrl: url, model: 'm', variables, now }),
}
type Name = keyof typeof backends

async function failureOf(backend: Backend): Promise<BackendError['failure']> {
  const error = await rejection(hear(backend.stream(request())))
  if (!(error instanceof BackendError)) throw new Error('This is no BackendError.', { cause: error })
  return error.failure
}

async function refused(name: Name, response: Response): Promise<BackendError['failure']> {
  await using server = await failing(response)
  return await failureOf(backends[name](server.url))
}

const openaiError = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
})
const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } })

describe('a request that does not fit into the window is told from other wrong ones', () => {
  test.each<[Name, number, string | object]>([
    ['openai', 400, openaiError('Your input exceeds the context window of this model.', 'context_length_exceeded')],
    ['openai', 400, openaiError("This model's maximum context length is 128000 tokens.", 'context_length_exceeded')],
    ['anthropic', 400, anthropicError('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum')],
    ['anthropic', 413, anthropicError('request_too_large', 'Request exceeds the maximum size')],
    [
      'anthropic',
      400,
      anthropicError(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000',
      ),
    ],
    [
      'openaiCompatible',
      400,
      {
        error: {
          code: 400,
          message: 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_ctx: 4096,
        },
      },
    ],
    [
      'openaiCompatible',
      400,
      { object: 'error', message: "This model's maximum context length is 4096 tokens. However, you requested 9000." },
    ],
    [
      'openaiCompatible',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    ],
    ['openaiCompatible', 413, openaiError('Please reduce the length of the messages or completion.')],
    ['openaiCompatible', 400, openaiError('Input token count (1196265) exceeds the maximum number of tokens allowed')],
    [
      'openaiCompatible',
      422,
      { detail: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' },
    ],
    ['ollama', 400, { error: 'prompt too long; exceeded max context length by 100918 tokens' }],
    ['ollama', 500, { error: 'the input length exceeds the context length' }],
  ])('%s, %i: %j', async (name, status, body) => {
    expect((await refused(name, { status, body })).kind).toBe('context_too_long')
  })

  test.each<[Name, number, string | object, string]>([
    [
      'openaiCompatible',
      413,
      openaiError('Request too large for model x on tokens per minute (TPM): Limit 6000', 'rate_limit_exceeded'),
      'rate_limited',
    ],
    ['openaiCompatible', 400, openaiError('messages.0.content is too short'), 'bad_request'],
    ['anthropic', 400, anthropicError('invalid_request_error', 'max_tokens: must be at least 1'), 'bad_request'],
    ['ollama', 400, { error: 'registry.ollama.ai/library/m does not support tools' }, 'bad_request'],
  ])('%s, %i: %j is something else', async (name, status, body, kind) => {
    expect((await refused(name, { status, body })).kind).toBe(kind)
  })
})

describe('what a status means', () => {
  test.each<[Name, number, string | object, string]>([
    ['openai', 401, openaiError('Incorrect API key provided.', 'invalid_api_key'), 'auth'],
    ['openai', 429, openaiError('You exceeded your current quota.', 'insufficient_quota'), 'no_credit'],
    ['openai', 429, openaiError('Rate limit reached', 'rate_limit_exceeded'), 'rate_limited'],
    ['openai', 503, openaiError('The engine is overloaded.'), 'overloaded'],
    ['openai', 500, openaiError('The server had an error.', null, 'server_error'), 'other'],
    ['openai', 502, '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>', 'other'],
    ['anthropic', 529, anthropicError('overloaded_error', 'Overloaded'), 'overloaded'],
    ['anthropic', 403, anthropicError('permission_error', 'Not for you.'), 'auth'],
    ['anthropic', 404, anthropicError('not_found_error', 'model: m'), 'unknown_model'],
    ['anthropic', 402, anthropicError('billing_error', 'Pay.'), 'no_credit'],
    ['openai', 404, openaiError('The model m does not exist.', 'model_not_found'), 'unknown_model'],
    ['openaiCompatible', 404, '<html>Not Found</html>', 'bad_request'],
    [
      'anthropic',
      400,
      anthropicError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      'no_credit',
    ],
    ['openaiCompatible', 402, { error: { message: 'Insufficient credits' } }, 'no_credit'],
    [
      'openaiCompatible',
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'overloaded',
    ],
    ['openaiCompatible', 500, '', 'other'],
    ['ollama', 503, { error: 'server busy, please try again. maximum pending requests exceeded' }, 'overloaded'],
    ['ollama', 404, { error: "model 'm' not found" }, 'unknown_model'],
  ])('%s, %i %j: %s', async (name, status, body, kind) => {
    const failure = await refused(name, { status, body })
    expect(failure).toMatchObject({ kind, status })
    expect(failure.message).toContain(`(${status})`)
    expect(failure.message).not.toContain('<')
  })

  test('a model that is not there says how to get it', async () => {
    const { message } = await refused('ollama', { status: 404, body: { error: "model 'm' not found" } })
    expect(message).toContain('ollama pull m')
  })

  test('credentials that are not accepted say where they are looked for', async () => {
    const { message } = await refused('anthropic', { status: 401, body: anthropicError('authentication_error', 'No.') })
    expect(message).toContain('ANTHROPIC_API_KEY')
  })
})

describe('a published code says what happened, whatever the words are', () => {
  const googleError = (code: number, status: string, reason?: string) => ({
    error: { code, message: 'Xyzzy.', status, ...(reason !== undefined && { details: [{ reason, domain: 'x' }] }) },
  })

  test.each<[Name, number, object, string]>([
    ['openai', 401, openaiError('Xyzzy.', 'invalid_api_key'), 'auth'],
    ['openai', 429, openaiError('Xyzzy.', 'insufficient_quota', 'insufficient_quota'), 'no_credit'],
    ['openai', 404, openaiError('Xyzzy.', 'model_not_found'), 'unknown_model'],
    ['openai', 400, openaiError('Xyzzy.', 'model_not_found'), 'unknown_model'],
    ['openai', 400, openaiError('Xyzzy.', 'context_length_exceeded'), 'context_too_long'],
    ['openai', 429, openaiError('The context length exceeded your quota.', 'rate_limit_exceeded'), 'rate_limited'],
    ['openaiCompatible', 402, openaiError('Xyzzy.'), 'no_credit'],
    ['openaiCompatible', 400, openaiError('Xyzzy.', '1500', 'invalid_model'), 'unknown_model'],
    ['openaiCompatible', 413, openaiError('Xyzzy.', 'rate_limit_exceeded'), 'rate_limited'],
    ['anthropic', 401, anthropicError('authentication_error', 'Xyzzy.'), 'auth'],
    ['anthropic', 402, anthropicError('billing_error', 'Xyzzy.'), 'no_credit'],
    ['anthropic', 404, anthropicError('not_found_error', 'Xyzzy.'), 'unknown_model'],
    ['anthropic', 413, anthropicError('request_too_large', 'Xyzzy.'), 'context_too_long'],
    ['anthropic', 529, anthropicError('overloaded_error', 'Xyzzy.'), 'overloaded'],
    ['google', 400, googleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'), 'auth'],
    ['google', 403, googleError(403, 'PERMISSION_DENIED'), 'auth'],
    ['google', 404, googleError(404, 'NOT_FOUND'), 'unknown_model'],
    ['google', 429, googleError(429, 'RESOURCE_EXHAUSTED'), 'rate_limited'],
    ['google', 503, googleError(503, 'UNAVAILABLE'), 'overloaded'],
    ['ollama', 401, { error: 'Xyzzy.' }, 'auth'],
    ['ollama', 503, { error: 'Xyzzy.' }, 'overloaded'],
  ])('%s, %i %j: %s', async (name, status, body, kind) => {
    const failure = await refused(name, { status, body })
    expect(failure).toMatchObject({ kind, status })
    expect(failure.message).toMatch(/^\w+\/m /)
  })

  test('without credit, the message says what to do', async () => {
    const { message } = await refused('openaiCompatible', { status: 402, body: { error: { message: 'Pay.' } } })
    expect(message).toBe(
      'local/m was refused because the account has no credit left (402): Pay.\n' +
        'Add credit to the account that the key belongs to, or use another model.',
    )
  })
})

describe('how long to wait', () => {
  test.each<[Readonly<Record<string, string>>, number | undefined]>([
    [{ 'retry-after': '20' }, 20_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1234', 'retry-after': '2' }, 1234],
    [{ 'retry-after': 'Wed, 06 May 2026 10:00:00 GMT' }, 24 * 3600 * 1000],
    [{ 'retry-after': 'Mon, 04 May 2026 10:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [
      { 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-05-05T10:00:40Z' },
      40_000,
    ],
    [
      { 'anthropic-ratelimit-tokens-remaining': '9', 'anthropic-ratelimit-tokens-reset': '2026-05-05T10:00:40Z' },
      undefined,
    ],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m12.5s' }, 72_500],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '320ms' }, 320],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1777975230000' }, 30_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'whenever' }, undefined],
    [{ 'retry-after': '5', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1h' }, 5000],
    [{}, undefined],
  ])('%j', async (headers, expected) => {
    for (const name of ['openaiCompatible', 'anthropic', 'ollama'] as const) {
      const failure = await refused(name, { status: 429, headers, body: { error: { message: 'Slow down.' } } })
      expect([name, failure.kind, failure.retryAfterMs]).toEqual([name, 'rate_limited', expected])
    }
  })
})

test('how long to wait can be in the words alone', async () => {
  const message = 'Rate limit reached for gpt-5 on tokens per min. Please try again in 7m12.5s. Visit the page.'
  const failure = await refused('openaiCompatible', { status: 429, body: openaiError(message) })
  expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterMs: 432_500 })
})

describe('nothing that is secret is in a failure', () => {
  test.each(Object.keys(backends).filter((name) => name !== 'ollama') as Name[])('%s', async (name) => {
    const echo = `Incorrect API key provided: ${apiKey}. Authorization was Bearer ${apiKey}.`
    await using server = await failing({ status: 401, body: openaiError(echo) })
    const error = await rejection(hear(backends[name](server.url).stream(request())))
    expect(server.asked.at(-1)?.headers).toMatchObject(
      { anthropic: { 'x-api-key': apiKey }, google: { 'x-goog-api-key': apiKey } }[name as string] ?? {
        authorization: `Bearer ${apiKey}`,
      },
    )
    const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`
    expect(shown).not.toContain(apiKey)
    expect(shown).toContain('[secret]')
    expect(error).not.toHaveProperty('cause')
  })

  test('neither is a password in an address', async () => {
    const address = (await deserted()).replace('http://', 'http://someone:hunter2hunter2@')
    const failure = await failureOf(openaiCompatible({ baseUrl: `${address}/v1`, model: 'm', variables }))
    expect(failure.message).not.toContain('hunter2')
  })
})

test.each(Object.keys(backends) as Name[])('%s: a server that is not there is a failed connection', async (name) => {
  const address = await deserted()
  const failure = await failureOf(backends[name](address))
  expect(failure.kind).toBe('connection')
  expect(failure.message).toContain(`could not be reached at ${address}`)
  expect(failure.message).toContain('ECONNREFUSED')
})

test.each(['openai', 'anthropic', 'openaiCompatible'] as const)(
  '%s: what is no address is said to be none',
  async (name) => {
    const { kind, message } = await failureOf(backends[name]('user:secret@nowhere'))
    expect({ kind, message }).toMatchObject({ kind: 'bad_request', message: expect.stringContaining('http://') })
    expect(message).not.toContain('secret')
  },
)

describe('a silent server', () => {
  const timeOuts = { firstByteMs: 40, betweenChunksMs: 40 }

  test('that sends no header is given up', async () => {
    await using server = await loopback(() => {})
    const backend = openaiCompatible({ baseUrl: server.url, model: 'm', timeOuts, variables })
    expect(await failureOf(backend)).toMatchObject({ kind: 'connection', message: expect.stringContaining('0 s') })
  })

  test('that sends headers and no byte is given up', async () => {
    await using server = await loopback((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    const backend = openaiCompatible({ baseUrl: server.url, model: 'm', timeOuts, variables })
    expect((await failureOf(backend)).kind).toBe('connection')
  })

  test('that falls silent in the middle is interrupted, and left', async () => {
    await using server = await loopback((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\n\n`)
    })
    const impatient = { firstByteMs: 10_000, betweenChunksMs: 40 }
    const backend = openaiCompatible({ baseUrl: server.url, model: 'm', timeOuts: impatient, variables })
    expect((await failureOf(backend)).kind).toBe('interrupted')
    expect(await server.settled()).toEqual(['left'])
  })

  test('that says that it is alive is waited for', async () => {
    const deadline = { firstByteMs: 300, betweenChunksMs: 300 }
    await using server = await loopback((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let beats = 0
      const beat = setInterval(() => {
        beats += 1
        if (beats < 10) return void response.write(': still working\n\n')
        clearInterval(beat)
        response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] })}\n\n`)
      }, 40)
    })
    const backend = openaiCompatible({ baseUrl: server.url, model: 'm', timeOuts: deadline, variables })
    expect((await hear(backend.stream(request()))).text).toBe('Hi')
  })
})
