import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MemoryStore } from '@loader/session-core'
import { call, line, temporaryWorkspace } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { wallsAround } from '@loader/workspace'
import { expect, test } from 'vitest'
import { skillsOfRun } from '../../src/skills/of-run.ts'
import { type Stage, stage } from '../e2e/stage/stage.ts'

const { state: walls } = await wallsAround({ root: '/nowhere' }).state()
const environment = { LOADER_WALLS: walls === 'held' ? 'required' : 'off' }
const flags = ['--tools', 'agent', '--mode', 'execute', '--config', 'completionCheck=false']
const maker = '---\nname: maker\ndescription: Makes one part.\ntools: Read, Write, Bash, Skill\n---\nMake it.\n'
const asked = (lastUser: string, more: WireLine, isFirst = true): WireLine => ({
  ...more,
  when: { lastUser, ...(isFirst && { lastResult: null }) },
  repeat: 'any',
})

type Event = Readonly<Record<string, unknown>>
const of = (events: readonly Event[], type: string) => events.filter((event) => event['type'] === type)

const write = (file_path: string) => call('write', { file_path, content: 'x\n' })

/** The newest session that a user began, and those that it began, with their events. */
async function sessionsOf(one: Stage) {
  const rows = await one.sessions()
  const top = rows.find((row) => row.parent === undefined)
  const eventsOf = async (id: string) => (await one.session(id)).history as unknown as readonly Event[]
  const children = rows.filter((row) => row.parent === top?.id)
  return {
    parent: await eventsOf(top?.id ?? ''),
    children: new Map(
      await Promise.all(children.map(async ({ id, title }) => [title ?? '', await eventsOf(id)] as const)),
    ),
  }
}

const block = `#!/usr/bin/env bash
if grep -q forbidden; then echo "No forbidden things." >&2; exit 2; fi
`
const noProd = `#!/usr/bin/env bash
file=$(node -pe 'JSON.parse(require("fs").readFileSync(0)).tool_input.file_path')
case "$file" in "$CLAUDE_PROJECT_DIR"/prod/*) echo "Not in prod." >&2; exit 2 ;; esac
`
const sayKind = `node -pe 'JSON.stringify({ systemMessage: "stopped: " + JSON.parse(require("fs").readFileSync(0)).agent_type })'`

test('hooks of a session object in its agents too, also where their scripts are in no copy', async () => {
  await using one = await stage(
    asked(
      'Split the work',
      line(
        'I split it.',
        call('agent', { description: 'Make it', prompt: 'Please make it.', agent: 'maker', changes: true }),
        call('agent', { description: 'Read it', prompt: 'Please read it.' }),
      ),
    ),
    asked(
      'Please make it',
      line('I make it.', call('bash', { command: 'echo forbidden' }), write('prod/a.txt'), write('b.txt')),
    ),
    asked('Please read it', line('I read it.', call('read', { file_path: 'forbidden.txt' }))),
    { ...line('It is done.'), repeat: 'any' },
  )
  spawnSync('git', ['init', '-q'], { cwd: one.project })
  one.write('.gitignore', '.claude\n')
  one.write('forbidden.txt', 'x\n')
  one.write('.loader/agents/maker.md', maker)
  for (const [name, text] of Object.entries({ block, prod: noProd })) {
    one.write(`.claude/hooks/${name}.sh`, text)
    chmodSync(one.path(`.claude/hooks/${name}.sh`), 0o755)
  }
  const on = (command: string, matcher = '') => [{ matcher, hooks: [{ type: 'command', command }] }]
  const hooks = {
    PreToolUse: [
      ...on('"$CLAUDE_PROJECT_DIR"/.claude/hooks/block.sh', 'Bash|Read'),
      ...on('"$CLAUDE_PROJECT_DIR"/.claude/hooks/prod.sh', 'Write'),
    ],
    SubagentStop: on(sayKind, 'maker|general-purpose'),
    Stop: on('echo \'{"systemMessage":"the stop of the user"}\''),
  }
  one.write('.claude/settings.json', JSON.stringify({ hooks }))
  await one.runHere(['permissions', 'trust'])
  await one.runHere(['-p', 'Split the work', ...flags], { environment })
  const { parent, children } = await sessionsOf(one)
  expect([...children.keys()].sort()).toEqual(['Make it', 'Read it'])
  for (const events of children.values())
    expect(of(events, 'hook.finished')[0]).toMatchObject({ decision: 'deny', message: 'No forbidden things.' })
  expect(of(children.get('Make it') ?? [], 'tool.finished').map(({ outcome }) => outcome)).toEqual([
    'denied',
    'denied',
    'ok',
  ])
  expect(of(children.get('Make it') ?? [], 'hook.finished')[1]).toMatchObject({ message: 'Not in prod.' })
  expect(of(children.get('Read it') ?? [], 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
  expect([existsSync(one.path('prod')), existsSync(one.path('b.txt'))]).toEqual([false, true])
  const said = (events: readonly Event[] = []) => of(events, 'hook.finished').flatMap(({ note }) => note ?? [])
  expect(said(parent)).toEqual(['the stop of the user'])
  expect(said(children.get('Make it'))).toEqual(['stopped: maker'])
  expect(said(children.get('Read it'))).toEqual(['stopped: general-purpose'])
  expect(await one.runHere(['replay'])).toMatchObject({ code: 0 })
})

test('a skill lends its rules to the turn that loaded it, with its agents, and to nobody by an agent that loads it', async () => {
  const git = call('bash', { command: 'git status', reach: 'open', why: 'to see' })
  const load = call('skill', { name: 'git' })
  const agent = (description: string, prompt: string) =>
    call('agent', { description, prompt, agent: 'maker', changes: true })
  await using one = await stage(
    asked('First', line('I give it.', agent('Load it', 'Please load it.'))),
    asked('Please load it', line('I load it.', load)),
    { ...asked('Please load it', line('I look.', git), false), repeat: 1 },
    asked('Please load it', line('Loaded.'), false),
    { ...asked('First', line('I look.', git), false), repeat: 1 },
    asked('First', line('Done.'), false),
    asked('Second', line('I load it.', load)),
    { ...asked('Second', line('I give it.', agent('Use it', 'Please use it.')), false), repeat: 1 },
    asked('Second', line('Done.'), false),
    asked('Please use it', line('I look.', git)),
    asked('Please use it', line('Used.'), false),
  )
  spawnSync('git', ['init', '-q'], { cwd: one.project })
  one.write('.loader/agents/maker.md', maker)
  one.write(
    '.agents/skills/git/SKILL.md',
    '---\nname: git\ndescription: d\nallowed-tools: Bash(git:*)@open\n---\nLook.\n',
  )
  await one.runHere(['permissions', 'trust'])
  await one.runHere(['-p', 'First', ...flags], { environment })
  const first = await sessionsOf(one)
  // A turn in which something was denied ends with a statement, which is a call as well.
  const outcomes = (events: readonly Event[] = []) =>
    of(events, 'tool.finished').flatMap(({ outcome, text }) => (text === 'Noted.' ? [] : [outcome]))
  expect(outcomes(first.children.get('Load it'))).toEqual(['ok', 'denied'])
  expect(outcomes(first.parent)).toEqual(['ok', 'denied'])
  await one.runHere(['-p', 'Second', ...flags], { environment })
  const second = await sessionsOf(one)
  expect(outcomes(second.parent)).toEqual(['ok', 'ok'])
  expect(outcomes(second.children.get('Use it'))).toEqual(['ok'])
})

test('what a skill allows is over with its turn', async () => {
  await using workspace = await temporaryWorkspace()
  const places = { root: workspace.path('project'), config: workspace.path('config') }
  const file = join(places.config, 'skills/git/SKILL.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '---\nname: git\ndescription: d\nallowed-tools: Bash(git:*)\n---\nLook.\n')
  let turn: string | undefined = 'turn_1'
  const working = () => ({ id: 'own', state: { turn: turn === undefined ? null : { id: turn } } }) as never
  const { tools = [], rules } = skillsOfRun(places, working)
  const load = (sessionId: string) =>
    tools[0]?.run({ valid: true, input: { name: 'git' }, effect: 'none', paths: [], intent: [] }, {
      callId: 'call',
      sessionId,
      blobs: new MemoryStore(),
    } as never)
  await load('of an agent')
  expect(rules()).toEqual([])
  await load('own')
  expect(rules()).toMatchObject([{ permit: 'allow', source: file }])
  turn = 'turn_2'
  expect(rules()).toEqual([])
  turn = undefined
  expect(rules()).toEqual([])
})
