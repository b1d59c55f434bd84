import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSessionEvent, MemoryStore, readSession, type SessionEvent, type SessionStore } from '@loader/session-core'
import { call, type CrashPorts, temporaryWorkspace } from '@loader/test-harness'
import { Agent } from '../../src/index.ts'
import { localOptions } from '../../src/local.ts'
import { offerTools } from '../../src/offer-tools.ts'
import { toldModel } from './told-model.ts'

/** What outlives the crash: a project, the store, and what anybody was told. */
export interface World {
  readonly root: string
  readonly store: SessionStore
  readonly told: SessionEvent[]
  dispose(): Promise<void>
}

export async function world(store: SessionStore = new MemoryStore()): Promise<World> {
  const workspace = await temporaryWorkspace()
  const root = join(workspace.root, 'project')
  mkdirSync(root)
  for (const name of ['a.txt', 'shared.txt']) writeFileSync(join(root, name), `${name}\n`)
  spawnSync('git', ['init', '-q'], { cwd: root })
  return { root, store, told: [], dispose: () => workspace.dispose() }
}

export interface Outcome {
  readonly files: readonly string[]
  readonly reason: string | undefined
  readonly problems: readonly string[]
}

const names = ['one.txt', 'two.txt', 'shared.txt']
const write = (file_path: string, content: string) => call('write', { file_path, content })
const give = (description: string, changes = true) => call('agent', { description, prompt: description, changes })

/** One agent looks, two write the same file, one after the other. */
const told = {
  'Do all of it': {
    steps: [[give('look here', false)], [give('write one')], [give('write two')]],
    last: 'All done.',
  },
  'look here': { steps: [[call('read', { file_path: 'a.txt' })]], last: 'It says a.' },
  'write one': { steps: [[write('one.txt', '1\n'), write('shared.txt', 'by one\n')]], last: 'One.' },
  'write two': { steps: [[write('two.txt', '2\n'), write('shared.txt', 'by two\n')]], last: 'Two.' },
}
// A write that is known not to have happened is the model's to ask for again: nobody does it in its place.
const model = () => toldModel(told, undefined, { again: true })

const task = 'Do all of it'

function agentFor({ world: { root }, store, environment }: CrashPorts<World>): Agent {
  const options = localOptions({
    backend: model(),
    projectRoot: root,
    walls: { use: 'off' },
    sessionId: 'parent',
    store,
    config: { completionCheck: false, slowAfterMs: 1 },
    offered: offerTools({ agents: {} }),
  })
  return new Agent({ ...options, environment: { ...environment, after: () => () => undefined } })
}

const options = ({ world: { told } }: CrashPorts<World>) => ({
  mode: 'execute' as const,
  onEvent: (event: SessionEvent | { readonly type: `delta.${string}` }) => {
    if ('seq' in event) told.push(event)
  },
})

export async function scenario(ports: CrashPorts<World>): Promise<Outcome> {
  const agent = agentFor(ports)
  await agent.run(task, options(ports))
  await agent.close()
  return outcome(ports)
}

export async function resume(ports: CrashPorts<World>): Promise<Outcome> {
  const agent = agentFor(ports)
  const found = await agent.resumeSession('parent')
  const result = found ? await agent.continue(options(ports)) : null
  if (result === null && agent.lastTurnSummary === null) await agent.run(task, options(ports))
  await agent.close()
  return outcome(ports)
}

async function outcome({ world: { root, told, store } }: CrashPorts<World>): Promise<Outcome> {
  const { state, history } = await readSession(store, 'parent')
  const events = history.filter(isSessionEvent)
  const stored = new Set(events.map((event) => JSON.stringify(event)))
  const children = state.children ?? []
  const { rows } = await store.list({ limit: 100 })
  const inStore = rows.filter(({ parent }) => parent === 'parent').map(({ id }) => id)
  const ofChildren = await Promise.all(children.map(({ id }) => childProblems(store, id)))
  const used = ofChildren.reduce((sum, { requests }) => sum + requests, 0)
  return {
    files: names.map((name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : 'absent')),
    reason: state.lastTurn?.reason,
    problems: [
      ...told.filter((event) => !stored.has(JSON.stringify(event))).map((event) => `lost: ${event.type} ${event.seq}`),
      ...(children.length === 3
        ? []
        : [`${children.length} children: ${children.map(({ title }) => title).join(', ')}`]),
      ...inStore
        .filter((id) => !children.some((child) => child.id === id))
        .map((id) => `${id} is unknown to its parent`),
      ...children.filter(({ finished }) => finished?.outcome !== 'ok').map(({ title }) => `${title} did not end well`),
      ...ofChildren.flatMap(({ problems }) => problems),
      ...(state.childUsage?.requests === used
        ? []
        : [`counted ${state.childUsage?.requests} requests instead of ${used}`]),
    ],
  }
}

/** A child has one turn, and each of its calls has taken effect once. */
async function childProblems(store: SessionStore, id: string) {
  const { state, history } = await readSession(store, id)
  const events = history.filter(isSessionEvent)
  const turns = events.filter(({ type }) => type === 'turn.started').length
  const done = new Set(
    events.flatMap((event) =>
      event.type === 'tool.finished' && event.outcome !== 'interrupted' ? [event.callId] : [],
    ),
  )
  const written = events.flatMap((event) =>
    event.type === 'call.examined' && done.has(event.callId) ? (event.intent ?? []) : [],
  )
  const twice = written.filter(({ path }, index) => written.findIndex((other) => other.path === path) !== index)
  return {
    requests: state.usage.requests,
    problems: [
      ...(turns === 1 ? [] : [`${id} has ${turns} turns`]),
      ...twice.map(({ path }) => `${path} was written twice`),
    ],
  }
}
