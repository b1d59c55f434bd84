import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Backend,
  isSessionEvent,
  type ModelRequest,
  readSession,
  type SessionEvent,
  type SessionStore,
  type SessionWriter,
} from '@loader/session-core'
import type { Tool, Workspace } from '@loader/session-core/coding'
import { FileSessionStore } from '@loader/session-fs'
import { type CrashPorts, killableTool, messageFaults } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { Agent, type AgentConfig, type AgentOptions, type TaskOptions } from '../../src/index.ts'
import { localOptions } from '../../src/local.ts'
import { toldTrees } from '../scene/told-trees.ts'
import { withoutTrees } from '../scene/without-trees.ts'
import { type SteadyScript, steadyModel } from './steady-model.ts'

/**
 * What outlives the crash: a folder with the project, and beside it what the test writes down. The session is kept in
 * memory where the whole matrix runs in one process, and in the project where processes are killed.
 */
export interface World {
  readonly root: string
  readonly store?: SessionStore
}

export interface Plot {
  readonly task: string
  readonly options?: TaskOptions
  readonly config?: AgentConfig
  readonly script: SteadyScript
  /** Succeeds in the project exactly when the task is done. */
  readonly proof: string
}

/** What came out, and what is wrong with it whatever came out. */
export interface Outcome {
  readonly files: Readonly<Record<string, string>>
  readonly reason: string | undefined
  readonly verdict: string | null | undefined
  /** Calls of which nobody knows whether they took effect. */
  readonly unknown: number
  readonly problems: readonly string[]
}

/** Nobody knows what an unknown outcome has left behind; without one, everything is as if nothing had happened. */
export function differences(resumed: Outcome, uninterrupted: Outcome): readonly string[] {
  const { problems, unknown } = resumed
  if (unknown > 0) return problems
  const compared = (['files', 'reason', 'verdict'] as const).flatMap((key) => {
    const [came, expected] = [JSON.stringify(resumed[key]), JSON.stringify(uninterrupted[key])]
    return came === expected ? [] : [`${key}: ${came} instead of ${expected}`]
  })
  return [...problems, ...compared]
}

const sessionId = 'matrix'

export function storeOf(world: World): SessionStore {
  return world.store ?? new FileSessionStore({ root: projectOf(world) })
}

export async function scenario(ports: CrashPorts<World>, plot: Plot): Promise<Outcome> {
  await using agent = agentFor(ports, plot)
  await agent.run(plot.task, live(ports, plot))
  await agent.close()
  return outcome(ports, plot)
}

/** The next process: it goes on with what is open, and says the words again that were never stored. */
export async function resume(ports: CrashPorts<World>, plot: Plot): Promise<Outcome> {
  await using agent = agentFor(ports, plot)
  const found = await agent.resumeSession(sessionId)
  const result = found ? await agent.continue(live(ports, plot)) : null
  if (result === null && agent.lastTurnSummary === null) await agent.run(plot.task, live(ports, plot))
  await agent.close()
  return outcome(ports, plot)
}

function agentFor(ports: CrashPorts<World>, { script, config }: Plot): Agent {
  const options = localOptions({
    backend: watched(steadyModel(script), ports),
    projectRoot: projectOf(ports.world),
    walls: { use: 'off' },
    sessionId,
    store: killableStore(ports),
    ...(config && { config }),
  })
  return new Agent({
    ...options,
    tools: options.tools.map((tool) => (tool.effect === 'probe' ? tool : killableTool(noted(tool, ports), ports))),
    workspace: killable(workspaceOf(options), ports),
    // Nothing has to wait here, and what a clock decides would not be the same in every run.
    environment: { ...ports.environment, after: () => () => undefined },
  })
}

/** A matrix has the same turn over and over, and trees are most of what a turn costs: real ones are there from CI on. */
export function workspaceOf({ workspace }: Pick<AgentOptions, 'workspace'>): Workspace {
  if (fromCi) return workspace
  const nextId = () =>
    createHash('sha256')
      .update(JSON.stringify(filesIn(workspace.root)))
      .digest('hex')
  return { ...withoutTrees(workspace), trees: toldTrees({ nextId }) }
}

function live({ world }: CrashPorts<World>, { options = {} }: Plot): TaskOptions {
  return {
    ...options,
    onEvent: (event) => {
      if ('seq' in event) note(world, 'acknowledged', event)
    },
  }
}

/** The same backend; whatever a provider would refuse of a request is written down. */
function watched(backend: Backend, { world, boundary }: CrashPorts<World>): Backend {
  const faultsOf = ({ messages }: ModelRequest) =>
    (['openai', 'anthropic', 'ollama'] as const).flatMap((dialect) => messageFaults(messages, dialect))
  return {
    id: backend.id,
    async *stream(request, options) {
      for (const fault of faultsOf(request)) note(world, 'refused', `${request.requestId}: ${fault.message}`)
      await boundary('request', `request for ${request.purpose}`)
      yield* backend.stream(request, options)
    },
    describe: async () => ({ model: backend.id, nativeTools: true }),
  }
}

/** What a command prints where it can be killed half way. */
export const halfWay = 'half way'

/** The same tool; every time that it begins and ends is written down. */
function noted(tool: Tool, { world, boundary }: CrashPorts<World>): Tool {
  return {
    ...tool,
    async run(examined, context) {
      const what = examined.effect === 'none' ? context.callId : JSON.stringify([tool.name, examined.input])
      note(world, 'effects', { what, callId: context.callId, at: 'begin' })
      const onOutput = (text: string) => {
        if (text.includes(halfWay)) void boundary('effect', `during effect ${tool.name}`)
      }
      const result = await tool.run(examined, { ...context, onOutput })
      note(world, 'effects', { what, callId: context.callId, at: 'end' })
      return result
    },
  }
}

/**
 * In one process every append has a boundary on both sides. Where processes are killed, when an append comes to its end
 * is up to the disk, so the places to die at are those that come in the same order every time: before each append.
 */
function killableStore({ world, store, boundary }: CrashPorts<World>): SessionStore {
  if (world.store !== undefined) return store
  const files = storeOf(world)
  return {
    list: (query) => files.list(query),
    read: (id, options) => files.read(id, options),
    readBlob: (id, blob) => files.readBlob(id, blob),
    delete: (id) => files.delete(id),
    async claim(id, options) {
      void boundary('claim', `before claim ${id}`)
      const claim = await files.claim(id, options)
      void boundary('claim', `after claim ${id}`)
      return { ...claim, writer: killableWriter(claim.writer, boundary) }
    },
  }
}

function killableWriter(writer: SessionWriter, boundary: CrashPorts<World>['boundary']): SessionWriter {
  return {
    id: writer.id,
    epoch: writer.epoch,
    blobs: writer.blobs,
    append(events, level) {
      void boundary('append', `before append ${events.map(({ type }) => type).join(', ')}`)
      return writer.append(events, level)
    },
    async save(state, options) {
      void boundary('save', 'before save')
      await writer.save(state, options)
      void boundary('save', 'after save')
    },
    release: () => writer.release(),
  }
}

function killable(workspace: Workspace, { effect }: CrashPorts<World>): Workspace {
  return {
    root: workspace.root,
    ...(workspace.trees && { trees: workspace.trees }),
    facts: () => workspace.facts(),
    look: (paths) => workspace.look(paths),
    ground: (task) => workspace.ground(task),
    instructions: () => workspace.instructions(),
    runCheck: (check, options) => effect(`check ${check.command}`, () => workspace.runCheck(check, options)),
  }
}

async function outcome({ world, store }: CrashPorts<World>, { proof }: Plot): Promise<Outcome> {
  const { state, history } = await readSession(store, sessionId)
  const events = history.filter(isSessionEvent)
  const outcomes = events.flatMap((event) => (event.type === 'tool.finished' ? [event] : []))
  const verdict = state.lastTurn?.verdict
  return {
    files: filesIn(projectOf(world)),
    reason: state.lastTurn?.reason,
    verdict,
    unknown: outcomes.filter(({ outcome: came }) => came === 'unknown').length,
    problems: [
      ...lost(world, events),
      ...doubled(world),
      ...unfounded(world, outcomes),
      ...(verdict === 'verified' && !holds(world, proof) ? ['said to be verified, but is not'] : []),
      ...notes(world, 'refused').map((fault) => `a provider refuses ${String(fault)}`),
    ],
  }
}

/** Whatever anybody was told is in the history, as it was told. */
function lost(world: World, events: readonly SessionEvent[]): string[] {
  const stored = new Set(events.map((event) => JSON.stringify(event)))
  const told = notes(world, 'acknowledged').filter((event) => !stored.has(JSON.stringify(event)))
  return told.map((event) => `lost: ${JSON.stringify(event).slice(0, 200)}`)
}

interface NotedEffect {
  /** The call with its arguments; no plot makes the same one twice. */
  readonly what: string
  readonly callId: string
  readonly at: 'begin' | 'end'
}

function effects(world: World, at: NotedEffect['at']): readonly NotedEffect[] {
  return (notes(world, 'effects') as NotedEffect[]).filter((effect) => effect.at === at)
}

/** No call is run twice, and nothing that came to its end is done again under another id. */
function doubled(world: World): string[] {
  const begun = effects(world, 'begin').map(({ callId }) => callId)
  const ended = effects(world, 'end').map(({ what }) => what)
  const twice = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) !== index)
  return [...twice(begun), ...twice(ended)].map((one) => `${one} took effect twice`)
}

/** A call that is said to have succeeded ran to its end, or its files are as they should be: both leave a note. */
function unfounded(world: World, outcomes: readonly Extract<SessionEvent, { type: 'tool.finished' }>[]): string[] {
  const begun = new Set(effects(world, 'begin').map(({ callId }) => callId))
  const ended = new Set(effects(world, 'end').map(({ callId }) => callId))
  return outcomes
    .filter(({ callId, outcome: came }) => came === 'ok' && begun.has(callId) && !ended.has(callId))
    .map(({ callId }) => `${callId} is said to have succeeded, but did not come to its end`)
}

function holds(world: World, command: string): boolean {
  return spawnSync('sh', ['-c', command], { cwd: projectOf(world) }).status === 0
}

function projectOf({ root }: World): string {
  return join(root, 'project')
}

function note({ root }: World, name: string, value: unknown): void {
  appendFileSync(join(root, `${name}.jsonl`), `${JSON.stringify(value)}\n`)
}

function notes({ root }: World, name: string): unknown[] {
  const file = join(root, `${name}.jsonl`)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as unknown)
}

function filesIn(project: string): Record<string, string> {
  const names = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.loader/'))
    .sort()
  return Object.fromEntries(names.map((path) => [path.slice(project.length + 1), readFileSync(path, 'utf8')]))
}
