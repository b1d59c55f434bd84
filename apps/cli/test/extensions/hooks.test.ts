import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaySession, RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { commandHooks } from '@loader/extensions'
import { hooksOfSharedFile } from '@loader/extensions/config'
import {
  type EventOf,
  fold,
  isSessionEvent,
  MemoryStore,
  readSession,
  type SessionEvent,
  type StoredEvent,
  textOf,
} from '@loader/session-core'
import { couldWriteSince, type PermissionMode } from '@loader/session-core/coding'
import { timelineReading } from '@loader/readings'
import { call, line, ScriptedBackend, type ScriptLine, temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, onTestFinished, test, vi } from 'vitest'

type Hooks = Readonly<Record<string, readonly { matcher?: string; hooks: readonly object[] }[]>>
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more })
const on = (text: string, matcher?: string, more: object = {}) => [
  { ...(matcher !== undefined && { matcher }), hooks: [command(text, more)] },
]

interface Wanted {
  readonly hooks: Hooks
  readonly lines: readonly ScriptLine[]
  readonly origin?: 'user' | 'project'
  readonly mode?: PermissionMode
  readonly files?: Readonly<Record<string, string>>
  readonly use?: 'off' | 'required'
  readonly task?: string
  readonly agentType?: string
  /** Whether somebody answers, with yes. */
  readonly asked?: boolean
  /** What is done after the task. */
  readonly afterwards?: (agent: RuntimeHandle) => Promise<unknown>
}

/** Runs one task with hooks that are commands. */
async function ran({
  hooks,
  lines,
  origin = 'user',
  mode = 'workspace-write',
  files = {},
  use = 'off',
  task,
  agentType,
  asked = false,
  afterwards,
}: Wanted) {
  const workspace = await temporaryWorkspace()
  const root = workspace.path('project')
  mkdirSync(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
    chmodSync(join(root, name), 0o755)
  }
  const read = hooksOfSharedFile({ hooks }, { source: 'test', origin })
  expect(read.faults).toEqual([])
  const backend = ScriptedBackend.from(lines)
  const store = new MemoryStore()
  const options = localOptions({
    backend,
    projectRoot: root,
    store,
    walls: { use, scratch: workspace.path('scratch') },
    hooks: (place) => commandHooks(read.hooks, { ...place, ...(agentType !== undefined && { agentType }) }),
    config: { completionCheck: false, workflowMode: 'execute', permissionMode: mode },
  })
  const agent = new RuntimeHandle(options)
  const approver = { decide: async () => ({ permit: 'allow', scope: 'once' }) as const }
  const result = await agent.run(task ?? 'Do it', asked ? { approver } : {})
  await afterwards?.(agent)
  await agent.close()
  const { history } = await readSession(store, agent.session.id)
  fold(history)
  const events = history.filter(isSessionEvent)
  const finished = events.filter((event): event is EventOf<'hook.finished'> => event.type === 'hook.finished')
  return {
    root,
    events,
    finished,
    result,
    backend,
    replayed: () => replaySession(history, { tools: 'stub', agent: options }),
    id: agent.session.id,
    text: (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : undefined),
    [Symbol.asyncDispose]: () => workspace.dispose(),
  }
}

const outcomes = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'tool.finished' ? [event.outcome] : []))
const windowText = ({ backend }: { readonly backend: ScriptedBackend }, request: number) =>
  JSON.stringify(backend.requests[request]?.messages)

// As the published documentation of such hooks shows them: jq is not on every machine, so Node reads the input.
const blockRm = `#!/usr/bin/env bash
COMMAND=$(node -pe 'JSON.parse(require("fs").readFileSync(0)).tool_input.command')
if [[ "$COMMAND" == *"rm -rf"* ]]; then
  echo "Blocked: rm -rf commands are not allowed" >&2
  exit 2
fi
exit 0
`
const recorder = `#!/usr/bin/env node
const given = JSON.parse(require('fs').readFileSync(0, 'utf8'))
require('fs').appendFileSync(process.env.CLAUDE_PROJECT_DIR + '/seen.jsonl', JSON.stringify(given) + '\\n')
`

test('scripts written for another agent run at every moment, get what they expect, and stand in the log', async () => {
  const record = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/record.js'
  await using one = await ran({
    files: { '.claude/hooks/block-rm.sh': blockRm, '.claude/hooks/record.js': recorder },
    hooks: {
      SessionStart: on(record, 'startup'),
      UserPromptSubmit: on(`${record}; echo "Today is a test."`),
      PreToolUse: [...on('"$CLAUDE_PROJECT_DIR"/.claude/hooks/block-rm.sh', 'Bash'), ...on(record, 'Edit|Write')],
      PostToolUse: on(record, 'Write'),
      PostToolUseFailure: on(record),
      Stop: on(record),
      SessionEnd: on(record),
    },
    lines: [
      line('I remove.', call('bash', { command: 'rm -rf /tmp/build' })),
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      line('I look.', call('bash', { command: 'cat missing.txt' })),
      line('Done.'),
    ],
  })
  const seen = (one.text('seen.jsonl') ?? '')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>)
  expect(seen.map((given) => given['hook_event_name'])).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
    'SessionEnd',
  ])
  const base = { session_id: one.id, cwd: one.root, permission_mode: 'acceptEdits' }
  for (const given of seen) expect(given).toMatchObject(base)
  const path = join(one.root, 'a.txt')
  expect(seen[0]).toMatchObject({ source: 'startup' })
  expect(seen[1]).toMatchObject({ prompt: 'Do it' })
  expect(seen[2]).toMatchObject({ tool_name: 'Write', tool_input: { file_path: path, content: 'a\n' } })
  expect(seen[3]).toMatchObject({
    tool_name: 'Write',
    tool_use_id: seen[2]?.['tool_use_id'],
    tool_response: { filePath: path, success: true },
  })
  expect(seen[4]).toMatchObject({ tool_name: 'Bash', error: expect.stringContaining('missing.txt') })
  expect(seen[5]).toMatchObject({ stop_hook_active: false, last_assistant_message: 'Done.' })
  expect(outcomes(one.events)).toEqual(['denied', 'ok', 'failed'])
  expect(windowText(one, 0)).toContain('Today is a test.')
  expect(windowText(one, 1)).toContain('Blocked: rm -rf commands are not allowed')
  // Each of them is in the log, by what it was given, and how it ended.
  expect(one.finished.map(({ on, decision, ran }) => [on, decision, ran?.exitCode])).toEqual([
    ['session_started', 'continue', 0],
    ['prompt_submitted', 'continue', 0],
    ['pre_tool', 'deny', 2],
    ['pre_tool', 'continue', 0],
    ['post_tool', 'continue', 0],
    ['pre_tool', 'continue', 0],
    ['tool_failure', 'continue', 0],
    ['stop', 'continue', 0],
    ['session_ended', 'continue', 0],
  ])
  for (const { ran } of one.finished)
    expect(ran).toMatchObject({
      given: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      reach: 'work',
      origin: 'user',
      source: 'test',
    })
  expect(await one.replayed()).toMatchObject({ kind: 'decided', divergence: null })
})

test('a hook changes arguments, tells the model, sends it back, and ends the turn', async () => {
  const say = (output: object) => `echo '${JSON.stringify(output)}'`
  await using one = await ran({
    hooks: {
      PreToolUse: on(
        say({
          hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { file_path: 'b.txt', content: 'b\n' } },
        }),
        'Write',
      ),
      PostToolUse: on(say({ decision: 'block', reason: 'Say it in French.' }), 'Write'),
      Stop: on('test -e stopped && exit 0; touch stopped; echo "Write a test first." >&2; exit 2'),
    },
    lines: [
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      line('Done.'),
      line('Now it is done.'),
    ],
  })
  expect([one.text('a.txt'), one.text('b.txt')]).toEqual([undefined, 'b\n'])
  expect(windowText(one, 1)).toContain('Say it in French.')
  expect(windowText(one, 2)).toContain('Write a test first.')
  expect(one.result.response).toBe('Now it is done.')
  await using two = await ran({
    hooks: { UserPromptSubmit: on(say({ continue: false, stopReason: 'Not today.' })) },
    lines: [],
  })
  expect(two.result).toMatchObject({ reason: 'stopped_by_hook', summary: expect.stringContaining('Not today.') })
})

const allowing = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"It is mine."}}'`
const outside = line('I fetch it.', call('bash', { command: 'true', reach: 'network', why: 'to see' }))

test('a hook of the user answers the question of a mode, and that it was the hook is in the log', async () => {
  await using one = await ran({ hooks: { PreToolUse: on(allowing) }, lines: [outside, line('Done.')], use: 'required' })
  const decided = one.events.flatMap((event) => (event.type === 'permission.decided' ? [[event.permit, event.by]] : []))
  expect(decided[0]).toEqual(['allow', 'hook'])
  expect(outcomes(one.events)[0]).toBe('ok')
})

test.each([
  { what: 'of a project', origin: 'project', mode: 'workspace-write' },
  { what: 'of the user where the mode denies', origin: 'user', mode: 'read-only' },
] as const)('the permission of a hook $what grants nothing', async ({ origin, mode }) => {
  await using one = await ran({
    hooks: { PreToolUse: on(allowing) },
    lines: [outside, line('Done.')],
    origin,
    mode,
    use: 'required',
  })
  expect(one.finished[0]).toMatchObject({ on: 'pre_tool', decision: 'continue', ran: { exitCode: 0, origin } })
  expect(outcomes(one.events)).toEqual(['denied'])
})

test('a hook that prints garbage, floods, hangs, forks, or dies is told, and does not lose the turn', async () => {
  const bad: readonly (readonly [string, string, object?])[] = [
    ['printf "{\\377\\000 not json"', 'begins like JSON'],
    ['head -c 3000000 /dev/zero | tr "\\0" x', 'too much'],
    ['yes flood >&2', '', { timeout: 1 }],
    ['sleep 60', 'within 1 seconds', { timeout: 1 }],
    ['(sleep 300 & sleep 300 >&2 &) ; echo fine', ''],
    ['kill -9 $$', 'code 137'],
    ['exit 1', 'code 1'],
    ['/nonexistent/hook.sh', 'code 127'],
  ]
  await using one = await ran({
    hooks: { PreToolUse: bad.flatMap(([text, , more]) => on(text, 'Write', more)) },
    lines: [line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })), line('Done.')],
  })
  expect(one.text('a.txt')).toBe('a\n')
  expect(one.result.reason).toBe('turn_complete')
  expect(one.finished.map(({ note = '' }, index) => [bad[index]?.[0], note])).toEqual(
    bad.map(([text, told]) => [text, expect.stringContaining(told)]),
  )
  expect(one.finished.every(({ decision }) => decision === 'continue')).toBe(true)
})

test('the reason of a hook is heard, however late the program that reads it begins', async () => {
  const real = (name: string) => execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  await using tools = await temporaryWorkspace()
  const program = (name: string, text: string) =>
    writeFileSync(tools.path(name), `#!/bin/sh\n${text}\nexec ${real(name)} "$@"\n`, { mode: 0o755 })
  program('head', `[ "$#" -gt 2 ] || ${real('sleep')} 1`)
  program('sleep', '[ "$1" != 0.01 ] || exit 0')
  vi.stubEnv('PATH', `${tools.root}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  await using one = await ran({
    hooks: { PreToolUse: on('echo "Write it elsewhere." >&2; (sleep 300 >&2 &); exit 2', 'Write') },
    lines: [line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })), line('Done.')],
  })
  expect(outcomes(one.events)).toEqual(['denied'])
  expect(one.finished).toMatchObject([{ decision: 'deny', message: 'Write it elsewhere.' }])
})

test('hooks run in the walls of commands: a guarded path stays as it was, and there is no network', async () => {
  await using one = await ran({
    use: 'required',
    files: { '.claude/settings.json': '{}' },
    hooks: { PreToolUse: on('echo x > .claude/settings.json; echo y > made.txt; exit 0', 'Write') },
    lines: [line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })), line('Done.')],
  })
  expect([one.text('.claude/settings.json'), one.text('made.txt')]).toEqual(['{}', 'y\n'])
  expect(one.finished[0]?.ran).toMatchObject({ walls: 'bubblewrap', reach: 'work' })
})

test('an agent that another one started has hooks on its own end', async () => {
  const hooks = { Stop: on('exit 1'), SubagentStop: on('cat > stopped.json', 'reviewer') }
  await using child = await ran({ hooks, lines: [line('Done.')], agentType: 'reviewer' })
  expect(JSON.parse(child.text('stopped.json') ?? '{}')).toMatchObject({
    hook_event_name: 'SubagentStop',
    agent_type: 'reviewer',
  })
  expect(child.finished).toHaveLength(1)
})

test('hooks are told when an answer is awaited, and keep messages from being folded', async () => {
  await using one = await ran({
    mode: 'prompt',
    asked: true,
    hooks: {
      Notification: on('cat > told.json', 'permission_prompt'),
      PreCompact: on('cat > compact.json; echo "Keep it all." >&2; exit 2', 'manual'),
    },
    lines: [line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })), line('Done.')],
    afterwards: (agent) => agent.compact(),
  })
  const told = JSON.parse(one.text('told.json') ?? '{}') as unknown
  expect(told).toMatchObject({
    hook_event_name: 'Notification',
    notification_type: 'permission_prompt',
    message: 'Loader needs your answer about Write',
  })
  expect(JSON.parse(one.text('compact.json') ?? '{}')).toMatchObject({
    hook_event_name: 'PreCompact',
    trigger: 'manual',
  })
  const types = one.events.map(({ type }) => type)
  expect(types.indexOf('hook.finished')).toBeLessThan(types.indexOf('question.asked'))
  expect(one.text('a.txt')).toBe('a\n')
  expect(types).not.toContain('context.compacted')
  expect(await one.replayed()).toMatchObject({ kind: 'decided', divergence: null })
})

test('a hook that nobody waits for decides nothing, tells the model in the next turn, and ends with the session', async () => {
  const told = JSON.stringify({ hookSpecificOutput: { additionalContext: 'Two tests fail.' } })
  const more = Array.from({ length: 500 }, () => line('Done.'))
  await using one = await ran({
    hooks: {
      PreToolUse: on('echo "Not that." >&2; exit 2', 'Write', { async: true }),
      PostToolUse: on(`until [ -e go ]; do sleep 0.02; done; echo '${told}'`, 'Write', { async: true }),
      Stop: on('mkdir held || exit 0; exec tail -f "$CLAUDE_PROJECT_DIR/a.txt"', undefined, { async: true }),
    },
    lines: [
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      // Whoever waited for the hook would never come here.
      line('I let it go on.', call('bash', { command: 'touch go' })),
      ...more,
    ],
    afterwards: async (agent) => {
      const root = agent.session.state?.project?.root ?? ''
      await expect.poll(() => runsWith(join(root, 'a.txt')), { timeout: 30_000 }).toBe(true)
      const isTold = async () => {
        await agent.run('And?')
        return (agent.session.state?.messages.toArray() ?? []).some((message) =>
          textOf(message.content).includes('Two tests fail.'),
        )
      }
      await expect.poll(isTold, { timeout: 30_000 }).toBe(true)
    },
  })
  expect(one.text('a.txt')).toBe('a\n')
  expect(outcomes(one.events)).toEqual(['ok', 'ok'])
  expect(one.result).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
  const started = one.events.filter((event): event is EventOf<'hook.started'> => event.type === 'hook.started')
  const ended = one.events.filter((event): event is EventOf<'hook.ended'> => event.type === 'hook.ended')
  expect(started.map(({ on: moment }) => moment).slice(0, 3)).toEqual(['pre_tool', 'post_tool', 'stop'])
  // Each of them has its end in the log.
  expect(ended.map(({ id }) => id).toSorted()).toEqual(started.map(({ id }) => id).toSorted())
  const endOf = (moment: string) => ended.find(({ id }) => id === started.find((each) => each.on === moment)?.id)
  expect(endOf('pre_tool')).toMatchObject({ note: 'Not that.', ran: { ended: 'exited', exitCode: 2 } })
  expect(endOf('post_tool')).toMatchObject({ context: 'Two tests fail.', ran: { ended: 'exited', exitCode: 0 } })
  expect(endOf('stop')?.ran).toMatchObject({ ended: 'cancelled', given: expect.stringMatching(/^sha256:/) })
  expect(runsWith(join(one.root, 'a.txt'))).toBe(false)
  const words = hooksIn(one.events).map(({ text }) => text)
  expect(words).toContainEqual(expect.stringContaining('(pre_tool): ended with code 2; Not that.'))
  expect(await one.replayed()).toMatchObject({ kind: 'decided', divergence: null })
})

test('a hook whose process died is not known, and one that could write has the files looked at again', async () => {
  await using one = await ran({
    hooks: { PostToolUse: on('sleep 300', 'Write', { async: true }) },
    lines: [line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })), line('Done.')],
  })
  const begun = one.events.findIndex(({ type }) => type === 'hook.started')
  const history = one.events.slice(0, begun + 1)
  const seq = history.length
  const owner = { type: 'Agent', path: 'public-agent' }
  const claimed = { type: 'session.claimed', seq: seq + 1, at: '2030-01-01T00:00:00.000Z', epoch: 9, owner } as const
  const [before, after] = [fold(history), fold([...history, claimed])]
  expect([couldWriteSince(before ?? {}, seq), couldWriteSince(after ?? {}, seq)]).toEqual([true, true])
  expect(couldWriteSince(after ?? {}, seq + 1)).toBe(false)
  expect(hooksIn([...history, claimed]).at(-1)).toMatchObject({ seq: seq + 1, apart: 'not known' })
  expect(() =>
    fold([
      ...history,
      claimed,
      { ...one.events.find(({ type }) => type === 'hook.ended'), seq: seq + 2 } as StoredEvent,
    ]),
  ).toThrow('goes on')
})

test.runIf(fromCi)('what such a hook changes while checks run is not verified', async () => {
  await using workspace = await temporaryWorkspace()
  const [root, signs] = [workspace.path('project'), workspace.path('signs')]
  for (const folder of [root, signs]) mkdirSync(folder)
  const until = (name: string) => `until [ -e ${signs}/${name} ]; do sleep 0.05; done`
  const command = `${until('checking')}; echo broken > a.txt; touch ${signs}/broken`
  const hooks = { PostToolUse: [{ matcher: 'Write', hooks: [{ command, async: true }] }] }
  const read = hooksOfSharedFile({ hooks }, { source: 'test', origin: 'user' })
  const write = line('I write.', call('write', { file_path: 'a.txt', content: 'good\n' }))
  await using agent = new RuntimeHandle(
    localOptions({
      backend: ScriptedBackend.from([write, ...Array.from({ length: 20 }, () => line('Done.'))]),
      projectRoot: root,
      store: new MemoryStore(),
      walls: { use: 'off', scratch: workspace.path('scratch') },
      hooks: (place) => commandHooks(read.hooks, place),
      config: { permissionMode: 'allow' },
    }),
  )
  const check = `touch ${signs}/checking; ${until('broken')}; grep -q good a.txt`
  const { verdict } = await agent.run('Create a.txt', { doneWhen: [{ command: check }] })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('broken\n')
  expect(verdict).toBe('failed')
})

/** Whether a process of this machine has these words on its command line. */
function runsWith(words: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').at(-2) === words
    } catch {
      return false
    }
  })
}

/** What the timeline tells of hooks. */
function hooksIn(events: readonly StoredEvent[]) {
  const state = fold(events)
  if (state === null) throw new Error('There is no session.')
  return timelineReading(events, state).hooks
}
