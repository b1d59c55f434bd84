import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fold, LoaderError, Message, pairingFault } from '../src/index.ts'
import { expectSound, give, shapes, take, thereAndBack } from './conversions.ts'
import { aiSdkMessages, openAIMessages, sessionMessages } from './random-conversations.ts'
import { randomHistory } from './random-history.ts'
import { forms, user } from './sample-messages.ts'

const runs = times({ quick: 100, ci: 300, long: 3000 })

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
      fc.property(fc.array(fc.nat(1000), { minLength: 20, maxLength: 240 }).map(randomHistory), (history) => {
        const messages = fold(history)?.messages ?? []
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
          const reread = z.array(Message).parse(JSON.parse(JSON.stringify(taken.messages)))
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
