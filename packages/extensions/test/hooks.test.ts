import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HooksSetting, hooksOfSettings, hooksOfSharedFile } from '../src/config.ts'
import { hookInput, inCopy } from '../src/hooks/hook-input.ts'
import { type HookEnding, hookSaying } from '../src/hooks/hook-output.ts'
import { hookEvents } from '../src/hooks/hook-settings.ts'
import { matches, matchesTool } from '../src/hooks/matcher.ts'

const about = { source: '.claude/settings.json', origin: 'project' } as const
const ended = (more: Partial<HookEnding>): HookEnding => ({
  how: 'exited',
  exitCode: 0,
  stdout: '',
  stderr: '',
  ...more,
})
const hook = { event: 'PreToolUse', origin: 'user', timeoutMs: 1000 } as const
const saying = (output: unknown, more: { readonly origin?: 'user' | 'project' } = {}) =>
  hookSaying({ ...hook, ...more }, ended({ stdout: JSON.stringify(output) }))

test('settings of another program are read one by one, and what cannot run here is said', () => {
  const { hooks, faults } = hooksOfSharedFile(
    {
      permissions: { allow: ['Bash'] },
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'check.sh', timeout: 5 }] },
          { matcher: '(', hooks: [{ type: 'command', command: 'x' }] },
          {
            matcher: 'Edit',
            hooks: [
              { type: 'prompt', prompt: 'Is it good?' },
              { type: 'command', command: 'fmt', async: true },
              { type: 'command', command: 'wake', asyncRewake: true },
            ],
          },
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'rm.sh', if: 'Bash(rm *)' }] },
        ],
        WorktreeCreate: [{ hooks: [{ type: 'command', command: 'x' }] }],
        Stop: 'x',
      },
    },
    about,
  )
  expect(hooks).toEqual([
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      command: 'check.sh',
      timeoutMs: 5000,
      reach: 'work',
      async: false,
      ...about,
    },
    { event: 'PreToolUse', matcher: 'Edit', command: 'fmt', timeoutMs: 60_000, reach: 'work', async: true, ...about },
    { event: 'PreToolUse', matcher: 'Edit', command: 'wake', timeoutMs: 60_000, reach: 'work', async: true, ...about },
  ])
  expect(faults.map((fault) => fault.slice(about.source.length + 2))).toEqual([
    'the matcher ( on PreToolUse is no regular expression',
    'a hook on PreToolUse is no command',
    'a hook on PreToolUse has the key asyncRewake: it runs like async, and wakes nobody: wake',
    'a hook on PreToolUse has the key if, which is not known here: rm.sh',
    'hooks on WorktreeCreate do not run here',
    'hooks.Stop is not a list of { matcher, hooks }',
  ])
})

test('a hook of a project gets no more reach than commands of the model', () => {
  const setting = HooksSetting.parse({ Stop: [{ hooks: [{ command: 'x', reach: 'open' }] }] })
  expect(hooksOfSettings(setting, about)).toMatchObject({
    hooks: [{ reach: 'work' }],
    faults: [/./].map(() => expect.stringContaining('wants the reach open, and gets work')),
  })
  expect(hooksOfSettings(setting, { ...about, origin: 'user' })).toMatchObject({
    hooks: [{ reach: 'open' }],
    faults: [],
  })
})

test('matchers are names, lists of names, or regular expressions, by the names that tools have elsewhere', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['', 'bash', true],
    ['*', 'bash', true],
    ['Bash', 'bash', true],
    ['bash', 'bash', true],
    ['Ba', 'bash', false],
    ['Edit|Write', 'patch', true],
    ['Edit, Write', 'write', true],
    ['MultiEdit', 'edit', true],
    ['Read', 'write', false],
    ['^Web', 'fetch', true],
    ['mcp__files__.*', 'files__read', true],
    ['mcp__files', 'files__read', false],
    ['Task', 'agent', true],
  ]
  for (const [matcher, tool, is] of table)
    expect([matcher, tool, matchesTool(matcher, tool)]).toEqual([matcher, tool, is])
  expect(matches('startup|resume', 'resume')).toBe(true)
})

test('a check in a copy is told of the project, and what it changes is changed in the copy', () => {
  const state = { id: 'ses', policy: null, lastTurn: null, turn: null } as never
  const scene = { root: '/copies/one/shop', project: '/home/me/shop', agentType: 'maker' }
  const about = (event: 'PreToolUse' | 'PostToolUse', file_path: string) =>
    hookInput(event, { state, call: { id: 'c', name: 'write', input: { file_path } } }, scene)
  for (const [given, shown] of [
    ['prod/a.txt', '/home/me/shop/prod/a.txt'],
    ['/copies/one/shop/prod/a.txt', '/home/me/shop/prod/a.txt'],
    ['/copies/one/shop/src/../prod/a.txt', '/home/me/shop/prod/a.txt'],
    ['/copies/one/shopping/a.txt', '/copies/one/shopping/a.txt'],
  ] as const) {
    expect(about('PreToolUse', given)).toMatchObject({
      cwd: '/home/me/shop',
      agent_id: 'ses',
      agent_type: 'maker',
      tool_input: { file_path: shown },
    })
  }
  // What has been done was done in the copy.
  expect(about('PostToolUse', 'prod/a.txt')).toMatchObject({
    cwd: scene.root,
    tool_input: { file_path: '/copies/one/shop/prod/a.txt' },
  })
  expect(inCopy({ file_path: '/home/me/shop/b.txt', content: '' }, scene)).toEqual({
    file_path: '/copies/one/shop/b.txt',
    content: '',
  })
  expect(inCopy({ file_path: '/home/me/shops/b.txt' }, scene)).toEqual({ file_path: '/home/me/shops/b.txt' })
})

test('what a hook says by code 0 is its output, by code 2 its complaints, and by any other nothing', () => {
  expect(hookSaying(hook, ended({ exitCode: 2, stderr: 'No rm.\n', stdout: '{"decision":"approve"}' }))).toEqual({
    decision: 'deny',
    message: 'No rm.',
  })
  expect(hookSaying(hook, ended({ exitCode: 1, stderr: 'jq: not found' }))).toEqual({
    note: 'it ended with code 1: jq: not found',
  })
  // In a copy of the project, a check whose script is not there has not been made.
  for (const exitCode of [126, 127]) {
    const missing = ended({ exitCode, stderr: 'check.sh: not found' })
    expect(hookSaying({ ...hook, isInCopy: true }, missing)).toMatchObject({
      decision: 'deny',
      message: expect.stringMatching(/check\.sh: not found.*CLAUDE_PROJECT_DIR/),
    })
    for (const other of [hook, { ...hook, isInCopy: true, event: 'PostToolUse' } as const])
      expect(hookSaying(other, missing)).toEqual({ note: expect.stringContaining('not found') })
  }
  expect(hookSaying(hook, ended({ stdout: '{"decision": ' }))).toEqual({ note: expect.stringContaining('is none') })
  expect(hookSaying(hook, ended({ stdout: 'All is well.' }))).toEqual({})
  expect(hookSaying({ ...hook, event: 'UserPromptSubmit' }, ended({ stdout: 'It is Monday.' }))).toEqual({
    context: 'It is Monday.',
  })
  expect(
    saying({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'No.' },
    }),
  ).toEqual({ decision: 'deny', message: 'No.' })
  expect(
    saying({
      hookSpecificOutput: { permissionDecision: 'ask', updatedInput: { command: 'ls', run_in_background: true } },
    }),
  ).toEqual({ permit: 'ask', input: { command: 'ls', background: true } })
  expect(saying({ decision: 'block', reason: 'No.' })).toEqual({ decision: 'deny', message: 'No.' })
  expect(saying({ continue: false, stopReason: 'Enough.', systemMessage: 'Told.' })).toEqual({
    decision: 'cancel',
    message: 'Enough.',
    note: 'Told.',
  })
  expect(saying({ hookSpecificOutput: { permissionDecision: 'allow' } })).toEqual({ answers: 'allow' })
  expect(saying({ hookSpecificOutput: { permissionDecision: 'allow' } }, { origin: 'project' })).toEqual({
    note: expect.stringContaining('counts for nothing'),
  })
  expect(saying({ hookSpecificOutput: { permissionDecision: 'maybe' } })).toEqual({
    note: expect.stringContaining('hookSpecificOutput.permissionDecision'),
  })
  const after = { ...hook, event: 'PostToolUse' } as const
  expect(hookSaying(after, ended({ exitCode: 2, stderr: 'Not formatted.' }))).toEqual({ context: 'Not formatted.' })
  expect(
    hookSaying(
      after,
      ended({ stdout: '{"decision":"block","reason":"A","hookSpecificOutput":{"additionalContext":"B"}}' }),
    ),
  ).toEqual({ context: 'B\nA' })
})

test('an objection counts beside fields that are null or not understood, and a permission does not', () => {
  const block = { decision: 'block', reason: 'No.' }
  const nothing = { systemMessage: null, stopReason: null, continue: null, hookSpecificOutput: null }
  expect(saying({ ...nothing, ...block })).toEqual({ decision: 'deny', message: 'No.' })
  expect(saying({ decision: 'block', reason: null })).toMatchObject({ decision: 'deny' })
  const note = expect.stringContaining('is not understood: continue') as string
  expect(saying({ ...block, continue: 'yes' })).toEqual({ decision: 'deny', message: 'No.', note })
  for (const permissionDecision of ['deny', 'ask']) {
    const hookSpecificOutput = { permissionDecision, updatedInput: 'ls' }
    expect(saying({ hookSpecificOutput })).toMatchObject({ note: expect.stringContaining('updatedInput') })
    expect(saying({ hookSpecificOutput })).toHaveProperty(permissionDecision === 'ask' ? 'permit' : 'decision')
  }
  const allow = { permissionDecision: 'allow', updatedInput: 'ls' }
  expect(saying({ hookSpecificOutput: allow })).toEqual({ note: expect.stringContaining('updatedInput') })
  expect(saying({ hookSpecificOutput: { ...allow, updatedInput: { command: 'ls' } }, continue: 1 })).toEqual({ note })
})

test('a group that cannot be read takes no other with it', () => {
  const PreToolUse = [{ matcher: 'Edit', command: 'x' }, { matcher: 'Bash', hooks: [{ command: 'check.sh' }] }, null]
  const { hooks, faults } = hooksOfSharedFile({ hooks: { PreToolUse } }, about)
  expect(hooks).toMatchObject([{ matcher: 'Bash', command: 'check.sh' }])
  expect(faults).toEqual(['.claude/settings.json: hooks.PreToolUse is not a list of { matcher, hooks }'])
})

test('no end of a hook, and nothing that it prints, permits a call but the word of a hook of the user that ended well', () => {
  const own = fc.record({ permissionDecision: fc.constantFrom('allow', 'allow', 'ask', 'deny', 'defer') })
  const output = fc.record(
    { decision: fc.constantFrom('approve', 'block', null), hookSpecificOutput: own, permit: fc.constant('allow') },
    { requiredKeys: [] },
  )
  const endings = fc.record({
    how: fc.constantFrom('exited', 'exited', 'exited', 'timed_out', 'cancelled', 'killed', 'not_started'),
    exitCode: fc.constantFrom(0, 0, 0, 1, 2, 137),
    stdout: fc.oneof(
      fc.string(),
      fc.json(),
      output.map((value) => JSON.stringify(value)),
    ),
    stderr: fc.string(),
  })
  const event = fc.constantFrom('PreToolUse', 'PreToolUse', ...hookEvents)
  let permitted = 0
  fc.assert(
    fc.property(endings, event, fc.constantFrom('user', 'project'), (ending, on, origin) => {
      const said = hookSaying({ event: on, origin, timeoutMs: 1000 }, ending)
      if (said.answers === undefined) return
      permitted += 1
      expect([origin, on, ending.how, ending.exitCode]).toEqual(['user', 'PreToolUse', 'exited', 0])
    }),
    { numRuns: 2000 },
  )
  expect(permitted).toBeGreaterThan(0)
})
