import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { JsonValue } from '@loader/session-core'
import type { Approver, PermissionMode, PermissionRule } from '@loader/session-core/coding'
import { localTools } from '@loader/tools'
import { call, type ScriptedCall, temporaryWorkspace } from '@loader/test-harness'
import { needing, sample, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { localAgent } from '../src/local.ts'
import { hasWalls, lack } from './done/walls-here.ts'
import { type Attempt, attempt } from './hostile/attempt.ts'
import { type HostileCall, hostileCalls, type Repository, repository, secretLine } from './hostile/attempts.ts'
import { everythingAround } from './hostile/surroundings.ts'
import { scene } from './scene/scene.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const modes = ['workspace-write', 'read-only', 'prompt'] as const satisfies PermissionMode[]
/** Each in every mode; in the quick tier each in one of them. */
const modesFor = (index: number) => modes.filter((_, place) => tier !== 'quick' || index % modes.length === place)

describe.concurrent('a hostile call', () => {
  const credentials = ['MY_API_KEY', 'aws_session_token', 'GH_TOKEN', 'npm_config__authToken', 'DB_PASSWORD']

  function variablesFor({ root }: Repository): Record<string, string | undefined> {
    return {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...Object.fromEntries(credentials.map((name) => [name, secretLine])),
    }
  }

  /** What nothing may change that is not the workspace itself. */
  async function outsideOf({ root }: Repository): Promise<unknown> {
    const all = Object.entries(await everythingAround(root))
    return all.filter(([path]) => !path.startsWith(`${root}/`) && path !== root && path !== dirname(root))
  }

  const cases = hostileCalls.flatMap((hostile, index) => modesFor(index).map((mode) => ({ ...hostile, mode })))

  test.for(sample(cases, { quick: 2, ci: 18 }))('$tool: $about, does no harm in mode $mode', async (hostile) => {
    const { tool, mode, input, prepare } = hostile
    await using place = await repository()
    await prepare?.(place)
    const [before, outside] = [await everythingAround(place.root), await outsideOf(place)]
    const tools = localTools({ root: place.root, variables: variablesFor(place), graceMs: 200 })
    const calls = [call(tool, given(input, place) as JsonValue)]
    const history = await attempt({ root: place.root, mode, calls, tools })
    expect(faultsOf({ history })).toEqual([])
    expect(await outsideOf(place)).toEqual(outside)
    if (mode !== 'workspace-write') expect(await everythingAround(place.root)).toEqual(before)
    expect(place.isSprung()).toBe(false)
    const told = eventsOf(history, 'tool.finished').map(({ text }) => (typeof text === 'string' ? text : text.excerpt))
    expect(told.join().replaceAll(`^${secretLine}`, '')).not.toContain(secretLine)
  })

  const given = (value: HostileCall['input'], place: Repository) => (typeof value === 'function' ? value(place) : value)
})

describe('the folder of the runtime', () => {
  const fileCalls: readonly ScriptedCall[] = [
    call('read', { file_path: '.loader/settings.json' }),
    call('write', { file_path: '.loader/settings.json', content: '{}' }),
    call('write', { file_path: '.loader/new.json', content: '{}' }),
    call('edit', { file_path: '.loader/settings.json', old_string: 'for the runtime alone', new_string: '' }),
    call('patch', {
      file_path: '.loader/settings.json',
      patch: '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-for the runtime alone\n',
    }),
    call('glob', { pattern: '.loader/**' }),
    call('grep', { pattern: 'runtime', path: '.loader' }),
    call('git', { action: 'show', args: ['HEAD:.loader/settings.json'] }),
  ]
  /** They may read what people write there. */
  const commands = [
    'cat .loader/settings.json',
    'cat .load*/settings.json',
    'cd .loader && cat settings.json',
    'rm -r .loader',
    'rm -rf .[a-z]*',
    'echo {} > .loader/permission-rules.json',
    'mv .loader elsewhere',
    'cp -r .loader elsewhere',
    'ln -s .loader other',
    'find . -delete',
    'git clean -fdx',
    `sh -c 'cat .lo""ader/settings.json'`,
  ].map((command) => call('bash', { command }))
  const rules: readonly PermissionRule[] = ['read', 'write', 'edit', 'patch', 'glob', 'grep', 'git', 'bash'].map(
    (tool) => ({ permit: 'allow', tool }),
  )

  const modes = sample(['workspace-write', 'read-only'] as const, { quick: 1 })

  async function expectLeftAlone(
    mode: PermissionMode,
    calls: readonly ScriptedCall[],
    config: Pick<Attempt, 'approver' | 'config'>,
  ): Promise<void> {
    await using top = await temporaryWorkspace({ files: { 'ws/.loader/settings.json': 'for the runtime alone' } })
    const history = await attempt({ root: top.path('ws'), mode, calls, ...config })
    const told = eventsOf(history, 'tool.finished').map(({ text }) => JSON.stringify(text))
    expect(told).toHaveLength(calls.length)
    expect(told.slice(0, fileCalls.length).filter((text) => text.includes('for the runtime alone'))).toEqual([])
    expect(await top.files({ ignore: [] })).toMatchObject({ 'ws/.loader/settings.json': 'for the runtime alone' })
    expect(Object.keys(await top.files({ ignore: [] })).filter((path) => path.includes('/.loader'))).toEqual([
      'ws/.loader/settings.json',
    ])
  }

  const yes: Approver = { decide: async () => ({ permit: 'allow', scope: 'always' }) }
  const allowed = { approver: yes, config: { rules: [...rules] } }

  // Without walls a command that the user allows does what it says.
  test.runIf(hasWalls).for(modes)(
    needing(lack, 'is changed by no call in mode %s, whatever the rules allow'),
    async (mode) => expectLeftAlone(mode, [...fileCalls, ...commands], allowed),
  )

  test.runIf(!hasWalls).for(modes)(
    'is changed by no tool for files in mode %s, whatever the rules allow',
    async (mode) => expectLeftAlone(mode, fileCalls, allowed),
  )

  test.runIf(!hasWalls).for(modes)('is changed by no command in mode %s without a permission', async (mode) =>
    expectLeftAlone(mode, [...fileCalls, ...commands], {}),
  )
})

describe('a repository from a stranger', () => {
  const rulesFile = (rules: object) => ({ '.loader/permission-rules.json': JSON.stringify(rules), 'a.txt': 'a\n' })
  const allowing = rulesFile({ allow: [{ tool: 'bash' }, { tool: 'write' }], deny: [], ask: [] })
  const touch = call('bash', { command: 'git push', reach: 'network' })

  test.for([
    ['read-only', call('write', { file_path: 'a.txt', content: 'b\n' })],
    ['workspace-write', touch],
    ['prompt', touch],
  ] as const)('gains nothing by its allow rules in mode %s', async ([mode, made]) => {
    await using place = await scene({ files: allowing })
    const history = await attempt({ root: place.workspace.root, mode, calls: [made] })
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
    expect(eventsOf(history, 'policy.applied')).toMatchObject([{ permission: { ruleCounts: { allow: 0 } } }])
    expect(await place.workspace.files()).toEqual({ 'a.txt': 'a\n' })
  })

  test('has its allow rules heard once the user trusts it', async () => {
    await using place = await scene({ files: allowing })
    const calls = [call('write', { file_path: 'a.txt', content: 'b\n' })]
    const history = await attempt({ root: place.workspace.root, mode: 'read-only', calls, trusted: true })
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'ok' }])
  })

  test.for([
    ['deny', { deny: [{ tool: 'write' }] }],
    ['ask', { ask: [{ tool: 'write' }] }],
  ] as const)('has its %s rules heard at once, even where everything is allowed', async ([, rules]) => {
    await using place = await scene({ files: rulesFile({ allow: [], ...rules }) })
    const calls = [call('write', { file_path: 'a.txt', content: 'b\n' })]
    const history = await attempt({ root: place.workspace.root, mode: 'allow', calls })
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
  })

  test('cannot write rules for itself, to be heard at the next start', async () => {
    await using place = await scene({ files: { 'a.txt': 'a\n' } })
    await mkdir(join(place.workspace.root, '.loader'), { recursive: true })
    const calls = [
      call('write', { file_path: '.loader/permission-rules.json', content: '{"allow":[{"tool":"bash"}]}' }),
      call('bash', { command: `echo '{}' > .loader/permission-rules.json` }),
    ]
    const history = await attempt({ root: place.workspace.root, mode: 'workspace-write', calls })
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual([
      'failed',
      hasWalls ? 'failed' : 'denied',
    ])
    expect(Object.keys(await place.workspace.files({ ignore: [] }))).toEqual(['a.txt'])
  })

  test.for([
    ['no JSON', '{'],
    ['unknown sections', '{"permit": []}'],
    ['rules that say nothing', '{"allow": [{}]}'],
  ] as const)('with %s in its rules starts nothing', async ([, text]) => {
    await using place = await scene({ files: { 'a.txt': 'a\n' } })
    await place.workspace.write('.loader/permission-rules.json', text)
    const start = () => localAgent({ backend: place.backend, projectRoot: place.workspace.root })
    expect(start).toThrow(expect.objectContaining({ code: 'invalid_config' }))
  })
})
