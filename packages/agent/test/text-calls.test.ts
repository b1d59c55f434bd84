import { textOf } from '@loader/session-core'
import { line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { type Stage, stage, type StageOptions } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const work = 'Create hello.txt in the workspace root.'
const inText: StageOptions = { config: { nativeTools: false } }

/** The same call in every notation that is read. */
const notations: Readonly<Record<string, string>> = {
  'function tags':
    '<function=write>\n<parameter=file_path>hello.txt</parameter>\n<parameter=content>hello</parameter>\n</function>',
  'a JSON tag': '<tool_call>{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello"}}</tool_call>',
  'a JSON tag that is not closed':
    'Now I write it.\n<tool_call>{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello"}}',
  'a bare object': 'I will do this: {"name": "write", "parameters": {"file_path": "hello.txt", "content": "hello"}}',
  'an object with arguments as text':
    '{"name": "write", "arguments": "{\\"file_path\\": \\"hello.txt\\", \\"content\\": \\"hello\\"}"}',
  'brackets that call': '[calls write tool with: file_path="hello.txt", content="hello"]',
  'brackets that use': '[USE write tool: file_path="hello.txt", content="hello"]',
  'an action with its input':
    'Thought: It is not there.\nAction: write\nAction Input: {"file_path": "hello.txt", "content": "hello"}',
  'an action, and an observation that it made up':
    'Action: write\nAction Input: {"file_path": "hello.txt", "content": "hello"}\nObservation: Created.\n' +
    'Action: write\nAction Input: {"file_path": "made-up.txt", "content": "hello"}\nFinal Answer: It is there.',
  'an action with its input in a fence':
    'Now I write it.\n\n**Action:** `write`\n**Action Input:**\n```json\n{\n  "file_path": "hello.txt",\n  "content": "hello"\n}\n```',
  'JSON in brackets that call': '[calls write tool with: {"file_path": "hello.txt", "content": "hello"}]',
  'JSON in brackets that use': '[USE write tool: {"file_path": "hello.txt", "content": "hello\\n"}]',
  'JSON behind a bracket': '[TOOL_CALLS]write[ARGS]{"file_path": "hello.txt", "content": "hello"}',
  'a list behind a bracket':
    '[TOOL_CALLS] [{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello"}}]',
  'a name in other letters':
    '<tool_call>{"name": "Write", "arguments": {"file_path": "hello.txt", "content": "hello"}}</tool_call>',
  'arguments by other names':
    '<tool_call>{"name": "write", "arguments": {"path": "hello.txt", "text": "hello"}}</tool_call>',
  'a fence and nothing else':
    '```json\n{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello"}}\n```',
}

/** What the model reads, all of it in words. */
function read({ backend }: Stage, request: number): readonly string[] {
  const messages = backend.requests[request - 1]?.messages ?? []
  expect(messages.flatMap(({ content }) => content).every(({ type }) => type === 'text')).toBe(true)
  expect(messages.every(({ role }) => role === 'user' || role === 'assistant')).toBe(true)
  return messages.map(({ content }) => textOf(content))
}

describe('a model without calls of its own', () => {
  test.for(Object.entries(notations))('calls in text, as %s', async ([, text]) => {
    await using set = await stage([line(text), line('hello.txt is there.')], inText)
    const result = await set.agent.run(work)
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'hello.txt is there.' })
    expect((await set.place.workspace.files())['hello.txt']?.trim()).toBe('hello')
    expect(await set.place.workspace.files()).not.toHaveProperty(['made-up.txt'])
    const history = await set.expectWhole()
    expect(eventsOf(history, 'calls.recovered')).toMatchObject([{ calls: [{ name: 'write', recovered: true }] }])
    expect(read(set, 2).at(-1)).toMatch(/^Observation \[write\]: Result: Created hello\.txt/)
  })

  test.for([
    'Final Answer: It does nothing.',
    'Thought: There is nothing in it.\nI am sure.\n\nFinal Answer:\nIt does nothing.',
    '**Final Answer:** It does nothing.',
  ])('ends with a label that is left out of the answer: %j', async (text) => {
    await using set = await stage([line(text)], inText)
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({ response: 'It does nothing.' })
  })

  test('may talk of a label', async () => {
    const text = 'ReAct ends with "Final Answer:".\nFinal Answer: is its last label.'
    await using set = await stage([line(text)], inText)
    expect(await set.agent.run('Explain what ReAct is.')).toMatchObject({ response: text })
  })

  test('is told how to call, and gets no tools with its requests', async () => {
    await using set = await stage([line('It does nothing.')], inText)
    await set.agent.run('Explain what this project does.')
    const [request] = set.backend.requests
    expect(request?.tools).toEqual([])
    expect(request?.system).toContain('# Tool Call Format')
    expect(request?.system).toContain('<tool_call>')
    expect(set.agent.promptFormat).toBe('react')
  })

  test('may make several calls at once, and is told of each', async () => {
    const two = [
      '<tool_call>{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello"}}</tool_call>',
      '<tool_call>{"name": "read", "arguments": {"file_path": "missing.txt"}}</tool_call>',
    ].join('\n')
    await using set = await stage([line(two), line('hello.txt is there.')], inText)
    await set.agent.run(work)
    expect(read(set, 2).slice(-2)).toEqual([
      expect.stringMatching(/^Observation \[write\]: Result: /),
      expect.stringMatching(/^Observation \[read\]: Error \(failed\): /),
    ])
    await set.expectWhole()
  })

  test('and that calls by itself all the same is understood', async () => {
    const made = line('Now.', { name: 'write', input: { file_path: 'hello.txt', content: 'hello\n' } })
    await using set = await stage([made, line('hello.txt is there.')], inText)
    expect(await set.agent.run(work)).toMatchObject({ reason: 'turn_complete' })
    expect(read(set, 2)).toContainEqual(expect.stringContaining('<tool_call>{"name":"write"'))
    await set.expectWhole()
  })

  test('is told of denied calls in words as well', async () => {
    const text = '[USE bash tool: command="npm publish" reach="network"]'
    await using set = await stage([line(text), line('I may not.')], {
      config: { nativeTools: false, completionCheck: false },
    })
    await set.agent.run('Explain what this project does.')
    expect(read(set, 2).at(-1)).toMatch(/^Observation \[bash\]: Error \(denied\): Not allowed/)
    await set.expectWhole()
  })
})

describe('text that is no call', () => {
  test.for([
    ['a tool that nobody has', '<tool_call>{"name": "launch_rocket", "arguments": {"now": true}}</tool_call>'],
    ['an object without arguments', 'The config is {"name": "write"}.'],
    ['what is not JSON', '<tool_call>{"name": "write", "arguments": {"file_path": </tool_call>'],
    [
      'an example in a fence',
      'Write it like this:\n```json\n{"name": "write", "arguments": {"file_path": "x", "content": "y"}}\n```\nThen it works.',
    ],
  ] as const)('such as %s runs nothing', async ([, text]) => {
    const config = { nativeTools: false, completionCheck: false }
    await using set = await stage([line(text)], { config })
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({ response: text })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'calls.recovered')).toEqual([])
    expect(await set.place.workspace.files()).toEqual({})
  })
})

describe('a model with calls of its own', () => {
  test('that writes one into its text is understood, as often as the budget says', async () => {
    const look = (name: string) =>
      line(`<tool_call>{"name": "read", "arguments": {"file_path": "${name}.txt"}}</tool_call>`)
    const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }
    const lines = [look('a'), look('b'), look('c'), line('You are welcome.')]
    await using set = await stage(lines, { files, config: { limits: { maxRecoveredCalls: 2 } } })
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({
      reason: 'raw_text_tool_recovery_exhausted',
    })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'calls.recovered')).toHaveLength(2)
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
    await set.expectWhole()
  })

  test('runs none that stands in the text of a mere talk', async () => {
    const text = '<tool_call>{"name": "write", "arguments": {"file_path": "x", "content": "y"}}</tool_call>'
    await using set = await stage([line(text)])
    await set.agent.run('hello')
    expect(await set.place.workspace.files()).toEqual({})
    expect(eventsOf(await set.expectWhole(), 'calls.recovered')).toEqual([])
  })

  test('explores without changing anything, whatever stands in its text', async () => {
    const text = '<tool_call>{"name": "write", "arguments": {"file_path": "x", "content": "y"}}</tool_call>'
    await using set = await stage([line(text), line('I may only look.')], { config: { permissionMode: 'allow' } })
    await set.agent.explore('What is here?')
    expect(await set.place.workspace.files()).toEqual({})
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
  })
})
