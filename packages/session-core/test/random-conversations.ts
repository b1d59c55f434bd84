import fc from 'fast-check'
import type { JsonValue, Message, Part } from '../src/index.ts'
import { message } from './sample-messages.ts'

/** Any text, halves of surrogate pairs included. */
const words = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 })
const name = fc.constantFrom('read', 'write', 'run it')
const outcome = fc.constantFrom('ok', 'failed', 'denied', 'interrupted', 'unknown')
const json = fc.json({ maxDepth: 3 }).map((text): JsonValue => JSON.parse(text))
const metadata = fc.option(fc.constantFrom({ anthropic: { signature: 'sig' } }, { loose: 'x' }), { nil: undefined })

const longText = words.map((excerpt) => ({ blob: 'b1', bytes: 70_000, excerpt }))
const storedText = fc.oneof({ weight: 5, arbitrary: words }, { weight: 1, arbitrary: longText })
const source = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() }),
  fc.record({ kind: fc.constant('base64' as const), data: fc.base64String() }),
  fc.record({ kind: fc.constant('path' as const), path: fc.constant('src/a.png') }),
)
const mediaType = fc.constantFrom('image/png', 'image/*', 'audio/mpeg', 'application/pdf')
const filePart = fc.record({ type: fc.constant('file' as const), mediaType, source })
const textPart = fc.record({ type: fc.constant('text' as const), text: storedText })
const reasoning = fc.record({ type: fc.constant('reasoning' as const), text: storedText, providerMetadata: metadata })
const made = fc.record({
  name,
  input: json,
  malformed: fc.option(fc.constant('{"a'), { nil: undefined }),
  outcome,
  said: storedText,
  files: fc.array(filePart, { maxLength: 2 }),
  place: fc.nat(),
})

/** Messages as a session holds them: calls with unique ids, and their results in the order of finishing. */
export const sessionMessages = fc
  .array(
    fc.oneof(
      fc.record({
        role: fc.constantFrom('user' as const, 'system' as const),
        said: fc.array(fc.oneof(textPart, filePart), { maxLength: 3 }),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        said: fc.array(fc.oneof(textPart, reasoning, filePart), { maxLength: 3 }),
        calls: fc.array(made, { maxLength: 4 }),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap(({ role, said, ...rest }, turn): Message[] => {
      const calls = ('calls' in rest ? rest.calls : []).map((each, index) => ({ ...each, id: `call ${turn} ${index}` }))
      const parts = calls.map(({ id, name, input, malformed }): Part => ({
        type: 'call',
        call: { id, name, input, malformed },
      }))
      const results = calls
        .toSorted((one, other) => one.place - other.place)
        .map(({ id, name, outcome, said: text, files }) =>
          message('tool', { type: 'result', callId: id, name, outcome, text, files }),
        )
      return [message(role, ...said, ...parts), ...results]
    }),
  )

/** The conversations that a model of either shape may have had, in the one form in which they come back. */
export const openAIMessages = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system', 'developer'), content: words }),
      fc.record({
        role: fc.constant('user'),
        content: fc.array(fc.record({ type: fc.constant('text'), text: words }), { minLength: 2, maxLength: 3 }),
        name: words,
      }),
      fc.record({
        role: fc.constant('assistant'),
        content: fc.option(words, { nil: null }),
        reasoning_content: words,
        calls: fc.array(
          fc.record({
            name,
            arguments: fc.oneof(
              json.map((value) => JSON.stringify(value, null, 1)),
              words,
            ),
            said: words,
          }),
          { maxLength: 3 },
        ),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap((turn, place): object[] => {
      if (!('calls' in turn)) return [turn]
      const { calls, ...answer } = turn
      const id = (index: number) => `call ${place} ${index}`
      const tool_calls = calls.map(({ name, arguments: written }, index) => ({
        id: id(index),
        type: 'function',
        function: { name, arguments: written },
      }))
      return [
        { ...answer, ...(calls.length > 0 && { tool_calls }) },
        ...calls.map(({ said }, index) => ({ role: 'tool', tool_call_id: id(index), content: said })),
      ]
    }),
  )

const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'error-text'), value: words }),
  fc.record({ type: fc.constantFrom('json', 'error-json'), value: json }),
  fc.record({ type: fc.constant('execution-denied'), reason: words }),
)
export const aiSdkMessages = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: words }),
      fc.record({
        role: fc.constant('assistant'),
        content: fc.array(
          fc.record({
            type: fc.constantFrom('text', 'reasoning'),
            text: words,
            providerOptions: fc.constant({ google: { s: 1 } }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        calls: fc.array(fc.record({ name, input: json, output }), { maxLength: 3 }),
      }),
    ),
    { maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap((turn, place): object[] => {
      if (!('calls' in turn)) return [turn]
      const { role, content, calls } = turn
      const id = (index: number) => `call ${place} ${index}`
      const made = calls.map(({ name: toolName, input }, index) => ({
        type: 'tool-call',
        toolCallId: id(index),
        toolName,
        input,
      }))
      const results = calls.map(({ name: toolName, output }, index) => ({
        type: 'tool-result',
        toolCallId: id(index),
        toolName,
        output,
      }))
      return [
        { role, content: [...content, ...made] },
        ...(calls.length > 0 ? [{ role: 'tool', content: results }] : []),
      ]
    }),
  )
