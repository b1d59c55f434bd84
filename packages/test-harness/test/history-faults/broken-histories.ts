import type { Dialect, HistoryRule } from '../../src/index.ts'

export interface BrokenHistory {
  readonly rule: HistoryRule
  readonly dialect: Dialect
  /** Breaks the rule at this message, and no other rule anywhere. */
  readonly broken: readonly object[]
  readonly at: number
  /** The same without the fault. */
  readonly repaired: readonly object[]
}

const brokenFor =
  (dialect: Dialect) =>
  (rule: HistoryRule, at: number, broken: readonly object[], repaired: readonly object[]): BrokenHistory => ({
    rule,
    dialect,
    broken,
    at,
    repaired,
  })

/** The beginning of a PNG of this size in base64, and so many characters behind it. */
function picture(width: number, height: number, more = 0): string {
  const header = Buffer.alloc(27)
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header.toString('base64') + 'A'.repeat(more)
}

const user = (content: unknown = 'Hello') => ({ role: 'user', content })
const says = (content: unknown) => ({ role: 'assistant', content })

const openai = (() => {
  const called = (id: unknown, name: unknown = 'read', args: unknown = '{}') => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })
  const calls = (...tool_calls: readonly object[]) => ({ role: 'assistant', content: null, tool_calls })
  const result = (id?: string) => ({ role: 'tool', ...(id !== undefined && { tool_call_id: id }), content: 'Done' })
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const text = { type: 'text', text: 'Look' }
  const history = (...messages: readonly object[]) => [user(), ...messages]
  const at = brokenFor('openai')
  const answered = history(calls(called('a')), result('a'), user())
  return [
    at('messagesPresent', 0, [], [user()]),
    at('rolesKnown', 0, [{ role: 'model', content: 'Hi' }, user()], [says('Hi'), user()]),
    at(
      'callsAnswered',
      1,
      history(calls(called('a'), called('b')), result('a'), user()),
      history(calls(called('a'), called('b')), result('b'), result('a'), user()),
    ),
    at('callsAnswered', 1, history(calls(called('a'))), answered),
    at('answeredOnce', 3, history(calls(called('a')), result('a'), result('a')), answered),
    at('resultsHaveCalls', 1, history(result('a'), user()), answered),
    at('resultsHaveCalls', 3, history(calls(called('a')), result('a'), result('b')), answered),
    at('resultsHaveCalls', 3, history(calls(called('a')), result('a'), result()), answered),
    at('callsNotEmpty', 1, history({ ...says('Hi'), tool_calls: [] }), history(says('Hi'))),
    at(
      'callIdsUnique',
      3,
      [...answered.slice(0, 3), calls(called('a')), result('a')],
      [...answered.slice(0, 3), calls(called('b')), result('b')],
    ),
    at(
      'callIdsWellFormed',
      1,
      history(calls(called('x'.repeat(41))), result('x'.repeat(41))),
      history(calls(called('x'.repeat(40))), result('x'.repeat(40))),
    ),
    at('callNamesWellFormed', 1, history(calls(called('a', 'a.read')), result('a')), answered),
    at('callNamesWellFormed', 1, history(calls(called('a', '')), result('a')), answered),
    at('argumentsAreText', 1, history(calls(called('a', 'read', {})), result('a')), answered),
    at('argumentsAreJson', 1, history(calls(called('a', 'read', '{"path": ')), result('a')), answered),
    at('contentPresent', 1, history(says(null)), history(says(''))),
    at('contentPresent', 0, [user(null)], [user('')]),
    at('imagesFromUser', 1, history(says([text, image]), user()), history(says([text]), user([text, image]))),
  ]
})()

const anthropic = (() => {
  const use = (id: unknown, input: unknown = {}, name = 'read') => ({ type: 'tool_use', id, name, input })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'Done' })
  const text = (words: string) => ({ type: 'text', text: words })
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 'sig' }
  const shown = (data: string, media_type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type, data },
  })
  const history = (...messages: readonly object[]) => [user(), ...messages]
  const at = brokenFor('anthropic')
  const answered = history(says([use('a')]), user([result('a'), text('Go on')]))
  return [
    at('messagesPresent', 0, [], [user()]),
    at('rolesKnown', 1, history({ role: 'tool', content: 'Done' }, user()), history(says('Done'), user())),
    at(
      'callNamesWellFormed',
      1,
      history(says([use('a', {}, 'x'.repeat(201))]), user([result('a')])),
      history(says([use('a', {}, 'x'.repeat(200))]), user([result('a')])),
    ),
    at('callNamesWellFormed', 1, history(says([use('a', {}, '')]), user([result('a')])), answered),
    at('beginsWithUser', 0, [says('Hi'), user()], history(says('Hi'), user())),
    at('noSystemRole', 0, [{ role: 'system', content: 'Be brief' }, user()], [user()]),
    at(
      'callsAnswered',
      1,
      history(says([use('a'), use('b')]), user([result('a')])),
      history(says([use('a'), use('b')]), user([result('a'), result('b')])),
    ),
    at('callsAnswered', 1, history(says([use('a')]), user('Never mind')), answered),
    at('answeredOnce', 2, history(says([use('a')]), user([result('a'), result('a')])), answered),
    at('resultsHaveCalls', 2, history(says([use('a')]), user([result('a'), result('b')])), answered),
    at('resultsHaveCalls', 0, [user([result('a')])], answered),
    at(
      'resultsFirst',
      2,
      history(says([use('a')]), user([text('Here'), result('a')])),
      history(says([use('a')]), user([result('a'), text('Here')])),
    ),
    at(
      'callsLast',
      1,
      history(says([use('a'), text('I read')]), user([result('a')])),
      history(says([text('I read'), use('a')]), user([result('a')])),
    ),
    at('blocksInRole', 0, [user([use('a')])], [user()]),
    at('blocksInRole', 1, history(says([result('a')]), user()), history(says('Done'), user())),
    at('callIdsUnique', 1, history(says([use('a'), use('a')]), user([result('a')])), answered),
    at(
      'callIdsUnique',
      3,
      [...answered, says([use('a')]), user([result('a')])],
      [...answered, says([use('b')]), user([result('b')])],
    ),
    at(
      'callIdsWellFormed',
      1,
      history(says([use('read:0')]), user([result('read:0')])),
      history(says([use('read_0')]), user([result('read_0')])),
    ),
    at('argumentsAreObject', 1, history(says([use('a', '{}')]), user([result('a')])), answered),
    at('contentPresent', 1, history(says(''), user()), history(says('Hi'), user())),
    at('contentPresent', 0, [user([])], [user()]),
    at('contentPresent', 1, history(says([]), user()), history(user(), says([]))),
    at('textNotBlank', 1, history(says([text(' \n'), use('a')]), user([result('a')])), answered),
    at('textNotBlank', 0, [user('  ')], [user()]),
    at('noTrailingSpace', 1, history(says('It is ')), history(says('It is'))),
    at('noTrailingSpace', 1, history(says([text('It is\n')])), history(says([text('It is')]))),
    at('imagesTyped', 0, [user([shown(picture(9, 9), 'image/jpeg')])], [user([shown(picture(9, 9))])]),
    at(
      'imagesTyped',
      2,
      history(says([use('a')]), user([{ ...result('a'), content: [shown('AAAA')] }])),
      history(says([use('a')]), user([{ ...result('a'), content: [shown(picture(1, 1))] }])),
    ),
    at('imagesSmall', 0, [user([shown(picture(9, 9, 5 * 1024 * 1024))])], [user([shown(picture(9, 9, 5_000_000))])]),
    at('imagesMeasured', 0, [user([shown(picture(8001, 9))])], [user([shown(picture(8000, 9))])]),
    at(
      'imagesMeasured',
      0,
      [user(Array.from({ length: 21 }, (_, place) => shown(picture(place === 3 ? 2001 : 9, 9))))],
      [user(Array.from({ length: 21 }, () => shown(picture(2000, 9))))],
    ),
    at(
      'thinkingSigned',
      1,
      history(says([{ type: 'thinking', thinking: 'Hm' }, text('Hi')]), user()),
      history(says([thinking, text('Hi')]), user()),
    ),
    at('thinkingNotLast', 1, history(says([thinking])), history(says([thinking]), user())),
    at(
      'systemInPlace',
      0,
      [{ role: 'system', content: 'Be brief' }, user()],
      [user(), { role: 'system', content: 'Be brief' }],
    ),
    at(
      'systemInPlace',
      1,
      history({ role: 'system', content: 'Be brief' }, user()),
      history({ role: 'system', content: 'Be brief' }, says('Yes'), user()),
    ),
    at('endsWithUser', 1, history(says('It is')), history(says('It is'), user())),
    at(
      'thinkingFirst',
      1,
      history(says([text('Well'), use('a')]), user([result('a')])),
      history(says([thinking, use('a')]), user([result('a')])),
    ),
    at(
      'thinkingFirst',
      1,
      history(says([use('a')]), user([result('a')]), says([thinking, use('b')]), user([result('b')])),
      history(says([thinking, use('a')]), user([result('a')]), says([use('b')]), user([result('b')])),
    ),
    at(
      'thinkingFirst',
      3,
      history(says([thinking, text('Well')]), user(), says([use('a')]), user([result('a'), text('Go on')])),
      history(says([use('a')]), user([result('a'), text('Go on')]), says('Well'), user()),
    ),
  ]
})()

const ollama = (() => {
  const calls = (...names: readonly string[]) => ({
    role: 'assistant',
    content: '',
    tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
  })
  const result = (name?: string) => ({ role: 'tool', content: 'Done', ...(name !== undefined && { tool_name: name }) })
  const history = (...messages: readonly object[]) => [user(), ...messages]
  const at = brokenFor('ollama')
  const withArguments = (input: unknown) =>
    history({ role: 'assistant', tool_calls: [{ function: { name: 'read', arguments: input } }] }, result('read'))
  return [
    at('rolesKnown', 0, [{ role: 'developer', content: 'Hi' }], [{ role: 'system', content: 'Hi' }]),
    at(
      'callsAnswered',
      1,
      history(calls('read', 'read'), result('read'), user()),
      history(calls('read', 'read'), result('read'), result('read')),
    ),
    at(
      'callsAnswered',
      1,
      history(calls('read', 'list'), result()),
      history(calls('read', 'list'), result(), result()),
    ),
    at('resultsHaveCalls', 2, history(says('Hi'), result('read')), history(calls('read'), result('read'))),
    at(
      'resultsHaveCalls',
      3,
      history(calls('read'), result('read'), result('list')),
      history(calls('read', 'list'), result('list'), result('read')),
    ),
    at('resultsHaveCalls', 0, [result('read'), user()], [user()]),
    at('argumentsAreObject', 1, withArguments('{}'), withArguments({})),
    at('contentIsText', 0, [user([{ type: 'text', text: 'Hi' }])], [user('Hi')]),
    at('imagesPlain', 0, [{ ...user(), images: ['data:image/png;base64,AAAA'] }], [{ ...user(), images: ['AAAA'] }]),
  ]
})()

const responses = (() => {
  const called = (call_id: unknown = 'a', more: object = {}) => ({
    type: 'function_call',
    call_id,
    name: 'read',
    arguments: '{}',
    ...more,
  })
  const result = (call_id: unknown = 'a') => ({ type: 'function_call_output', call_id, output: 'Done' })
  const thought = (more: object = {}) => ({ type: 'reasoning', id: 'rs_1_0', summary: [], ...more })
  const said = (more: object = {}) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hi' }],
    ...more,
  })
  const history = (...items: readonly object[]) => [user(), ...items]
  const at = brokenFor('responses')
  const answered = history(called(), result(), user())
  return [
    at('rolesKnown', 1, history({ role: 'tool', content: 'Done' }), history(user('Done'))),
    at('itemsKnown', 1, history({ type: 'tool_result', call_id: 'a', output: 'Done' }), answered),
    at('itemsKnown', 1, history({ content: 'Done' }), history(user('Done'))),
    // What tools of the provider leave behind is none of our business.
    at(
      'itemsKnown',
      2,
      history({ type: 'web_search_call', id: 'ws_1', status: 'completed' }, { type: 'search', id: 'ws_2' }),
      history(thought(), { type: 'custom_tool_call', call_id: 'c', name: 'x', input: '' }),
    ),
    at(
      'callsAnswered',
      1,
      history(called(), called('b'), result('b')),
      history(called(), called('b'), result('b'), result()),
    ),
    at('callsAnswered', 1, history(called()), answered),
    at('resultsHaveCalls', 1, history(result(), user()), answered),
    at('resultsHaveCalls', 3, history(called(), result(), result('b')), answered),
    at('callIdsWellFormed', 1, history(called('x'.repeat(65)), result('x'.repeat(65))), answered),
    at('callNamesWellFormed', 1, history(called('a', { name: 'read file' }), result()), answered),
    at('callNamesWellFormed', 1, history(called('a', { name: '' }), result()), answered),
    at('argumentsAreText', 1, history(called('a', { arguments: {} }), result()), answered),
    at('contentPresent', 1, history({ type: 'message', role: 'user' }), history(user())),
    at('contentInRole', 1, history(said({ content: [{ type: 'input_text', text: 'Hi' }] })), history(said())),
    at('contentInRole', 0, [user([{ type: 'text', text: 'Hi' }])], [user([{ type: 'input_text', text: 'Hi' }])]),
    at('itemIdsWellFormed', 1, history(called('a', { id: 'call_1' }), result()), answered),
    at('itemIdsWellFormed', 1, history(said({ id: 'rs_1' })), history(said({ id: 'msg_1' }))),
    at(
      'itemIdsUnique',
      2,
      history(said({ id: 'msg_1' }), said({ id: 'msg_1' })),
      history(said({ id: 'msg_1' }), said()),
    ),
    at('reasoningFollowed', 1, history(thought(), user()), history(thought(), said())),
    at('reasoningFollowed', 1, history(thought()), history(thought(), said())),
    at(
      'reasoningKept',
      1,
      history(called('a', { id: 'fc_1_1_rs_1_0' }), result()),
      history(thought(), called('a', { id: 'fc_1_1_rs_1_0' }), result()),
    ),
    at('reasoningSealed', 1, history(thought(), said()), history(thought({ encrypted_content: 'c2VhbGVk' }), said())),
    at('reasoningSealed', 1, history({ type: 'item_reference', id: 'msg_1' }), history(said())),
  ]
})()

const gemini = (() => {
  const text = { text: 'Hello' }
  const asks = (...parts: readonly object[]) => ({ role: 'user', parts: parts.length === 0 ? [text] : parts })
  const says = (...parts: readonly object[]) => ({ role: 'model', parts: parts.length === 0 ? [text] : parts })
  const called = (name: unknown = 'read', more: object = {}) => ({
    functionCall: { name, args: {}, ...more },
    thoughtSignature: 'skip_thought_signature_validator',
  })
  const result = (more: object = {}) => ({ functionResponse: { name: 'read', response: { output: 'Done' }, ...more } })
  const at = brokenFor('gemini')
  const answered = [asks(), says(called()), asks(result())]
  const unsigned = { functionCall: { name: 'read', args: {} } }
  return [
    at('messagesPresent', 0, [], [asks()]),
    at('rolesKnown', 1, [asks(), { role: 'assistant', parts: [text] }], [asks(), says()]),
    at('contentPresent', 1, [asks(), { role: 'model', parts: [] }, asks()], [asks(), says(), asks()]),
    at('contentPresent', 1, [asks(), { role: 'model' }, asks()], [asks(), says(), asks()]),
    at('partsHoldData', 1, [asks(), says(text, {}), asks()], [asks(), says(text), asks()]),
    at('partsHoldData', 1, [asks(), says({ thought: true })], [asks(), says({ text: 'Hm.', thought: true })]),
    at('callsInTurn', 0, [says(called()), asks(result())], answered),
    // What the model says in a row is one turn, however many contents it is.
    at(
      'callsInTurn',
      1,
      [says(), says(called()), asks(result())],
      [asks(), says(), says(called()), says(), asks(result())],
    ),
    at('callsAnswered', 1, [asks(), says(called(), called('list')), asks(result())], answered),
    at('callsAnswered', 1, [asks(), says(called()), asks(), asks()], answered),
    at('callsAnswered', 1, [asks(), says(called())], answered),
    at('resultsHaveCalls', 1, [asks(), asks(result())], answered),
    at('resultsHaveCalls', 2, [asks(), says(), asks(result()), asks()], answered),
    at('resultsNamed', 2, [asks(), says(called()), asks(result({ name: '' }))], answered),
    at('resultsAreObjects', 2, [asks(), says(called()), asks(result({ response: 'Done' }))], answered),
    at('callNamesWellFormed', 1, [asks(), says(called('read file')), asks(result())], answered),
    at('callNamesWellFormed', 1, [asks(), says(called('')), asks(result())], answered),
    at('argumentsAreObject', 1, [asks(), says(called('read', { args: '{}' })), asks(result())], answered),
    at('signaturesPresent', 1, [asks(), says(unsigned), asks(result())], answered),
    at(
      'signaturesPresent',
      5,
      [asks(), says(called()), asks(result()), says(), asks(), says(unsigned), asks(result())],
      // A turn that is over needs none.
      [asks(), says(unsigned), asks(result()), says(), asks(), says(called()), asks(result())],
    ),
  ]
})()

export const brokenHistories: readonly BrokenHistory[] = [...openai, ...responses, ...anthropic, ...gemini, ...ollama]
