import type { JsonValue } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { canonicalCall } from '../src/index.ts'

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
    const { name: canonical, input: arguments_ } = canonicalCall(name, input)
    expect(canonical).toBe(ownName)
    expect(arguments_).toMatchObject(ownInput as object)
  })

  test.each(spellings.map(([, own]) => own))('%s in our own words comes out as it went in', (name, input) => {
    expect(canonicalCall(name, input)).toEqual({ name, input })
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
    expect(canonicalCall(name, input)).toEqual({ name, input })
  })

  test('with an argument under two names keeps ours', () => {
    const { input } = canonicalCall('read', { path: 'b', file_path: 'a' })
    expect(input).toEqual({ file_path: 'a', path: 'b' })
  })

  test('cannot reach the prototype of anything', () => {
    const input = JSON.parse('{"__proto__": {"file_path": "a"}, "constructor": "b"}')
    expect(canonicalCall('read', input).input).not.toHaveProperty('file_path')
    expect(canonicalCall('constructor', {})).toEqual({ name: 'constructor', input: {} })
    expect(canonicalCall('editor', { command: 'constructor' })).toEqual({
      name: 'editor',
      input: { command: 'constructor' },
    })
  })
})
