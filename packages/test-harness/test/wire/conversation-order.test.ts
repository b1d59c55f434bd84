import { describe, expect, test } from 'vitest'
import { call, type Dialect } from '../../src/index.ts'
import { type WireScriptLine, wireServer } from '../../src/wire.ts'
import { bodyOf, dialects, post, says, textOf, user } from './post.ts'

/** A history in the plainest words of a dialect: what the user said, what was called and what came of it. */
const histories: Readonly<Record<Dialect, { first: object[]; second: object[]; compacted: object[] }>> = {
  openai: {
    first: [
      user('Task'),
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"b":1,"a":2}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'interrupted' },
    ],
    second: [{ role: 'assistant', content: 'Half way.' }, user('Go on')],
    compacted: [user('Summary: half way.')],
  },
  anthropic: {
    first: [
      user('Task'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'tool_use', id: 'call_1', name: 'read', input: { b: 1, a: 2 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'interrupted' }] },
    ],
    second: [{ role: 'assistant', content: 'Half way.' }, user('Go on')],
    compacted: [user('Summary: half way.')],
  },
  responses: {
    first: [
      user('Task'),
      says('I read.'),
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"b":1,"a":2}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'interrupted' },
    ],
    second: [says('Half way.'), user('Go on')],
    compacted: [user('Summary: half way.')],
  },
  gemini: {
    first: [
      user('Task'),
      {
        role: 'model',
        parts: [
          { text: 'I read.' },
          {
            functionCall: { id: 'call_1', name: 'read', args: { b: 1, a: 2 } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'call_1', name: 'read', response: { output: 'interrupted' } } }],
      },
    ],
    second: [says('Half way.'), user('Go on')],
    compacted: [user('Summary: half way.')],
  },
  ollama: {
    first: [
      user('Task'),
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ function: { name: 'read', arguments: { b: 1, a: 2 } } }],
      },
      { role: 'tool', tool_name: 'read', content: 'interrupted' },
    ],
    second: [{ role: 'assistant', content: 'Half way.' }, user('Go on')],
    compacted: [user('Summary: half way.')],
  },
}

const lines: readonly WireScriptLine[] = [
  { text: 'I read.', calls: [call('read', { a: 2, b: 1 })] },
  { text: 'Half way.' },
  { text: 'Nearly.' },
  { text: 'Done.' },
]

async function talk(dialect: Dialect, script: readonly WireScriptLine[], asked: readonly (readonly object[])[]) {
  await using server = await wireServer({ lines: script, order: 'conversation' })
  const answers: unknown[] = []
  for (const messages of asked) {
    const tools = dialect === 'anthropic' ? { tools: [{ name: 'read', input_schema: { type: 'object' } }] } : {}
    const response = await post(server.url, dialect, bodyOf(dialect, messages, tools))
    answers.push(response.status === 200 ? await textOf(dialect, response) : response.status)
  }
  return { answers, problems: server.problems() }
}

describe.each(dialects)('lines that go by the conversation, over the API of %s,', (dialect) => {
  const { first, second, compacted } = histories[dialect]
  const begin = [user('Task')]
  const both = [...first, ...second]

  test('come again to a request whose answer was lost', async () => {
    const { answers, problems } = await talk(dialect, lines, [begin, begin, first, first, first, both])
    expect(answers).toEqual(['I read.', 'I read.', 'Half way.', 'Half way.', 'Half way.', 'Nearly.'])
    expect(problems).toEqual(['1 of 4 lines were never asked for: line 4: "Done."'])
  })

  test('come again also when the resumed conversation says more', async () => {
    const noted = [user('Task'), user('You were interrupted.')]
    const { answers } = await talk(dialect, lines, [begin, noted, first, [...first, user('You were interrupted.')]])
    expect(answers).toEqual(['I read.', 'I read.', 'Half way.', 'Half way.'])
  })

  test('come again when an agent kept the beginning of an answer that it lost', async () => {
    const begun = [user('Task'), { role: 'assistant', content: 'I re' }, user('Go on')]
    expect((await talk(dialect, lines, [begin, begun])).answers).toEqual(['I read.', 'I read.'])
  })

  test('go on behind the furthest line when an agent keeps other words than it got', async () => {
    const own = [user('Task'), { role: 'assistant', content: '[the first answer]' }, user('Go on')]
    expect((await talk(dialect, lines, [begin, own, own])).answers).toEqual(['I read.', 'Half way.', 'Half way.'])
  })

  test('go on behind the furthest line when a compaction took the answers out', async () => {
    const { answers } = await talk(dialect, lines, [begin, first, compacted, compacted])
    expect(answers).toEqual(['I read.', 'Half way.', 'Nearly.', 'Nearly.'])
    const kept = [...compacted, { role: 'assistant', content: 'Nearly.' }, user('Go on')]
    expect((await talk(dialect, lines, [begin, first, compacted, kept])).answers.at(-1)).toBe('Done.')
  })

  test('pass what leaves no answer once it was sent', async () => {
    const failing: WireScriptLine[] = [
      { fault: { type: 'throw', kind: 'overloaded', status: 503 } },
      { text: 'Half way.', fault: { type: 'empty_answer' } },
      ...lines,
    ]
    const { answers } = await talk(dialect, failing, [begin, begin, begin, first])
    expect(answers[0]).toBe(503)
    expect(answers.slice(2)).toEqual(['I read.', 'Half way.'])
  })

  test('are too few when the last answer is there already', async () => {
    const { answers, problems } = await talk(dialect, lines.slice(0, 2), [begin, first, both])
    expect(answers).toEqual(['I read.', 'Half way.', 400])
    expect(problems).toEqual([expect.stringContaining('Request 3 has no line: the script has 2')])
  })

  test('can be functions, whose answers are known again', async () => {
    const made: WireScriptLine[] = lines.map((line) => () => (typeof line === 'function' ? {} : line))
    expect((await talk(dialect, made, [begin, begin, first, both])).answers).toEqual([
      'I read.',
      'I read.',
      'Half way.',
      'Nearly.',
    ])
  })
})

test('a call is known by its id, whatever became of its arguments', async () => {
  const repaired = histories.openai.first.map((message) =>
    'tool_calls' in message
      ? {
          ...message,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        }
      : message,
  )
  const asked = [[user('Task')], repaired, [...repaired, user('You were interrupted.')]]
  expect((await talk('openai', lines, asked)).answers).toEqual(['I read.', 'Half way.', 'Half way.'])
})

test('a call that repeats is known in each of its uses', async () => {
  await using server = await wireServer({
    lines: [{ calls: [call('read')], repeat: 2 }, { text: 'Done.' }],
    order: 'conversation',
  })
  const history: object[] = [user('Task')]
  for (let turn = 0; turn < 3; turn += 1) {
    const lost = await post(server.url, 'openai', bodyOf('openai', history))
    const { choices }: any = await (await post(server.url, 'openai', bodyOf('openai', history))).json()
    expect(((await lost.json()) as any).choices).toEqual(choices)
    const { message } = choices[0]
    const results = (message.tool_calls ?? []).map(({ id }: { id: string }) => ({
      role: 'tool',
      tool_call_id: id,
      content: 'ok',
    }))
    history.push(message, ...results)
  }
  expect(history.at(-1)).toMatchObject({ content: 'Done.' })
  server.assertDone()
})
