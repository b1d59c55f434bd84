import { describe, expect, test } from 'vitest'
import { type Part, textOf, toModelMessages } from '../src/index.ts'
import { take, thereAndBack } from './conversions.ts'
import { at, call, conversation, message, result } from './sample-messages.ts'

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
    expect(messages.map(({ content }) => textOf(content))).toEqual(['Hi'])
    expect(losses).toEqual(['The approval ap_1 was left out, because no answer before it asks for one.'])
  })
})
