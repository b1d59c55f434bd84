import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Message, type Part, toModelMessages } from '../src/index.ts'
import { take, thereAndBack } from './conversions.ts'
import { call, conversation, message, result, say } from './sample-messages.ts'

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
    const changed = z.array(Message).parse(JSON.parse(text))
    expect(toModelMessages(changed, 'openai')[0]).toMatchObject({
      tool_calls: [{ function: { arguments: '{"path":"***"}' } }],
    })
  })
})
