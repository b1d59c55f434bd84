import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fold,
  fromModelMessages,
  type ImportedMessages,
  type JsonValue,
  LoaderError,
  MemoryStore,
  Message,
  type ModelMessageShape,
  pairingFault,
  type Part,
  Session,
  shownText,
  textOf,
  toModelMessages,
} from '../src/index.ts'
import { fixedEnvironment } from './fixed-environment.ts'
import { randomRecording } from './random-recording.ts'

const runs = Number(process.env['PROPERTY_RUNS'] ?? 300)
const at = '2026-01-01T00:00:00.000Z'
const shapes: readonly ModelMessageShape[] = ['openai', 'ai-sdk']

function take(messages: readonly unknown[], shape: ModelMessageShape): ImportedMessages {
  const environment = fixedEnvironment()
  return fromModelMessages(messages, shape, { newId: (prefix) => environment.newId(prefix), at })
}

function give(messages: Iterable<Message>, shape: ModelMessageShape): unknown[] {
  return shape === 'openai' ? toModelMessages(messages, shape) : toModelMessages(messages, shape)
}

function thereAndBack(messages: readonly unknown[], shape: ModelMessageShape): unknown[] {
  const taken = take(messages, shape)
  expect(taken.losses).toEqual([])
  expectSound(taken)
  return give(taken.messages, shape)
}

/** What holds of every import: the messages are valid, made for this session, and paired. */
function expectSound({ messages }: ImportedMessages): void {
  expect(pairingFault(messages)).toBeUndefined()
  for (const message of messages) {
    expect(Message.safeParse(message).error).toBeUndefined()
    expect(message).toMatchObject({ origin: 'import', at })
  }
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  const calls = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'call' ? [part.call.id] : [])),
  )
  expect(new Set(calls).size).toBe(calls.length)
}

function message(role: Message['role'], ...content: Part[]): Message {
  const origins = { system: 'note', user: 'input', assistant: 'model', tool: 'tool' } as const
  return { id: `${role} message`, role, origin: origins[role], content, at }
}

const say = (text: string): Part => ({ type: 'text', text })
const call = (id: string, input = {}): Part => ({ type: 'call', call: { id, name: 'read', input } })
const result = (
  callId: string,
  text: string,
  outcome: 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown' = 'ok',
): Part => ({
  type: 'result',
  callId,
  name: 'read',
  outcome,
  text,
})

const conversation = [
  message('system', say('Be brief.')),
  message('user', say('What is in a and b?')),
  message(
    'assistant',
    { type: 'reasoning', text: 'Two files.', providerMetadata: { anthropic: { signature: 'sig' } } },
    say('I read both.'),
    call('one', { path: 'a' }),
    call('two', { path: 'b' }),
  ),
  message('tool', result('two', 'no such file', 'failed')),
  message('tool', result('one', 'hello')),
  message('assistant', say('Only a exists.')),
]

describe('messages of a session in the shape of the OpenAI API', () => {
  test('are system, user, assistant and tool messages, without reasoning', () => {
    expect(toModelMessages(conversation, 'openai')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is in a and b?' },
      {
        role: 'assistant',
        content: 'I read both.',
        tool_calls: [
          { id: 'one', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'two', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'one', content: 'hello' },
      { role: 'tool', tool_call_id: 'two', content: 'no such file' },
      { role: 'assistant', content: 'Only a exists.' },
    ])
  })

  test('leave out an answer that was cut off in its reasoning, and keep the text of one that was cut off later', () => {
    const inThought = { ...message('assistant', { type: 'reasoning', text: 'Hm' }), interrupted: true as const }
    const inSpeech = { ...message('assistant', say('Half a sen')), interrupted: true as const }
    expect(toModelMessages([inThought, inSpeech], 'openai')).toEqual([{ role: 'assistant', content: 'Half a sen' }])
  })

  test('show arguments that are not JSON as the model wrote them', () => {
    const part: Part = { type: 'call', call: { id: 'one', name: 'read', input: {}, malformed: '{"path": "a' } }
    expect(
      toModelMessages([message('assistant', part), message('tool', result('one', 'not JSON', 'failed'))], 'openai')[0],
    ).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'one', type: 'function', function: { name: 'read', arguments: '{"path": "a' } }],
    })
  })

  test('hold images, sound and documents in the parts that the API has for them', () => {
    const files: Part[] = [
      { type: 'file', mediaType: 'image/png', source: { kind: 'url', url: 'https://example.org/a.png' } },
      { type: 'file', mediaType: 'image/*', source: { kind: 'base64', data: 'R0lGODlhAQ==' } },
      { type: 'file', mediaType: 'audio/wav', source: { kind: 'base64', data: 'UklGRg==' } },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', source: { kind: 'base64', data: 'JVBERg==' } },
    ]
    expect(toModelMessages([message('user', ...files)], 'openai')).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlhAQ==' } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
        ],
      },
    ])
  })

  test('name a file where none can be given', () => {
    const image: Part = {
      type: 'file',
      mediaType: 'image/png',
      name: 'a.png',
      source: { kind: 'base64', data: 'iVBORw==' },
    }
    const inProject: Part = { type: 'file', mediaType: 'text/plain', source: { kind: 'path', path: 'src/a.txt' } }
    const onTheWeb: Part = {
      type: 'file',
      mediaType: 'application/pdf',
      source: { kind: 'url', url: 'https://example.org/a.pdf' },
    }
    const answered: Part = {
      type: 'result',
      callId: 'one',
      name: 'read',
      outcome: 'ok',
      text: 'Drawn.',
      files: [image],
    }
    expect(
      toModelMessages(
        [
          message('user', inProject),
          message('user', onTheWeb),
          message('assistant', image, call('one')),
          message('tool', answered),
        ],
        'openai',
      ),
    ).toMatchObject([
      { content: '[file (text/plain): src/a.txt]' },
      { content: '[file (application/pdf): https://example.org/a.pdf]' },
      { content: '[file a.png (image/png): not shown]' },
      { content: 'Drawn.\n[file a.png (image/png): not shown]' },
    ])
  })
})

describe('messages of a session in the shape of the AI SDK', () => {
  test('are model messages, with the results of one answer in one message', () => {
    expect(toModelMessages(conversation, 'ai-sdk')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is in a and b?' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Two files.', providerOptions: { anthropic: { signature: 'sig' } } },
          { type: 'text', text: 'I read both.' },
          { type: 'tool-call', toolCallId: 'one', toolName: 'read', input: { path: 'a' } },
          { type: 'tool-call', toolCallId: 'two', toolName: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'one', toolName: 'read', output: { type: 'text', value: 'hello' } },
          {
            type: 'tool-result',
            toolCallId: 'two',
            toolName: 'read',
            output: { type: 'error-text', value: 'no such file' },
          },
        ],
      },
      { role: 'assistant', content: 'Only a exists.' },
    ])
  })

  test.each(['failed', 'denied', 'interrupted', 'unknown'] as const)(
    'mark the result of a call that is %s as an error',
    (outcome) => {
      const messages = [message('assistant', call('one')), message('tool', result('one', 'why', outcome))]
      expect(toModelMessages(messages, 'ai-sdk')[1]).toMatchObject({
        content: [{ output: { type: 'error-text', value: 'why' } }],
      })
    },
  )

  test('hold files of the user, of the model and of a result', () => {
    const png: Part = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: 'iVBORw==' } }
    const unknown: Part = { type: 'file', mediaType: 'image/*', source: { kind: 'url', url: 'https://example.org/a' } }
    const pdf: Part = {
      type: 'file',
      mediaType: 'application/pdf',
      name: 'a.pdf',
      source: { kind: 'base64', data: 'JVBERg==' },
    }
    const inProject: Part = { type: 'file', mediaType: 'text/plain', source: { kind: 'path', path: 'a.txt' } }
    const answered: Part = {
      type: 'result',
      callId: 'one',
      name: 'read',
      outcome: 'ok',
      text: 'Drawn.',
      files: [png, unknown, pdf, inProject],
    }
    const messages = [
      message('user', png, unknown, inProject),
      message('assistant', pdf, call('one')),
      message('tool', answered),
    ]
    expect(toModelMessages(messages, 'ai-sdk')).toMatchObject([
      {
        content: [
          { type: 'file', data: 'iVBORw==', mediaType: 'image/png' },
          { type: 'image', image: 'https://example.org/a' },
          { type: 'text', text: '[file (text/plain): a.txt]' },
        ],
      },
      {
        content: [
          { type: 'file', data: 'JVBERg==', mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'tool-call' },
        ],
      },
      {
        content: [
          {
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Drawn.\n[file (text/plain): a.txt]' },
                { type: 'image-data', data: 'iVBORw==', mediaType: 'image/png' },
                { type: 'image-url', url: 'https://example.org/a' },
                { type: 'file-data', data: 'JVBERg==', mediaType: 'application/pdf', filename: 'a.pdf' },
              ],
            },
          },
        ],
      },
    ])
  })

  test('carry the metadata that is for providers, and no other', () => {
    const part: Part = {
      type: 'text',
      text: 'Hi',
      providerMetadata: { openai: { itemId: 'msg_1' }, signature: 'loose', aiSdk: { part: {} } },
    }
    expect(toModelMessages([message('user', part)], 'ai-sdk')).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', providerOptions: { openai: { itemId: 'msg_1' } } }] },
    ])
  })
})

describe.each(shapes)('messages of a session in the shape %s', (shape) => {
  const long = { blob: 'b1', bytes: 70_000, excerpt: `${'x'.repeat(199)}…` }

  test('show how a long text begins and how much is missing', () => {
    const [shown] = give([message('user', { type: 'text', text: long })], shape)
    expect(shown).toEqual({ role: 'user', content: `${long.excerpt}\n[69801 bytes of this text are not shown]` })
  })

  test('show a long text in full when it is given', () => {
    const texts = new Map([['b1', 'the whole text']])
    const messages = [message('user', { type: 'text', text: long })]
    const [shown] =
      shape === 'openai' ? toModelMessages(messages, shape, { texts }) : toModelMessages(messages, shape, { texts })
    expect(shown).toEqual({ role: 'user', content: 'the whole text' })
  })

  test('name a file whose bytes are a long text that is not given', () => {
    const [shown] = give(
      [message('user', { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: long } })],
      shape,
    )
    expect(shown).toEqual({ role: 'user', content: '[file (image/png): not shown]' })
  })

  test('keep a call that is still open, and results whose call is not among them', () => {
    const cut = [message('tool', result('before', 'late')), message('assistant', call('open'))]
    expect(give(cut, shape)).toMatchObject([{ role: 'tool' }, { role: 'assistant' }])
  })

  test('are copies: whoever changes them changes nothing in the session', () => {
    const before = JSON.stringify(conversation)
    const overwrite = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const inner of Object.values(value)) overwrite(inner)
      for (const key of Object.keys(value)) Reflect.set(value, key, 'changed')
    }
    overwrite(give(conversation, shape))
    expect(JSON.stringify(conversation)).toBe(before)
  })

  test('keep calls apart when an id comes again later', () => {
    const twice = [
      message('assistant', call('same')),
      message('tool', result('same', 'first')),
      message('user', say('Again')),
      message('assistant', call('same')),
      message('tool', result('same', 'second')),
    ]
    const written = JSON.stringify(give(twice, shape))
    expect(written.indexOf('first')).toBeLessThan(written.indexOf('Again'))
    expect(written.indexOf('second')).toBeGreaterThan(written.indexOf('Again'))
  })
})

describe('messages of the OpenAI API', () => {
  test('become messages of the session', () => {
    const { messages, losses } = take(
      [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'What is in a?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'hello' },
      ],
      'openai',
    )
    expect(losses).toEqual([])
    expect(messages).toMatchObject([
      { id: 'msg_1', role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { id: 'msg_2', role: 'user', content: [{ type: 'text', text: 'What is in a?' }] },
      {
        id: 'msg_3',
        role: 'assistant',
        content: [{ type: 'call', call: { id: 'call_1', name: 'read', input: { path: 'a' } } }],
      },
      {
        id: 'msg_4',
        role: 'tool',
        content: [{ type: 'result', callId: 'call_1', name: 'read', outcome: 'ok', text: 'hello' }],
      },
    ])
  })

  test('come back as they went, with everything that this package has no words for', () => {
    const original = [
      { role: 'developer', content: 'Be brief.', name: 'house' },
      { role: 'system', content: [{ type: 'text', text: 'One.', cache_control: { type: 'ephemeral' } }] },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'Look at these.' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
          { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
          { type: 'file', file: { file_id: 'file-abc' } },
        ],
      },
      {
        role: 'assistant',
        content: 'Let me see.',
        refusal: null,
        annotations: [],
        reasoning_content: 'They sent files.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            index: 0,
            function: { name: 'read', arguments: '{"id": 12345678901234567890, "x": 1.0}' },
            extra_content: { google: { thought_signature: 'sig' } },
          },
          { id: 'call_2', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
          { id: 'call_3', type: 'function', function: { name: 'read', arguments: '{"path": "a' } },
          { id: 'call_4', type: 'function', function: { name: 'list', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"found":true}', name: 'read' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'tool', tool_call_id: 'call_3', content: 'not JSON' },
      { role: 'tool', tool_call_id: 'call_4', content: 'a b' },
      { role: 'assistant', content: null, refusal: 'I cannot help with that.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'user', content: [] },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: null },
      { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    ]
    const plain = structuredClone(original)
    // Of one text that says nothing beyond itself, the string is written.
    expect(thereAndBack(original, 'openai')).toEqual(plain)
    expect(original).toEqual(plain)
  })

  test('come back in one form where the API has several', () => {
    const several = [
      { role: 'user', content: [{ type: 'text', text: 'One text' }] },
      {
        role: 'assistant',
        content: [{ type: 'refusal', refusal: 'No.' }],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: [
          { type: 'text', text: 'two' },
          { type: 'text', text: 'parts' },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'first' },
      { role: 'assistant', function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'way' },
      { role: 'assistant', tool_calls: null },
    ]
    expect(thereAndBack(several, 'openai')).toEqual([
      { role: 'user', content: 'One text' },
      {
        role: 'assistant',
        content: null,
        refusal: 'No.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'first' },
      { role: 'tool', tool_call_id: 'b', content: 'two\nparts' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'old', type: 'function', function: { name: 'old', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'old', content: 'way' },
      { role: 'assistant', content: null },
    ])
  })

  test('come back with new arguments when those of the call were changed', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{ "path": "secret" }' } }]
    const { messages } = take([{ role: 'assistant', content: null, tool_calls: calls }], 'openai')
    const text = JSON.stringify(messages).replaceAll('"input":{"path":"secret"}', '"input":{"path":"***"}')
    const changed = Message.array().parse(JSON.parse(text))
    expect(toModelMessages(changed, 'openai')[0]).toMatchObject({
      tool_calls: [{ function: { arguments: '{"path":"***"}' } }],
    })
  })
})

describe('messages of the AI SDK', () => {
  test('become messages of the session', () => {
    const { messages, losses } = take(
      [
        { role: 'user', content: 'What is in a?' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'A file.', providerOptions: { anthropic: { signature: 'sig' } } },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { since: new Date(at) } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'read',
              output: { type: 'json', value: { lines: 3 } },
            },
          ],
        },
      ],
      'ai-sdk',
    )
    expect(losses).toEqual([])
    expect(messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'What is in a?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'A file.', providerMetadata: { anthropic: { signature: 'sig' } } },
          { type: 'call', call: { id: 'call_1', name: 'read', input: { since: at } } },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'result', callId: 'call_1', name: 'read', outcome: 'ok', text: '{"lines":3}' }],
      },
    ])
  })

  test('come back as they went, with everything that this package has no words for', () => {
    const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const original = [
      { role: 'system', content: 'Be brief.', providerOptions: cached },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look at these.', providerOptions: cached },
          { type: 'image', image: 'https://example.org/a.png' },
          { type: 'image', image: 'iVBORw==', mediaType: 'image/png' },
          { type: 'file', data: 'JVBERg==', mediaType: 'application/pdf', filename: 'a.pdf', providerOptions: cached },
          { type: 'file', data: 'iVBORw==', mediaType: 'image/*' },
          { type: 'file', data: { openai: 'file-abc' }, mediaType: 'application/pdf' },
          { type: 'file', data: { type: 'text', text: 'in line' }, mediaType: 'text/plain' },
        ],
        providerOptions: cached,
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'xyz' } } },
          { type: 'text', text: 'Let me see.' },
          { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'cmp_1' } } },
          { type: 'reasoning-file', data: 'iVBORw==', mediaType: 'image/png' },
          { type: 'file', data: 'iVBORw==', mediaType: 'image/png' },
          {
            type: 'tool-call',
            toolCallId: 'srv_1',
            toolName: 'web_search',
            input: { query: 'x' },
            providerExecuted: true,
          },
          {
            type: 'tool-result',
            toolCallId: 'srv_1',
            toolName: 'web_search',
            output: { type: 'json', value: [{ url: 'u' }] },
            providerExecuted: true,
          },
          { type: 'text', text: 'Found.' },
          {
            type: 'tool-call',
            toolCallId: 'c1',
            toolName: 'read',
            input: { path: 'a' },
            providerOptions: { google: { s: 1 } },
          },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: {} },
          { type: 'tool-call', toolCallId: 'c3', toolName: 'read', input: 'not an object' },
          { type: 'tool-call', toolCallId: 'c4', toolName: 'read', input: {} },
          { type: 'tool-call', toolCallId: 'c5', toolName: 'read', input: {} },
          { type: 'tool-call', toolCallId: 'c6', toolName: 'read', input: {} },
          { type: 'tool-call', toolCallId: 'c7', toolName: 'read', input: {} },
          { type: 'tool-approval-request', approvalId: 'ap_1', toolCallId: 'c1' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'ap_1', approved: true },
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'hello' } },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'read',
            output: { type: 'json', value: { a: [1, null, 'x'], '': {} }, providerOptions: cached },
            providerOptions: cached,
          },
          { type: 'tool-result', toolCallId: 'c3', toolName: 'read', output: { type: 'error-text', value: 'no' } },
          {
            type: 'tool-result',
            toolCallId: 'c4',
            toolName: 'read',
            output: { type: 'error-json', value: { code: 7 } },
          },
          { type: 'tool-result', toolCallId: 'c5', toolName: 'read', output: { type: 'execution-denied' } },
          {
            type: 'tool-result',
            toolCallId: 'c6',
            toolName: 'read',
            output: { type: 'execution-denied', reason: 'Not now.' },
          },
          {
            type: 'tool-result',
            toolCallId: 'c7',
            toolName: 'read',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'A chart.' },
                { type: 'image-data', data: 'iVBORw==', mediaType: 'image/png' },
                { type: 'file-url', url: 'https://example.org/a.csv', mediaType: 'text/csv' },
                { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName: 'x' } } },
              ],
            },
          },
        ],
        providerOptions: cached,
      },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: '' },
      { role: 'assistant', content: [] },
      { role: 'assistant', content: [], providerOptions: cached },
    ]
    expect(thereAndBack(original, 'ai-sdk')).toEqual(structuredClone(original))
  })

  test('come back in one form where the SDK has several', () => {
    const bytes = new Uint8Array([137, 80, 78, 71])
    const answer = (toolCallId: string, value: string) => ({
      type: 'tool-result',
      toolCallId,
      toolName: 'read',
      output: { type: 'text', value },
    })
    const several = [
      { role: 'user', content: [{ type: 'text', text: 'One text' }] },
      {
        role: 'user',
        content: [
          { type: 'image', image: bytes },
          { type: 'image', image: bytes.buffer, mediaType: 'image/png' },
          { type: 'image', image: new URL('https://example.org/a.png') },
          { type: 'file', data: 'data:text/plain;base64,YQ==', mediaType: 'text/csv' },
          { type: 'file', data: { type: 'data', data: bytes.subarray(1, 3) }, mediaType: 'text/plain' },
          { type: 'file', data: { type: 'url', url: new URL('https://example.org/a') }, mediaType: 'text/plain' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: undefined },
          { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: {}, providerExecuted: false },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'other',
            output: {
              type: 'content',
              value: [
                { type: 'media', data: 'JVBERg==', mediaType: 'application/pdf' },
                { type: 'text', text: 'x' },
              ],
            },
          },
        ],
      },
      { role: 'tool', content: [answer('a', 'first')] },
    ]
    expect(thereAndBack(several, 'ai-sdk')).toEqual([
      { role: 'user', content: 'One text' },
      {
        role: 'user',
        content: [
          { type: 'image', image: 'iVBORw==' },
          { type: 'image', image: 'iVBORw==', mediaType: 'image/png' },
          { type: 'image', image: 'https://example.org/a.png' },
          { type: 'file', data: 'YQ==', mediaType: 'text/plain' },
          { type: 'file', data: 'UE4=', mediaType: 'text/plain' },
          { type: 'file', data: 'https://example.org/a', mediaType: 'text/plain' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} },
          { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          answer('a', 'first'),
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'read',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'x' },
                { type: 'file-data', data: 'JVBERg==', mediaType: 'application/pdf' },
              ],
            },
          },
        ],
      },
    ])
  })

  test('lose an approval that no answer asks for, and say so', () => {
    const approval = {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'ap_1', approved: false }],
    }
    const { messages, losses } = take([approval, { role: 'user', content: 'Hi' }], 'ai-sdk')
    expect(messages.map(textOfMessage)).toEqual(['Hi'])
    expect(losses).toEqual(['The approval ap_1 was left out, because no answer before it asks for one.'])
  })
})

const textOfMessage = ({ content }: Message): string => textOf(content)

/** An answer that makes these calls, and results, in either shape. */
const forms = {
  openai: {
    answer: (...ids: string[]) => ({
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id, index) => ({
        id,
        type: 'function',
        function: { name: `tool${index}`, arguments: '{}' },
      })),
    }),
    result: (id: string, text: string) => ({ role: 'tool', tool_call_id: id, content: text }),
  },
  'ai-sdk': {
    answer: (...ids: string[]) => ({
      role: 'assistant',
      content: ids.map((toolCallId, index) => ({ type: 'tool-call', toolCallId, toolName: `tool${index}`, input: {} })),
    }),
    result: (toolCallId: string, value: string) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'x', output: { type: 'text', value } }],
    }),
  },
} as const
const user = (content: string) => ({ role: 'user', content })

/** Calls and results as `id` and `id=text`, in order. */
function pairs(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    content.map((part) => {
      if (part.type === 'call') return part.call.id
      return part.type === 'result'
        ? `${part.callId}=${part.outcome === 'ok' ? shownText(part.text) : part.outcome}`
        : role
    }),
  )
}

describe.each(shapes)('calls and results of another program, in the shape %s', (shape) => {
  const { answer, result: resultOf } = forms[shape]

  test('are put in order, also when results come late', () => {
    const { messages, losses } = take([answer('a', 'b'), resultOf('b', 'B'), user('Well?'), resultOf('a', 'A')], shape)
    expect(pairs(messages)).toEqual(['a', 'b', 'a=A', 'b=B', 'user'])
    expect(losses).toEqual([])
  })

  test('get new ids where an id comes more than once, and keep the given one beside it', () => {
    const taken = take(
      [answer('x'), resultOf('x', '1'), answer('x', 'y'), resultOf('x', '2'), resultOf('y', 'Y')],
      shape,
    )
    expectSound(taken)
    expect(taken.losses).toEqual([])
    expect(pairs(taken.messages)).toEqual(['call_1', 'call_1=1', 'call_2', 'y', 'call_2=2', 'y=Y'])
    expect(taken.messages[0]?.content).toMatchObject([{ call: { id: 'call_1', providerId: 'x' } }])
    expect(taken.messages[2]?.content[1]).not.toHaveProperty('call.providerId')
  })

  test('are matched in order when two parallel calls have one id', () => {
    const taken = take([answer('x', 'x'), resultOf('x', 'first'), resultOf('x', 'second')], shape)
    expectSound(taken)
    expect(taken.losses).toEqual([])
    expect(pairs(taken.messages)).toEqual(['call_1', 'call_2', 'call_1=first', 'call_2=second'])
    expect(taken.messages[1]?.content).toMatchObject([{ name: 'tool0' }])
    expect(taken.messages[2]?.content).toMatchObject([{ name: 'tool1' }])
  })

  test('never get the result of a later call that repeats the id', () => {
    const taken = take([answer('x'), user('Never mind'), answer('x'), resultOf('x', 'later')], shape)
    expectSound(taken)
    expect(pairs(taken.messages)).toEqual(['call_1', 'call_1=unknown', 'user', 'call_2', 'call_2=later'])
    expect(taken.losses).toEqual([
      'messages[0]: call x (tool0) has no result; it was taken over with the outcome unknown.',
    ])
  })

  test('never get an id that another call came with', () => {
    const taken = take([answer('x', 'x', 'call_1', 'call_3')], shape)
    expectSound(taken)
    expect(pairs(taken.messages).slice(0, 4)).toEqual(['call_2', 'call_4', 'call_1', 'call_3'])
  })

  test('get an id where theirs is empty or too long to be one', () => {
    const endless = 'x'.repeat(257)
    const taken = take([answer('', endless), resultOf(endless, '2'), resultOf('', '1')], shape)
    expectSound(taken)
    expect(pairs(taken.messages)).toEqual(['call_1', 'call_2', 'call_1=1', 'call_2=2'])
    expect(taken.messages[0]?.content).toMatchObject([{ call: { providerId: '' } }, { call: { providerId: endless } }])
  })

  test('that have no counterpart are named as losses, in their order', () => {
    const taken = take(
      [resultOf('gone', '?'), user('Hi'), answer('a', 'b'), resultOf('a', '1'), resultOf('a', '2'), resultOf('c', '3')],
      shape,
    )
    expectSound(taken)
    expect(pairs(taken.messages)).toEqual(['user', 'a', 'b', 'a=1', 'b=unknown'])
    expect(taken.messages.at(-1)?.content).toMatchObject([
      { text: 'No result of this call was recorded. It is not known whether it took effect.' },
    ])
    expect(taken.losses).toEqual([
      'messages[0]: a result for call gone was left out, because no call with this id waits for one.',
      'messages[2]: call b (tool1) has no result; it was taken over with the outcome unknown.',
      'messages[4]: a result for call a was left out, because no call with this id waits for one.',
      'messages[5]: a result for call c was left out, because no call with this id waits for one.',
    ])
  })

  test('can be recorded as one event, and given back from the state', async () => {
    const original = [
      user('Hi'),
      answer('a', 'b'),
      resultOf('a', 'A'),
      resultOf('b', 'B'),
      { role: 'assistant', content: 'Done.' },
    ]
    const environment = fixedEnvironment()
    await using session = await Session.open(new MemoryStore(), { environment })
    const taken = fromModelMessages(original, shape, {
      newId: (prefix) => environment.newId(prefix),
      at: environment.now(),
    })
    await session.append({ type: 'session.imported', source: { kind: shape }, ...taken })
    expect(give(session.state.messages, shape)).toEqual(give(taken.messages, shape))
    expect(take(give(session.state.messages, shape), shape).losses).toEqual([])
  })

  test('are taken in great numbers', () => {
    const many = Array.from({ length: 2500 }, (_, index) => [
      user(`Question ${index}`),
      answer('same', `own ${index}`),
      resultOf('same', 'repeated'),
      resultOf(`own ${index}`, 'unique'),
    ]).flat()
    const taken = take(many, shape)
    expect(many).toHaveLength(10_000)
    expectSound(taken)
    expect(taken.losses).toEqual([])
    expect(give(taken.messages, shape)).toHaveLength(shape === 'openai' ? 10_000 : 7500)
  })

  test('come through with lone surrogates and odd keys', () => {
    const odd = '\uD800 \uDC00 \u0000 \u2028'
    const input = JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(odd)}:${JSON.stringify(odd)}}`)
    const calls =
      shape === 'openai'
        ? {
            role: 'assistant',
            content: odd,
            tool_calls: [{ id: 'a', type: 'function', function: { name: odd, arguments: JSON.stringify(input) } }],
          }
        : {
            role: 'assistant',
            content: [
              { type: 'text', text: odd },
              { type: 'tool-call', toolCallId: 'a', toolName: odd, input },
            ],
          }
    const back = thereAndBack([user(odd), calls, resultOf('a', odd)], shape)
    expect(JSON.stringify(back[1])).toBe(JSON.stringify(calls))
    expect(back[0]).toEqual(user(odd))
    expect(JSON.stringify(back[2])).toContain(JSON.stringify(odd))
  })
})

describe('a message that cannot be read', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  const circular: unknown[] = []
  circular.push(circular)
  const toolCall = (fields: object) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', ...fields }],
  })
  const toolResult = (output: unknown) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }],
  })

  test.each<[ModelMessageShape, string, unknown]>([
    ['openai', 'it', null],
    ['openai', 'it', undefined],
    ['openai', 'it', 'Hi'],
    ['openai', 'it', []],
    ['openai', 'its field role', {}],
    ['openai', 'its field role', { role: 'robot', content: 'Hi' }],
    ['openai', 'its field content', { role: 'user' }],
    ['openai', 'its field content', { role: 'user', content: null }],
    ['openai', 'its field content.1.type', { role: 'user', content: [{ type: 'text', text: '' }, { type: 'video' }] }],
    ['openai', 'its field content.0.text', { role: 'assistant', content: [{ type: 'text' }] }],
    ['openai', 'its field content.0.image_url', { role: 'user', content: [{ type: 'image_url', image_url: 'a' }] }],
    ['openai', 'its field tool_call_id', { role: 'tool', content: 'x' }],
    ['openai', 'its field content', { role: 'tool', tool_call_id: 'a', content: { found: true } }],
    ['openai', 'its field tool_calls', { role: 'assistant', content: null, tool_calls: {} }],
    [
      'openai',
      'its field tool_calls.0.id',
      { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'a', arguments: '' } }] },
    ],
    [
      'openai',
      'its field tool_calls.0.function.name',
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: '', arguments: '' } }] },
    ],
    [
      'openai',
      'its field tool_calls.0.function.arguments',
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'a', arguments: {} } }] },
    ],
    ['ai-sdk', 'it', null],
    ['ai-sdk', 'its field role', { role: 'developer', content: 'Hi' }],
    ['ai-sdk', 'its field content', { role: 'system', content: [] }],
    ['ai-sdk', 'its field content', { role: 'tool', content: 'x' }],
    ['ai-sdk', 'its field content.0.toolCallId', { role: 'tool', content: [{ type: 'tool-result' }] }],
    ['ai-sdk', 'its field content.0.output', toolResult(undefined)],
    ['ai-sdk', 'its field content.0.output.type', toolResult({ type: 'yaml', value: '' })],
    ['ai-sdk', 'its field content.0.output.value', toolResult({ type: 'json', value: circular })],
    [
      'ai-sdk',
      'its field content.0.output.value.0.data',
      toolResult({ type: 'content', value: [{ type: 'file', data: 1, mediaType: 'a/b' }] }),
    ],
    ['ai-sdk', 'its field content.0.input', toolCall({ input: 1n })],
    ['ai-sdk', 'its field content.0.input', toolCall({ input: deep })],
    ['ai-sdk', 'its field content.0.providerOptions', toolCall({ input: {}, providerOptions: { openai: 'x' } })],
    [
      'ai-sdk',
      'its field content.0.data',
      { role: 'user', content: [{ type: 'file', data: { 0: 137 }, mediaType: 'image/png' }] },
    ],
    ['ai-sdk', 'its field content.0.type', { role: 'user', content: [{ type: 'reasoning', text: '' }] }],
  ])('is refused with its place and field: %s, %s', (shape, field, bad) => {
    const program = shape === 'openai' ? 'the OpenAI Chat Completions API' : 'the AI SDK'
    const error = refusalOf(() => take([user('Hi'), bad], shape))
    expect(error.code).toBe('invalid_message')
    expect(error.message).toContain(`messages[1] is not a message of ${program}: ${field} is wrong (`)
    expect(error.message).toContain('Nothing was converted; correct this message or leave it out.')
  })

  test('is also one that is missing from the array', () => {
    const sparse = [user('Hi')]
    sparse[2] = user('there')
    expect(refusalOf(() => take(sparse, 'openai')).message).toContain('messages[1]')
  })

  test('is no array of messages', () => {
    const notAnArray: unknown = { role: 'user', content: 'Hi' }
    const error = refusalOf(() =>
      Reflect.apply(fromModelMessages, undefined, [notAnArray, 'openai', { newId: () => 'x', at }]),
    )
    expect(error.message).toContain('The messages are not an array.')
  })

  test('is in no shape that is known', () => {
    for (const shape of ['gemini', 'toString', undefined]) {
      const error = refusalOf(() => Reflect.apply(toModelMessages, undefined, [[], shape]))
      expect(error.message).toContain('Use "openai" or "ai-sdk".')
    }
  })

  test('is not one with fields that are too deep, or not for JSON; those go', () => {
    for (const levels of [480, 490, 495, 500, 505, 2000]) {
      const nested = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
      const odd = { deep: nested, later: () => 1, big: 1n, none: undefined }
      expectSound(take([{ role: 'user', content: 'Hi', ...odd }], 'openai'))
      expectSound(take([{ role: 'assistant', content: null, ...odd }], 'openai'))
      expectSound(take([{ role: 'user', content: [{ type: 'text', text: 'Hi', ...odd }] }], 'openai'))
    }
    const hostile = JSON.parse('{"role":"user","content":"Hi","__proto__":{"polluted":true}}')
    expect(thereAndBack([hostile], 'openai')).toEqual([user('Hi')])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('is not one with fields that nobody here has heard of', () => {
    expect(take([{ role: 'user', content: 'Hi', mood: 'good', later: () => 1 }], 'openai').losses).toEqual([])
    expect(thereAndBack([{ role: 'user', content: 'Hi', id: 'm1', createdAt: new Date(at) }], 'ai-sdk')).toEqual([
      user('Hi'),
    ])
  })
})

function refusalOf(work: () => unknown): LoaderError {
  try {
    work()
  } catch (error) {
    if (LoaderError.is(error)) return error
    throw error
  }
  throw new Error('It was not refused.')
}

/** Any text, halves of surrogate pairs included. */
const words = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 })
const name = fc.constantFrom('read', 'write', 'run it')
const outcome = fc.constantFrom('ok', 'failed', 'denied', 'interrupted', 'unknown')
const json = fc.json({ maxDepth: 3 }).map((text): JsonValue => JSON.parse(text))
const metadata = fc.option(fc.constantFrom({ anthropic: { signature: 'sig' } }, { loose: 'x' }), { nil: undefined })

const longText = words.map((excerpt) => ({ blob: 'b1', bytes: 70_000, excerpt }))
const storedText = fc.oneof({ weight: 5, arbitrary: words }, { weight: 1, arbitrary: longText })
const source = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() }),
  fc.record({ kind: fc.constant('base64' as const), data: fc.base64String() }),
  fc.record({ kind: fc.constant('path' as const), path: fc.constant('src/a.png') }),
)
const mediaType = fc.constantFrom('image/png', 'image/*', 'audio/mpeg', 'application/pdf')
const filePart = fc.record({ type: fc.constant('file' as const), mediaType, source })
const textPart = fc.record({ type: fc.constant('text' as const), text: storedText })
const reasoning = fc.record({ type: fc.constant('reasoning' as const), text: storedText, providerMetadata: metadata })
const made = fc.record({
  name,
  input: json,
  malformed: fc.option(fc.constant('{"a'), { nil: undefined }),
  outcome,
  said: storedText,
  files: fc.array(filePart, { maxLength: 2 }),
  place: fc.nat(),
})

/** Messages as a session holds them: calls with unique ids, and their results in the order of finishing. */
const sessionMessages = fc
  .array(
    fc.oneof(
      fc.record({
        role: fc.constantFrom('user' as const, 'system' as const),
        said: fc.array(fc.oneof(textPart, filePart), { maxLength: 3 }),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        said: fc.array(fc.oneof(textPart, reasoning, filePart), { maxLength: 3 }),
        calls: fc.array(made, { maxLength: 4 }),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap(({ role, said, ...rest }, turn): Message[] => {
      const calls = ('calls' in rest ? rest.calls : []).map((each, index) => ({ ...each, id: `call ${turn} ${index}` }))
      const parts = calls.map(({ id, name, input, malformed }): Part => ({
        type: 'call',
        call: { id, name, input, malformed },
      }))
      const results = calls
        .toSorted((one, other) => one.place - other.place)
        .map(({ id, name, outcome, said: text, files }) =>
          message('tool', { type: 'result', callId: id, name, outcome, text, files }),
        )
      return [message(role, ...said, ...parts), ...results]
    }),
  )

/** The conversations that a model of either shape may have had, in the one form in which they come back. */
const openAIMessages = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system', 'developer'), content: words }),
      fc.record({
        role: fc.constant('user'),
        content: fc.array(fc.record({ type: fc.constant('text'), text: words }), { minLength: 2, maxLength: 3 }),
        name: words,
      }),
      fc.record({
        role: fc.constant('assistant'),
        content: fc.option(words, { nil: null }),
        reasoning_content: words,
        calls: fc.array(
          fc.record({
            name,
            arguments: fc.oneof(
              json.map((value) => JSON.stringify(value, null, 1)),
              words,
            ),
            said: words,
          }),
          { maxLength: 3 },
        ),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap((turn, place): object[] => {
      if (!('calls' in turn)) return [turn]
      const { calls, ...answer } = turn
      const id = (index: number) => `call ${place} ${index}`
      const tool_calls = calls.map(({ name, arguments: written }, index) => ({
        id: id(index),
        type: 'function',
        function: { name, arguments: written },
      }))
      return [
        { ...answer, ...(calls.length > 0 && { tool_calls }) },
        ...calls.map(({ said }, index) => ({ role: 'tool', tool_call_id: id(index), content: said })),
      ]
    }),
  )

const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'error-text'), value: words }),
  fc.record({ type: fc.constantFrom('json', 'error-json'), value: json }),
  fc.record({ type: fc.constant('execution-denied'), reason: words }),
)
const aiSdkMessages = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: words }),
      fc.record({
        role: fc.constant('assistant'),
        content: fc.array(
          fc.record({
            type: fc.constantFrom('text', 'reasoning'),
            text: words,
            providerOptions: fc.constant({ google: { s: 1 } }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        calls: fc.array(fc.record({ name, input: json, output }), { maxLength: 3 }),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap((turn, place): object[] => {
      if (!('calls' in turn)) return [turn]
      const { role, content, calls } = turn
      const id = (index: number) => `call ${place} ${index}`
      const made = calls.map(({ name: toolName, input }, index) => ({
        type: 'tool-call',
        toolCallId: id(index),
        toolName,
        input,
      }))
      const results = calls.map(({ name: toolName, output }, index) => ({
        type: 'tool-result',
        toolCallId: id(index),
        toolName,
        output,
      }))
      return [
        { role, content: [...content, ...made] },
        ...(calls.length > 0 ? [{ role: 'tool', content: results }] : []),
      ]
    }),
  )

describe('any conversation', () => {
  test.each(shapes)(
    'of a session can be given as %s, taken back without losses, and given again all the same',
    (shape) => {
      fc.assert(
        fc.property(sessionMessages, (messages) => {
          expect(pairingFault(messages)).toBeUndefined()
          const given = give(messages, shape)
          expect(thereAndBack(given, shape)).toEqual(given)
        }),
        { numRuns: runs },
      )
    },
  )

  test.each(shapes)('that was recorded, however it went, can be given as %s and taken back', (shape) => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 20, maxLength: 240 }).map(randomRecording), (recording) => {
        const messages = fold(recording)?.messages ?? []
        const open = pairingFault(messages) === undefined ? 0 : 1
        const given = give(messages, shape)
        const taken = take(given, shape)
        expectSound(taken)
        expect(Math.min(taken.losses.length, 1)).toBe(open)
      }),
      { numRuns: runs },
    )
  })

  test.each([['openai', openAIMessages] as const, ['ai-sdk', aiSdkMessages] as const])(
    'of %s comes back as it went, also through the disk',
    (shape, conversations) => {
      fc.assert(
        fc.property(conversations, (messages) => {
          const taken = take(messages, shape)
          expect(taken.losses).toEqual([])
          expectSound(taken)
          const reread = Message.array().parse(JSON.parse(JSON.stringify(taken.messages)))
          expect(JSON.parse(JSON.stringify(give(reread, shape)))).toEqual(JSON.parse(JSON.stringify(messages)))
        }),
        { numRuns: runs },
      )
    },
  )

  test.each(shapes)('of %s loses no result unsaid, however its ids are mixed up', (shape) => {
    const { answer, result: resultOf } = forms[shape]
    const id = fc.constantFrom('', 'a', 'b', 'call_1', 'call_2')
    const chaos = fc.array(
      fc.oneof(
        fc.array(id, { maxLength: 4 }).map((ids) => ({ calls: ids.length, results: 0, message: answer(...ids) })),
        id.map((each) => ({ calls: 0, results: 1, message: resultOf(each, 'said') })),
        fc.constant({ calls: 0, results: 0, message: user('Hi') }),
      ),
    )
    fc.assert(
      fc.property(chaos, (steps) => {
        const taken = take(
          steps.map((step) => step.message),
          shape,
        )
        expectSound(taken)
        const results = taken.messages.flatMap(({ content }) => content.filter((part) => part.type === 'result'))
        const placed = results.filter((part) => part.outcome === 'ok').length
        const orphans = taken.losses.filter((loss) => loss.includes('was left out')).length
        expect(results).toHaveLength(steps.reduce((sum, step) => sum + step.calls, 0))
        expect(placed + orphans).toBe(steps.reduce((sum, step) => sum + step.results, 0))
        expect(orphans + results.length - placed).toBe(taken.losses.length)
      }),
      { numRuns: runs },
    )
  })

  test.each(shapes)('of %s is either taken or refused with a LoaderError, whatever it is made of', (shape) => {
    const roles = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function')
    const type = fc.constantFrom(
      'text',
      'file',
      'image',
      'image_url',
      'tool-call',
      'tool-result',
      'reasoning',
      'custom',
    )
    const part = fc.record({
      type,
      text: fc.anything(),
      data: fc.anything(),
      providerOptions: fc.anything(),
      id: fc.anything(),
    })
    const anyMessage = fc.oneof(
      fc.anything(),
      fc.record({
        role: roles,
        content: fc.oneof(fc.array(part), fc.anything()),
        tool_calls: fc.anything(),
        tool_call_id: fc.anything(),
      }),
    )
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 3 }), (messages) => {
        try {
          expectSound(take(messages, shape))
        } catch (error) {
          if (!LoaderError.is(error, 'invalid_message')) throw error
        }
      }),
      { numRuns: runs },
    )
  })
})
