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

export const brokenHistories: readonly BrokenHistory[] = [...openai, ...anthropic, ...ollama]
