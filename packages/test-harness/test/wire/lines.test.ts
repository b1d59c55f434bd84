import { describe, expect, test } from 'vitest'
import { call } from '../../src/index.ts'
import { type WireLine, type WireScriptLine, wireServer } from '../../src/wire.ts'
import { bodyOf, dialects, post, says, textOf, user } from './post.ts'

const called = (id: string, name = 'test') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })

/** Asks with these histories, one after the other, and says what came. */
async function answersTo(lines: readonly WireScriptLine[], histories: readonly (readonly object[])[]) {
  await using server = await wireServer({ lines })
  const answers: unknown[] = []
  for (const messages of histories)
    answers.push(await textOf('openai', await post(server.url, 'openai', bodyOf('openai', messages))))
  return { answers, problems: server.problems(), lines: server.requests.map(({ line }) => line) }
}

describe('a line with a condition', () => {
  const tests = (text: string) => [user('Test it'), called('a'), result('a', text)]

  test('answers only a request whose last result fits', async () => {
    const lines: WireLine[] = [
      { text: 'I fix it.', when: { lastResult: 'failed' } },
      { text: 'Done.', when: { lastResult: { matches: '^\\d+ passed$' } } },
    ]
    const { answers, problems } = await answersTo(lines, [tests('3 passed'), tests('1 failed')])
    expect(answers).toEqual(['Done.', 'I fix it.'])
    expect(problems).toEqual([])
  })

  test('looks at every result since the last answer, and at none before it', async () => {
    const old = [user('Test it'), called('a'), result('a', 'failed'), says('Hm.'), user('Again')]
    const both = [
      user('Test it'),
      { ...called('a'), tool_calls: [called('a'), called('b')].flatMap(({ tool_calls: calls }) => calls) },
      result('a', 'failed'),
      result('b', 'ok'),
    ]
    const lines: WireLine[] = [{ text: 'Failed.', when: { lastResult: 'failed' } }, { text: 'Else.' }]
    expect((await answersTo(lines, [old, both])).answers).toEqual(['Else.', 'Failed.'])
  })

  test('can ask for the words of the user, the instructions, the model, or for no result', async () => {
    const lines: WireLine[] = [
      { text: 'A title.', when: { system: 'title' } },
      { text: 'Small.', when: { model: { matches: 'mini$' } } },
      { text: 'Bye.', when: { lastUser: 'bye', lastResult: null } },
      { text: 'Else.' },
    ]
    const asked = [
      bodyOf('openai', [user('bye'), says('Bye.'), user('hello')]),
      bodyOf('openai', [user('hello'), says('Hello.'), user('bye')]),
      bodyOf('openai', [{ role: 'system', content: 'Write a title.' }, user('hello')]),
      bodyOf('openai', [user('hello')], { model: 'gpt-mini' }),
    ]
    await using server = await wireServer({ lines })
    const answers: unknown[] = []
    for (const body of asked) answers.push(await textOf('openai', await post(server.url, 'openai', body)))
    expect(answers).toEqual(['Else.', 'Bye.', 'A title.', 'Small.'])
    server.assertDone()
  })

  test('that nobody meets is left over, and said to the request that meets none', async () => {
    const { problems } = await answersTo([{ text: 'Fixed.', when: { lastResult: 'failed' } }], [tests('ok')])
    expect(problems).toEqual([
      'Request 1 has no line: the script has 1, and no condition of 1 of them fits. The request ends with the result "ok".',
      '1 of 1 lines were never asked for: line 1: "Fixed."',
    ])
  })
})

describe('a line that repeats', () => {
  test('answers so many requests, each with calls of its own', async () => {
    await using server = await wireServer({ lines: [{ calls: [call('test')], repeat: 2 }, { text: 'Done.' }] })
    const history: object[] = [user('Test it twice')]
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await post(server.url, 'openai', bodyOf('openai', history))
      const { choices }: any = await response.json()
      const { message } = choices[0]
      history.push(message, ...(message.tool_calls ?? []).map(({ id }: { id: string }) => result(id, 'ok')))
    }
    expect(history.at(-1)).toMatchObject({ content: 'Done.' })
    server.assertDone()
  })

  test('is left over when it is not asked for often enough', async () => {
    const { problems } = await answersTo([{ text: 'Again.', repeat: 2 }], [[user('Hi')]])
    expect(problems).toEqual(['1 of 1 lines were never asked for: line 1: "Again."'])
  })

  test('any number of times is never left over', async () => {
    const lines: WireLine[] = [
      { text: 'A title.', when: { lastUser: 'title' }, repeat: 'any' },
      { text: 'One.' },
      { text: 'More.', repeat: 'any' },
    ]
    const { answers, problems } = await answersTo(lines, [[user('Hi')], [user('Hi')], [user('a title')], [user('Hi')]])
    expect(answers).toEqual(['One.', 'More.', 'A title.', 'More.'])
    expect(problems).toEqual([])
    expect((await answersTo(lines, [[user('Hi')]])).problems).toEqual([])
  })
})

describe('a line that is a function', () => {
  test.each(dialects)('makes its answer from the request, over the API of %s', async (dialect) => {
    await using server = await wireServer({
      lines: [({ messages, protocol }, number) => ({ text: `${number}: ${messages.length} over ${protocol}` })],
    })
    expect(await textOf(dialect, await post(server.url, dialect, bodyOf(dialect)))).toBe(`1: 1 over ${dialect}`)
    server.assertDone()
  })

  test('that fails, fails the test', async () => {
    const expectsTools: WireScriptLine = ({ tools }) => {
      expect(tools).toHaveLength(1)
      return { text: 'Good.' }
    }
    const { problems } = await answersTo([expectsTools], [[user('Hi')]])
    expect(problems[0]).toContain('The function of line 1 failed: expected [] to have a length of 1')
  })

  test('that makes nonsense is told so', async () => {
    const { problems } = await answersTo([() => ({ txt: 'Hi' }) as WireLine], [[user('Hi')]])
    expect(problems[0]).toContain('What the function of line 1 gave is wrong')
  })
})
