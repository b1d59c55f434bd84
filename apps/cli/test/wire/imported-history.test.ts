import { localEnvironment } from '@loader/agent/local'
import { fromModelMessages, type Message, Session } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A conversation of a program that minded nothing: what providers refuse in a history, as far as it can be read. */
const careless: readonly object[] = [
  { role: 'system', content: 'You are another agent.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is wrong here?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'functions.read:0', type: 'function', function: { name: 'mcp.files/read', arguments: '{"path":"a.txt"}' } },
      {
        id: `call_${'x'.repeat(80)}`,
        type: 'function',
        function: { name: 'multi_tool_use.parallel', arguments: '{"uses": [' },
      },
    ],
  },
  { role: 'tool', tool_call_id: `call_${'x'.repeat(80)}`, content: 'failed' },
  { role: 'tool', tool_call_id: 'functions.read:0', content: [{ type: 'text', text: 'Hello' }] },
  { role: 'developer', content: 'Answer in one line.' },
  { role: 'assistant', content: '' },
  { role: 'assistant', content: 'It says Hello.  \n' },
  { role: 'user', content: '   ' },
  { role: 'user', content: 'Then change it.' },
  {
    role: 'assistant',
    content: 'I do.',
    tool_calls: [{ id: 'functions.read:0', type: 'function', function: { name: 'write', arguments: '"a.txt"' } }],
  },
]

/** Thoughts, failed calls, and images in results. */
const thoughtful: readonly object[] = [
  { role: 'user', content: 'Look at the screen.' },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'A screenshot, then.',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAA' } },
      },
      { type: 'tool-call', toolCallId: 'toolu_01', toolName: 'screenshot', input: {} },
      { type: 'tool-call', toolCallId: 'toolu_02', toolName: 'click', input: { at: [1, 2] } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'toolu_01',
        toolName: 'screenshot',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'Taken.' },
            { type: 'image-data', data: pixel, mediaType: 'image/png' },
          ],
        },
      },
      {
        type: 'tool-result',
        toolCallId: 'toolu_02',
        toolName: 'click',
        output: { type: 'error-text', value: 'Nothing is there.' },
      },
    ],
  },
  { role: 'assistant', content: [{ type: 'reasoning', text: 'Nothing more.' }] },
]

const lines = [line('I look.', call('read', { file_path: 'a.txt' })), line('a.txt says Hello.')]

describe.each(sample(protocols, { quick: 2 }))('over %s', (protocol) => {
  test.each([
    { of: 'OpenAI, as careless programs leave it behind', shape: 'openai', messages: careless },
    { of: 'the AI SDK, with thoughts and images', shape: 'ai-sdk', messages: thoughtful },
  ] as const)('a conversation of $of goes on', async ({ shape, messages }) => {
    // What was sealed for the other program is nothing that this server has sealed.
    const rules = { thinkingSealed: 'off' } as const
    await using scene = await Scene.set({ protocol, files: { 'a.txt': 'Hello\n' }, lines, rules })
    const id = await imported(scene, messages, shape)
    expect(await scene.agent.resumeSession(id)).toBe(true)
    await scene.agent.run('What does a.txt say now?')
    scene.server.assertDone()
    const again = await scene.again()
    expect(again.lastTurnSummary?.reason).toBe('turn_complete')
    const said = scene.asked
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join('\n')
    expect(said).toContain('What does a.txt say now?')
    expect(said).toContain(shape === 'openai' ? 'Then change it.' : 'Look at the screen.')
  })

  test('a call with unknown outcome stays unknown', async () => {
    await using scene = await Scene.set({ protocol, files: { 'a.txt': 'Hello\n' }, lines })
    const id = await imported(scene, careless, 'openai')
    await scene.agent.resumeSession(id)
    await scene.agent.run('What does a.txt say now?')
    scene.server.assertDone()
    const results = scene.asked[0]?.messages.flatMap((message) => message.results) ?? []
    expect(results.map(({ text }) => text)).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('failed'),
      expect.stringContaining('not known whether it took effect'),
    ])
  })
})

/** A session with the conversation as it was taken over. */
async function imported(scene: Scene, conversation: readonly object[], shape: 'openai' | 'ai-sdk'): Promise<string> {
  const environment = localEnvironment()
  const project = { root: scene.workspace.root }
  const session = await Session.open(scene.store, { environment, project })
  const { messages }: { messages: readonly Message[] } = fromModelMessages(conversation, shape, {
    at: environment.now(),
    newId: (prefix) => environment.newId(prefix),
  })
  await session.append({ type: 'session.imported', source: { kind: shape }, messages: [...messages] })
  await session.close()
  return session.id
}
