import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fold, type History, whyNotSaved } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { findProject, prepareWorkspace } from '@loader/workspace'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../src/index.ts'
import { localAgent } from '../src/local.ts'
import { steadyModel } from './crash-matrix/steady-model.ts'
import { KeepingStore, SplittingStore } from './scene/keeping-store.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const before = { 'src/a.txt': 'one\n', 'run.sh': 'exit 0\n' }

const steps = [
  [call('read', { file_path: 'src/a.txt' }), call('glob', { pattern: '**' })],
  [
    call('edit', { file_path: 'src/a.txt', old_string: 'one', new_string: 'two' }),
    call('write', { file_path: 'b.txt', content: 'b\n' }),
  ],
  [call('bash', { command: 'mkdir -p made && echo c > made/c.txt && chmod +x run.sh' })],
  [call('write', { file_path: 'd.txt', content: 'd\n' }), call('bash', { command: 'ln -s d.txt link && rm b.txt' })],
]

const afterwards = { 'src/a.txt': 'two\n', 'run.sh': 'exit 0\n', 'made/c.txt': 'c\n', 'd.txt': 'd\n', link: 'd\n' }

/** What the calls of each command leave, for where it was cut off and is not run again. */
const without: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  made: { 'made/c.txt': undefined },
  link: { link: undefined, 'b.txt': 'b\n' },
}

function machines() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'saved-')))
  let number = 0
  return {
    next() {
      const home = join(base, `m${(number += 1)}`)
      mkdirSync(home)
      return { root: join(home, 'project'), variables: { ...process.env, XDG_STATE_HOME: join(home, 'state') } }
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

type Machine = ReturnType<ReturnType<typeof machines>['next']>

function agentOn({ root, variables }: Machine, store: KeepingStore): Agent {
  const project = findProject(root, { variables })
  const last = line('All is done.')
  const options = { projectRoot: root, project, store, sessionId: 's', walls: { use: 'off' as const } }
  const config = { permissionMode: 'allow' as const, checks: [{ command: 'sh run.sh' }] }
  return localAgent({ ...options, config, backend: steadyModel({ steps, last }) })
}

function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
  const files = names.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.sort().map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]))
}

function make(root: string): void {
  for (const [path, text] of Object.entries(before)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

async function worked<Store extends KeepingStore>(store: Store, machine: Machine): Promise<Store> {
  make(machine.root)
  await using agent = agentOn(machine, store)
  const result = await agent.run('Do all of it.')
  expect(result.reason).toBe('turn_complete')
  return store
}

/** After which appends there are results whose files nobody else could make. */
function unsavedIn({ appends }: KeepingStore): number[] {
  return appends.flatMap((_, index) => {
    const state = fold(appends.slice(0, index + 1).flat())
    const hasEffect = state?.lastEffectSeq != null
    return hasEffect && state !== null && whyNotSaved(state) !== undefined ? [index] : []
  })
}

describe('where files are stored with the session', () => {
  test('no result is stored before the files that it is about', async () => {
    using at = machines()
    const machine = at.next()
    const store = await worked(new KeepingStore(), machine)
    expect(filesIn(machine.root)).toEqual(afterwards)
    expect(unsavedIn(store)).toEqual([])
    const history = store.appends.flat()
    expect(eventsOf(history, 'workspace.saved').length).toBeGreaterThan(3)
    expect(faultsOf({ history })).toEqual([])
  })

  test('a store that appends results alone is found out', async () => {
    using at = machines()
    expect(unsavedIn(await worked(new SplittingStore(), at.next()))).not.toEqual([])
  })

  test('a turn without changes stores no files', async () => {
    using at = machines()
    const machine = at.next()
    make(machine.root)
    const store = new KeepingStore()
    const only = [call('read', { file_path: 'src/a.txt' })]
    const options = { projectRoot: machine.root, project: findProject(machine.root, machine), store, sessionId: 's' }
    await using agent = localAgent({
      ...options,
      walls: { use: 'off' },
      backend: steadyModel({ steps: [only], last: line('It says one.') }),
    })
    await agent.run('What does src/a.txt say?')
    expect(typesOf(store.appends.flat()).filter((type) => type.startsWith('workspace.saved'))).toEqual([])
  })

  test('another machine goes on from every append, with the files of then', { timeout: 600_000 }, async () => {
    using at = machines()
    const store = await worked(new KeepingStore(), at.next())
    const all = store.appends.map((_, index) => index + 1)
    for (const appends of sample(all, { quick: 3, ci: 10 })) {
      const cut = await store.asAfter(appends, 's')
      const state = fold(store.appends.slice(0, appends).flat())
      if (state === null || (state.turn === null && state.queue.length === 0)) continue
      const machine = at.next()
      const prepared = await prepareWorkspace({ store: cut, sessionId: 's', folder: machine.root, ...machine })
      if (prepared.kind === 'nothing_saved') make(machine.root)
      await using agent = agentOn(machine, cut)
      expect(await agent.resumeSession('s')).toBe(true)
      await agent.continue()
      const cutOff = state.turn?.calls.find(
        ({ startedEpoch, outcome }) => startedEpoch !== undefined && outcome === undefined,
      )
      const command = cutOff?.examined?.command
      const lost = Object.entries(without).find(([name]) => command?.includes(name))?.[1] ?? {}
      expect({ appends, ...filesIn(machine.root) }).toEqual(plainly({ appends, ...afterwards, ...lost }))
      const history: History = await readAll(cut)
      expect(faultsOf({ history })).toEqual([])
      if (cutOff === undefined) continue
      const settled = eventsOf(history, 'tool.finished').find(({ callId }) => callId === cutOff.call.id)
      expect([settled?.outcome, settled?.metadata]).toEqual([
        command === undefined ? 'interrupted' : 'unknown',
        { settled: true },
      ])
    }
  })

  test('nothing runs where the files are not those of the session', async () => {
    using at = machines()
    const [first, second] = [at.next(), at.next()]
    const store = await worked(new KeepingStore(), first)
    make(second.root)
    await using agent = agentOn(second, store)
    await agent.resumeSession('s')
    const events = (await readAll(store)).length
    await expect(agent.run('More.')).rejects.toMatchObject({ code: 'workspace_differs' })
    expect((await readAll(store)).length).toBe(events)
    expect(filesIn(second.root)).toEqual(before)
  })
})

function plainly(files: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined))
}

function typesOf(history: History): string[] {
  return history.map(({ type }) => type)
}

async function readAll(store: KeepingStore): Promise<History> {
  const events = []
  for await (const event of store.read('s')) events.push(event)
  return events
}
