import type { JsonObject, Message, Part } from '@loader/session-core'
import fc from 'fast-check'

const at = '2026-01-01T00:00:00.000Z'
const words = fc.constantFrom('Read it.', 'Zürich 🎈', 'מימין', 'a\nb', 'x'.repeat(300))
const input = fc.constantFrom<JsonObject>({}, { path: 'a' }, { deep: [1, { list: [null, 'x'] }] }, { text: '"}' })

/** What an answer is made of: reasoning, text, and calls by the name of their tool, each with its result. */
const answer = fc.record({
  reasoning: fc.constantFrom('none', 'signed', 'unsigned'),
  text: fc.option(words, { nil: undefined }),
  calls: fc.array(
    fc.record({ name: fc.constantFrom('read', 'write', 'list'), input, result: fc.constantFrom('', 'Done', ' ') }),
    { maxLength: 3 },
  ),
  resultsFirst: fc.constantFrom('in order', 'reversed'),
})

const turn = fc.record({ asked: words, answers: fc.array(answer, { maxLength: 4 }), said: words })

/** The window of a session after some turns, as an agent leaves it: every call answered, every turn ended in words. */
export const randomWindow: fc.Arbitrary<Message[]> = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
  const messages: Message[] = []
  const add = (role: Message['role'], origin: Message['origin'], content: Part[]) => {
    messages.push({ id: `message_${messages.length}`, role, origin, content, at })
  }
  for (const { asked, answers, said } of turns) {
    add('user', 'input', [{ type: 'text', text: asked }])
    for (const { reasoning, text, calls, resultsFirst } of answers) {
      const made = calls.map((call, index) => ({ ...call, id: `call_${messages.length}_${index}` }))
      const content: Part[] = [
        ...(reasoning === 'none' ? [] : [reasoningPart(reasoning)]),
        ...(text === undefined && made.length > 0 ? [] : [{ type: 'text' as const, text: text ?? 'Well.' }]),
        ...made.map(({ id, name, input: given }) => ({ type: 'call' as const, call: { id, name, input: given } })),
      ]
      add('assistant', 'model', content)
      const results = resultsFirst === 'reversed' ? made.toReversed() : made
      for (const { id, name, result } of results) {
        add('tool', 'tool', [{ type: 'result', callId: id, name, outcome: 'ok', text: result }])
      }
    }
    add('assistant', 'model', [{ type: 'text', text: said }])
  }
  return messages
})

function reasoningPart(kind: 'signed' | 'unsigned'): Part {
  const signed = { providerMetadata: { anthropic: { signature: 'sig' } } }
  return { type: 'reasoning', text: 'Hm.', ...(kind === 'signed' && signed) }
}
