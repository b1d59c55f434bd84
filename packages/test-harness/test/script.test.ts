import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { jsonSchemas } from '../scripts/json-schemas.ts'
import { call, Completion, line, Script, ScriptedBackend } from '../src/index.ts'

const good: readonly Completion[] = [
  {},
  line('Hello.'),
  line('Two at once.', call('read', { path: 'a' }), call('read', { path: 'b' }, { id: 'same' })),
  { text: 'Hello', chunks: ['Hel', 'lo'] },
  { chunks: ['[TOOL_C', 'ALL] write'] },
  { ...line(call('write', { path: 'a' })), chunks: { arguments: 3 } },
  { text: 'a b', reasoning: 'c d', chunks: { text: 'word' }, usage: { inputTokens: 3 }, finishReason: 'length' },
  {
    content: [
      { type: 'call', call: call('read') },
      { type: 'text', text: 'and', providerMetadata: { a: 1 } },
    ],
  },
  { fault: { type: 'throw', kind: 'rate_limited', status: 429, retryAfterMs: 1000 } },
  { text: 'Hel', fault: { type: 'cut', after: 0 } },
  { fault: { type: 'stall' } },
  { fault: { type: 'empty_answer' } },
  { text: 'slow', fault: { type: 'drip', delayMs: 50 } },
  { ...line(call('write')), fault: { type: 'malformed_call' } },
  { ...line(call('write')), fault: { type: 'duplicate_call_id', id: 'call_1' } },
]

/** What both the code and the JSON Schema refuse. */
const bad: readonly unknown[] = [
  { txt: 'a typing error' },
  { text: 1 },
  { text: 'Hello', chunks: 'syllable' },
  { calls: [{ input: {} }] },
  { fault: { type: 'explode' } },
  { fault: { type: 'throw' } },
  { fault: { type: 'cut', after: -1 } },
  { fault: { type: 'drip' } },
  { content: [], text: 'beside it' },
]

describe('a line', () => {
  test.each(good)('can be %j', (completion) => {
    expect(Completion.parse(completion)).toEqual(completion)
    expect(JSON.parse(JSON.stringify(completion))).toEqual(completion)
  })

  test.each(bad)('cannot be %j', (completion) => {
    expect(Completion.safeParse(completion).success).toBe(false)
  })

  test.each([
    [{ text: 'Hello', chunks: ['Hel', 'p'] }, 'do not make up the text'],
    [{ content: [], chunks: ['a'] }, 'content stands alone'],
    [{ text: 'No call.', fault: { type: 'malformed_call' } }, 'malformed_call needs a call'],
    [{ txt: 'Hello' }, 'Unrecognized key: "txt"'],
  ])('that makes no sense, %j, is refused with its number before anything is asked', (completion, words) => {
    const scripted = () => new ScriptedBackend(line('Fine.'), completion as Completion)
    expect(scripted).toThrow(/^Line 2 of the script is wrong/)
    expect(scripted).toThrow(words)
  })
})

describe('the builders', () => {
  test('make plain values that can be written down', () => {
    expect(line('On it.', call('write', { path: 'a' }), call('list'))).toEqual({
      text: 'On it.',
      calls: [
        { name: 'write', input: { path: 'a' } },
        { name: 'list', input: {} },
      ],
    })
    expect(line(call('list', {}, { id: 'x', raw: '{' }))).toEqual({
      calls: [{ name: 'list', input: {}, id: 'x', raw: '{' }],
    })
    expect(line()).toEqual({})
  })
})

describe('the JSON Schema of a script', () => {
  const isScript = new Ajv2020({ strict: true }).compile(jsonSchemas()['script'] ?? false)

  test('takes the same lines as the code', () => {
    isScript({ $schema: './script.schema.json', lines: good })
    expect(isScript.errors).toBeNull()
    expect(Script.safeParse({ lines: good }).success).toBe(true)
  })

  test.each(bad)('refuses %j', (completion) => {
    expect(isScript({ lines: [completion] })).toBe(false)
  })

  test('explains every field of a line', () => {
    expect(jsonSchemas()['script']).toMatchObject({ $defs: { Completion: { description: expect.any(String) } } })
  })
})
