import { JsonObject, type JsonValue } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { localTools } from '@loader/tools'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { canonicalCall } from '../src/calls/canonical-call.ts'

const tools = localTools({ root: '.' })

type Call = readonly [name: string, input: JsonValue]

const spellings: readonly (readonly [Call, Call])[] = [
  [
    ['Read', { filePath: 'a' }],
    ['read', { file_path: 'a' }],
  ],
  [
    ['read_file', { path: 'a', start_line: 5, end_line: 9 }],
    ['read', { file_path: 'a', offset: 5, end_line: 9, limit: 5 }],
  ],
  [
    ['functions.ReadFile', { file: 'a', offset: '3', limit: null }],
    ['read', { file_path: 'a', offset: 3 }],
  ],
  [
    ['str_replace_editor', { command: 'view', path: 'a', view_range: [2, 4] }],
    ['read', { file_path: 'a', offset: 2, limit: 3 }],
  ],
  [
    ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: 'x' }],
    ['write', { file_path: 'a', content: 'x' }],
  ],
  [
    ['str_replace_editor', { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' }],
    ['edit', { file_path: 'a', old_string: 'x', new_string: 'y' }],
  ],
  [
    ['Write', { filepath: 'a', contents: 'x' }],
    ['write', { file_path: 'a', content: 'x' }],
  ],
  [
    ['create-file', { filename: 'a', text: 'x' }],
    ['write', { file_path: 'a', content: 'x' }],
  ],
  [
    ['Edit', { file_path: 'a', oldString: 'x', newString: 'y', replaceAll: 'true' }],
    ['edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }],
  ],
  [
    ['search_replace', { target_file: 'a', search: 'x', replace: 'y' }],
    ['edit', { file_path: 'a', old_string: 'x', new_string: 'y' }],
  ],
  [
    ['apply_patch', { input: '*** Begin Patch' }],
    ['patch', { patch: '*** Begin Patch' }],
  ],
  [
    ['apply_patch', '*** Begin Patch'],
    ['patch', { patch: '*** Begin Patch' }],
  ],
  [
    ['patch', { path: 'a', hunks: '[{"old_start":1,"lines":["-a"]}]' }],
    ['patch', { file_path: 'a', hunks: [{ old_start: 1, lines: ['-a'] }] }],
  ],
  [
    ['Bash', { cmd: 'ls', workdir: 'src', timeout: '30' }],
    ['bash', { command: 'ls', cwd: 'src', timeout: 30 }],
  ],
  [
    ['shell', { command: ['bash', '-lc', 'ls | wc'] }],
    ['bash', { command: 'ls | wc' }],
  ],
  [
    ['exec', { command: ['echo', "it's", 'a b'] }],
    ['bash', { command: `echo 'it'\\''s' 'a b'` }],
  ],
  [
    ['Bash', { command: 'ls', timeout: 120000 }],
    ['bash', { command: 'ls', timeout: 120 }],
  ],
  [
    ['shell', { command: 'ls', timeout_ms: 1500 }],
    ['bash', { command: 'ls', timeout: 2 }],
  ],
  [
    ['Grep', { pattern: 'x', '-i': true }],
    ['grep', { pattern: 'x', ignore_case: true }],
  ],
  [
    ['run_terminal_cmd', 'ls'],
    ['bash', { command: 'ls' }],
  ],
  [
    ['Glob', { glob: '*.ts', directory: 'src' }],
    ['glob', { pattern: '*.ts', path: 'src' }],
  ],
  [
    ['grep_search', { query: 'x', includePattern: '*.ts', '-C': '2' }],
    ['grep', { pattern: 'x', include: '*.ts', context: 2 }],
  ],
  [
    ['ripgrep', { regex: 'x', dir: 'src', head_limit: 5 }],
    ['grep', { pattern: 'x', path: 'src', max_results: 5 }],
  ],
  [
    ['Git', { command: 'git log --oneline -3' }],
    ['git', { action: 'log', args: ['--oneline', '-3'] }],
  ],
  [
    ['git', { action: 'show', args: 'HEAD:a' }],
    ['git', { action: 'show', args: ['HEAD:a'] }],
  ],
  [
    ['TodoWrite', { todos: [{ content: 'a', activeForm: 'b', status: 'pending' }] }],
    ['todo_write', { todos: [{ content: 'a', active_form: 'b', status: 'pending' }] }],
  ],
  [
    ['update_plan', { plan: [{ step: 'a', status: 'in-progress' }, 'b'] }],
    [
      'todo_write',
      {
        todos: [
          { content: 'a', status: 'in_progress' },
          { content: 'b', status: 'pending' },
        ],
      },
    ],
  ],
  [
    ['AskUserQuestion', { questions: [{ question: 'a?', header: 'A', options: [{ label: 'x' }] }] }],
    ['ask_user', { question: 'a?', title: 'A', options: [{ label: 'x' }] }],
  ],
  [
    ['ask_followup_question', { question: 'a?', follow_up: ['x', 'y'] }],
    ['ask_user', { question: 'a?', options: ['x', 'y'] }],
  ],
]

describe('the call of a model', () => {
  test.each(spellings)('%j is understood as %j', ([name, input], [ownName, ownInput]) => {
    const { name: canonical, input: arguments_ } = canonicalCall(tools, name, input)
    expect(canonical).toBe(ownName)
    expect(arguments_).toMatchObject(ownInput as object)
  })

  test.each(spellings.map(([, own]) => own))('%s in our own words comes out as it went in', (name, input) => {
    expect(canonicalCall(tools, name, input)).toEqual({ name, input })
  })

  test.each<Call>([
    ['teleport', { to: 'a' }],
    ['read', 7],
    ['write', [1, 2]],
    ['edit', { file_path: 'a', old_string: 1 }],
    ['bash', { command: ['ls', 1] }],
    ['patch', { hunks: 'no list' }],
    ['git', { action: 'log "a b"' }],
  ])('%s %j keeps what is not understood, for whoever examines it', (name, input) => {
    expect(canonicalCall(tools, name, input)).toEqual({ name, input })
  })

  test('with an argument under two names keeps ours', () => {
    const { input } = canonicalCall(tools, 'read', { path: 'b', file_path: 'a' })
    expect(input).toEqual({ file_path: 'a', path: 'b' })
  })

  test('cannot reach the prototype of anything', () => {
    const input = JSON.parse('{"__proto__": {"file_path": "a"}, "constructor": "b"}')
    expect(canonicalCall(tools, 'read', input).input).not.toHaveProperty('file_path')
    expect(canonicalCall(tools, 'constructor', {})).toEqual({ name: 'constructor', input: {} })
    expect(canonicalCall(tools, 'editor', { command: 'constructor' })).toEqual({
      name: 'editor',
      input: { command: 'constructor' },
    })
  })
})

function toolOf(name: string, rest: Partial<Tool> = {}): Tool {
  return {
    name,
    description: 'A tool of somebody else.',
    input: z.object({ article: z.string(), count: z.int(), note: z.string().nullable() }),
    examine: async (input) => ({ valid: true, input, effect: 'none', paths: [], intent: [] }),
    run: async () => ({ outcome: 'ok', text: 'done' }),
    ...rest,
  }
}

describe('a tool that is not one of the usual', () => {
  test('is found in other spellings of its name, and gets the arguments as they are', () => {
    const input = { article: 'apples', count: '5', note: null }
    expect(canonicalCall([...tools, toolOf('place_order')], 'functions.PlaceOrder', input)).toEqual({
      name: 'place_order',
      input,
    })
  })

  test('keeps a name that is an alias of another tool', () => {
    const search = toolOf('search')
    expect(canonicalCall([...tools, search], 'search', { query: 'a' })).toEqual({
      name: 'search',
      input: { query: 'a' },
    })
    expect(canonicalCall(tools, 'search', { query: 'a' })).toEqual({ name: 'grep', input: { pattern: 'a' } })
  })

  test('says which other names it and its arguments have; texts become what its schema asks for', () => {
    const order = toolOf('order', {
      aliases: { names: ['buy'], arguments: { article: ['item'], count: ['amount'] }, main: 'article' },
    })
    expect(canonicalCall([order], 'Buy', { Item: 'apples', amount: '5' })).toEqual({
      name: 'order',
      input: { article: 'apples', count: 5 },
    })
    expect(canonicalCall([order], 'buy', 'apples')).toEqual({ name: 'order', input: { article: 'apples' } })
  })

  test('with the spelling of a usual name takes no calls from the usual tool', () => {
    expect(canonicalCall([toolOf('Read'), ...tools], 'read', { path: 'a' })).toEqual({
      name: 'read',
      input: { file_path: 'a' },
    })
  })

  test('is read once for the types of its arguments', () => {
    const order = toolOf('order', {
      aliases: { names: ['buy'], arguments: { article: ['item'], count: ['amount'] }, main: 'article' },
    })
    const input = { item: 'apples', amount: '5' }
    canonicalCall([order], 'buy', input)
    const parse = vi.spyOn(JsonObject, 'safeParse')
    canonicalCall([order], 'buy', input)
    expect(parse).toHaveBeenCalledTimes(1)
    parse.mockRestore()
  })
})
