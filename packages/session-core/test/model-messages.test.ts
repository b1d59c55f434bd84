import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { fromModelMessages, MemoryStore, type Message, Session, shownText, toModelMessages } from '../src/index.ts'
import { expectSound, give, shapes, take, thereAndBack } from './conversions.ts'
import { fixedEnvironment } from './fixed-environment.ts'
import { call, conversation, forms, message, result, say, user } from './sample-messages.ts'

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
    const exchanges = times({ quick: 250, ci: 2500 })
    const many = Array.from({ length: exchanges }, (_, index) => [
      user(`Question ${index}`),
      answer('same', `own ${index}`),
      resultOf('same', 'repeated'),
      resultOf(`own ${index}`, 'unique'),
    ]).flat()
    const taken = take(many, shape)
    expect(many).toHaveLength(4 * exchanges)
    expectSound(taken)
    expect(taken.losses).toEqual([])
    expect(give(taken.messages, shape)).toHaveLength((shape === 'openai' ? 4 : 3) * exchanges)
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
