import { describe, expect, test } from 'vitest'
import { type Dialect, historyRules, type RuleDescription } from '../../src/index.ts'
import { type WireScript, wireServer } from '../../src/wire.ts'
import { addressed, bodyOf, described, dialects, post, toolsOf, user } from './post.ts'

const messageIn = (dialect: Dialect, body: any): string => (dialect === 'ollama' ? body.error : body.error.message)

/** What a server says to one request, and the rules that it found broken. */
async function refusal(
  dialect: Dialect,
  body: object,
  script: Partial<WireScript> = {},
  headers: Record<string, string> = {},
) {
  await using server = await wireServer({ lines: [{ text: 'Good.' }], ...script })
  const response = await post(server.url, dialect, body, { headers })
  const answer = await response.json()
  return {
    status: response.status,
    message: response.status === 200 ? undefined : messageIn(dialect, answer),
    answer,
    rules: server.requests[0]?.violations.map(({ rule }) => rule),
  }
}

const good = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('a body that lacks what its provider demands', () => {
  test.each<[Dialect, object, string]>([
    ['openai', { messages: [user('Hi')] }, "Missing required parameter: 'model'."],
    ['openai', { model: 'm' }, "Missing required parameter: 'messages'."],
    [
      'openai',
      { model: 'm', messages: 'Hi' },
      "Invalid type for 'messages': expected an array, but got a string instead.",
    ],
    [
      'openai',
      bodyOf('openai', [user('Hi')], { stream_options: { include_usage: true } }),
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    ],
    [
      'openai',
      bodyOf('openai', [user('Hi')], { tool_choice: 'auto' }),
      "'tool_choice' is only allowed when 'tools' are specified.",
    ],
    [
      'openai',
      bodyOf('openai', [{ role: 'user', content: 7 }]),
      "Invalid type for 'messages[0].content': expected a string or array, but got an integer instead.",
    ],
    [
      'openai',
      bodyOf('openai', [{ role: 'user', content: [{ text: 'Hi' }] }]),
      "Invalid 'messages[0].content': a part of the list is not well formed.",
    ],
    ['anthropic', { model: 'm', messages: [user('Hi')] }, 'max_tokens: Field required'],
    ['anthropic', { model: 'm', max_tokens: 9, messages: {} }, 'messages: Input should be a valid list'],
    [
      'anthropic',
      bodyOf('anthropic', [user('Hi')], { thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ],
    [
      'anthropic',
      bodyOf('anthropic', [user('Hi')], {
        tool_choice: { type: 'tool', name: 'write' },
        tools: [{ name: 'read', input_schema: good }],
      }),
      "Tool 'write' not found in provided tools",
    ],
    [
      'anthropic',
      bodyOf('anthropic', [
        user('Read it'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Done' }] },
      ]),
      'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    ],
    ['ollama', { messages: [user('Hi')] }, 'model is required'],
    [
      'ollama',
      { model: 'm', messages: 'Hi' },
      'json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message',
    ],
    [
      'ollama',
      bodyOf('ollama', [user('Hi')], { options: { num_ctx: '8192' } }),
      'json: cannot unmarshal string into Go struct field ChatRequest.options.num_ctx of type int',
    ],
  ])('is refused by %s: %j', async (dialect, body, message) => {
    expect(await refusal(dialect, body)).toMatchObject({ status: 400, message, rules: ['schema'] })
  })

  test('is refused by Anthropic without its headers', async () => {
    await using server = await wireServer({ lines: [] })
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(bodyOf('anthropic')) })
    const keyless = await ask({ 'anthropic-version': '2023-06-01' })
    expect([keyless.status, await keyless.json()]).toEqual([
      401,
      {
        type: 'error',
        error: { type: 'authentication_error', message: 'x-api-key header is required' },
        request_id: 'req_1',
      },
    ])
    const versionless = await ask({ authorization: 'Bearer token' })
    expect(await versionless.json()).toMatchObject({ error: { message: 'anthropic-version: header is required' } })
  })
})

const withTools = (dialect: Dialect, ...tools: readonly object[]) =>
  bodyOf(dialect, [user('Hi')], toolsOf(dialect, ...tools))

describe.each(dialects)('tools over the API of %s', (dialect) => {
  test.each([
    ['of no object', { type: 'string' }],
    ['without a type', { properties: {} }],
    ['that is no schema', 'object'],
    ['with a type that is none', { type: 'object', properties: { path: { type: 'text' } } }],
    ['with properties in a list', { type: 'object', properties: [] }],
    ['that demands no names', { type: 'object', required: 'path' }],
    ['with a choice of nothing', { type: 'object', properties: { path: { anyOf: [] } } }],
    ['with a text deep inside', { type: 'object', properties: { a: { type: 'array', items: { $defs: { b: 'c' } } } } }],
  ])('are refused with a schema %s', async (_what, schema) => {
    const { status, rules } = await refusal(dialect, withTools(dialect, described(dialect, 'read', schema)))
    expect({ status, rules }).toEqual({ status: 400, rules: ['tools'] })
  })

  test.each([dialect === 'gemini' ? '1read' : 'a.read', 'read file', '', 'x'.repeat(129)])(
    'are refused with the name %j',
    async (name) => {
      const { status, rules } = await refusal(dialect, withTools(dialect, described(dialect, name, good)))
      expect({ status, rules }).toEqual({ status: 400, rules: ['tools'] })
    },
  )

  test('are refused when two have one name', async () => {
    const tool = described(dialect, 'read', good)
    expect(await refusal(dialect, withTools(dialect, tool, tool))).toMatchObject({ status: 400, rules: ['tools'] })
  })

  test('are taken with a good schema', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        path: { type: ['string', 'null'] },
        lines: { type: 'array', items: { type: 'integer', enum: [1, 2] } },
        mode: { oneOf: [{ const: 'a' }, { $ref: '#/$defs/mode' }] },
        rest: true,
      },
      $defs: { mode: { type: 'string' } },
      additionalProperties: false,
    }
    expect(await refusal(dialect, withTools(dialect, described(dialect, 'read', schema)))).toMatchObject({
      status: 200,
    })
  })

  test('are refused by a model that has none', async () => {
    const models = [{ id: 'm', capabilities: [] }]
    const body = withTools(dialect, described(dialect, 'read', good))
    expect(await refusal(dialect, body, { models })).toMatchObject({ status: 400, rules: ['capability'] })
    expect(await refusal(dialect, body, { models, rules: { capability: 'off' } })).toMatchObject({ status: 200 })
  })

  test('are not looked at when their rule is off', async () => {
    const body = withTools(dialect, described(dialect, 'read', { type: 'string' }))
    expect(await refusal(dialect, body, { rules: { tools: 'off' } })).toMatchObject({ status: 200 })
  })
})

describe('a window', () => {
  test('counts the answer that Anthropic is asked for', async () => {
    const models = [{ id: 'm', contextWindow: 105 }]
    expect(await refusal('anthropic', bodyOf('anthropic'), { models })).toMatchObject({
      status: 400,
      message: expect.stringContaining('input length and `max_tokens` exceed context limit'),
    })
    const body = { ...bodyOf('anthropic'), max_tokens: 20 }
    expect(await refusal('anthropic', body, { models })).toMatchObject({ status: 200 })
  })

  test('is as small as a request makes it', async () => {
    const models = [{ id: 'm', contextWindow: 1000 }]
    const long = [user('word '.repeat(400))]
    const asked = (num_ctx: number) => bodyOf('ollama', long, { options: { num_ctx } })
    expect(await refusal('ollama', asked(400), { models })).toMatchObject({ status: 400, rules: ['window'] })
    expect(await refusal('ollama', asked(2000), { models })).toMatchObject({ status: 200 })
  })
})

describe('a rule', () => {
  const continued = [user('Hi'), { role: 'assistant', content: 'It is' }]

  test('can be switched on and off by the script', async () => {
    const body = bodyOf('anthropic', continued)
    expect(await refusal('anthropic', body)).toMatchObject({ status: 200 })
    expect(await refusal('anthropic', body, { rules: { endsWithUser: 'on' } })).toMatchObject({
      status: 400,
      message: 'This model does not support assistant message prefill. The conversation must end with a user message.',
      rules: ['endsWithUser'],
    })
  })

  test('about the thinking that a turn begins with holds where a request demands thinking', async () => {
    const called = [
      user('Read it'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Done' }] },
    ]
    const tools = [{ name: 'read', input_schema: good }]
    const asked = (thinking: object) => bodyOf('anthropic', called, { max_tokens: 4000, thinking, tools })
    expect(await refusal('anthropic', asked({ type: 'enabled', budget_tokens: 1024 }))).toMatchObject({
      status: 400,
      rules: ['thinkingFirst'],
    })
    expect(await refusal('anthropic', asked({ type: 'adaptive' }))).toMatchObject({ status: 200 })
    expect(await refusal('anthropic', asked({ type: 'disabled' }))).toMatchObject({ status: 200 })
  })

  test('is named for every fault, the first of which is told to the client', async () => {
    const body = bodyOf('openai', [
      { role: 'tool', tool_call_id: 'a', content: 'Done' },
      { role: 'assistant', content: null },
    ])
    expect(await refusal('openai', body)).toMatchObject({
      message: expect.stringContaining("messages with role 'tool' must be a response"),
      rules: ['resultsHaveCalls', 'contentPresent'],
    })
  })
})

describe('fields that a provider does not know', () => {
  const withField = (dialect: Dialect) => bodyOf(dialect, [user('Hi')], { top_tokens: 3 })
  const messages = {
    openai: 'Unrecognized request argument supplied: top_tokens',
    responses: "Unknown parameter: 'top_tokens'.",
    anthropic: 'top_tokens: Extra inputs are not permitted',
    gemini: 'Invalid JSON payload received. Unknown name "top_tokens": Cannot find field.',
  } as const

  test.each(Object.keys(messages) as (keyof typeof messages)[])(
    'are refused over the API of %s, by a rule',
    async (dialect) => {
      const on = { rules: { unknownFields: 'on' } } as const
      const message = messages[dialect]
      expect(await refusal(dialect, withField(dialect), on)).toMatchObject({
        status: 400,
        message,
        rules: ['unknownFields'],
      })
      const off = { rules: { unknownFields: 'off' } } as const
      expect(await refusal(dialect, withField(dialect), off)).toMatchObject({ status: 200 })
      expect((await refusal(dialect, withField(dialect))).status).toBe(dialect === 'openai' ? 200 : 400)
    },
  )

  test('are nothing that Ollama looks at', async () => {
    const on = { rules: { unknownFields: 'on' } } as const
    expect(await refusal('ollama', withField('ollama'), on)).toMatchObject({ status: 200 })
  })
})

describe('rules that compatible servers do not share', () => {
  const called = [
    user('Read it'),
    { type: 'reasoning', id: 'thought-1', summary: [] },
    { type: 'function_call', id: 'call-1', call_id: 'a', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'Done' },
  ]

  test('say so, and are switched off one by one', async () => {
    const held = Object.entries<RuleDescription>(historyRules).filter(
      ([, { heldBy }]) => heldBy === 'the provider alone',
    )
    const off = Object.fromEntries(held.map(([rule]) => [rule, 'off' as const]))
    const body = bodyOf('responses', called, { store: false })
    expect((await refusal('responses', body)).rules).toEqual([
      'itemIdsWellFormed',
      'reasoningSealed',
      'itemIdsWellFormed',
    ])
    expect(await refusal('responses', body, { rules: off })).toMatchObject({ status: 200 })
  })

  test.each(['responses', 'gemini'] as const)('need no key over the API of %s', async (dialect) => {
    await using server = await wireServer({ lines: [{ text: 'Good.' }], rules: { key: 'off' } })
    const { path, sent } = addressed(dialect, bodyOf(dialect))
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(sent) })
    expect(response.status).toBe(200)
  })
})
