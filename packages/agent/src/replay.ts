import {
  type EventOf,
  fold,
  isSessionEvent,
  type JsonValue,
  type History,
  rootOf,
  type SessionEvent,
} from '@loader/session-core'
import type { Policy, Tool } from '@loader/session-core/coding'
import { decisions } from '@loader/workflow'
import type { AgentOptions } from './agent-options.ts'
import { describeTools } from './calls/tool-descriptions.ts'
import { type RunningTurn, runUntilRest } from './loop.ts'
import { digestOf } from './prompt/digest.ts'
import type { Divergence } from './replay/divergence.ts'
import { recordedApprover, recordedHooks, recordedUser } from './replay/recorded-audience.ts'
import { recordedBackend } from './replay/recorded-backend.ts'
import { livingTools, recordedTools } from './replay/recorded-tools.ts'
import { livingWorkspace, recordedWorkspace } from './replay/recorded-workspace.ts'
import { type ReplayDesk, replayDesk } from './replay/replay-desk.ts'
import { ReplayedSession } from './replay/replayed-session.ts'
import { type RecordedTools, toolsByName } from './replay/tools-by-name.ts'
import { abortSource } from './stage/abort.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { Stage } from './stage/stage.ts'

/** Which parts of a history are replayed, and which run again. */
export interface ReplayOptions {
  /**
   * `stub`: calls, checks and observations return their recorded results. `rerun`: they run again and change the
   * workspace of the agent, which must be a copy of the original one at the beginning.
   */
  readonly tools: 'stub' | 'rerun'
  /** The agent as it would now work on the session. Its store is only used to read long texts. */
  readonly agent: Pick<AgentOptions, 'tools' | 'workspace' | 'store' | 'config'>
  /** Makes the policy of the replay from the recorded one; absent means the recorded one. */
  readonly policy?: (recorded: Policy) => Policy
}

/** How far a replay made the same decisions as the history. */
export interface Replay {
  /** `folded`: another version made the decisions, so the events were folded but not compared. */
  readonly kind: 'decided' | 'folded'
  /** The first difference from the history; null if there is none. */
  readonly divergence: Divergence | null
  /** The number of equal events. */
  readonly replayed: number
}

/**
 * Runs the loop on a history: the model gives its recorded answers, inputs arrive at their recorded places, and the
 * process ends where it ended. An unmodified history replays without a divergence.
 */
export async function replaySession(history: History, options: ReplayOptions): Promise<Replay> {
  const { agent, tools, policy } = options
  if (wasDecidedOtherwise(history)) {
    fold(history)
    return { kind: 'folded', divergence: null, replayed: history.length }
  }
  const session = new ReplayedSession(history, {
    tools,
    policy,
    blobs: await blobsOf(history, agent.store),
    toolsDigest: digestOf(JSON.stringify(describeTools(agent.tools))),
    toolNames: agent.tools.map(({ name }) => name),
    root: agent.workspace.root,
  })
  for (;;) {
    session.takeFromOutside()
    if (session.isOver) return { kind: 'decided', divergence: session.divergence, replayed: session.replayed }
    await replayRun(session, options)
  }
}

/** Decisions made by the rules of another version are not compared with those of this one. */
function wasDecidedOtherwise(history: History): boolean {
  const policies = history.filter(isSessionEvent).filter((event) => event.type === 'policy.applied')
  return policies.some((policy) => policy.decisions !== decisions)
}

/** One run of the loop, until it rests, diverges, or reaches the recorded end of its process. */
async function replayRun(session: ReplayedSession, options: ReplayOptions): Promise<void> {
  const abort = abortSource()
  const desk = replayDesk(session, () => abort.abort())
  try {
    await runUntilRest(await stageFor(desk, abort.signal, options), runningIn(session))
    session.rest()
  } catch (error) {
    if (!session.hasEndedWith(error)) throw error
  }
}

/** Stops the run where the recorded one was stopped. */
function runningIn(session: ReplayedSession): RunningTurn {
  return {
    inputId: undefined,
    isPausing: false,
    ended: Promise.resolve(),
    get stopped() {
      const { upcoming } = session
      if (upcoming === 'end' || upcoming.type !== 'stop.requested') return undefined
      const { by, reason } = upcoming
      return { by, ...(reason !== undefined && { reason }) }
    },
    stop() {},
  }
}

async function stageFor(
  desk: ReplayDesk,
  signal: Stage['signal'],
  { tools: mode, agent }: ReplayOptions,
): Promise<Stage> {
  const { session } = desk
  const root = rootOf(session.state) ?? agent.workspace.root
  const place = (input: JsonValue) => moved(input, root, agent.workspace.root)
  const reread = mode === 'rerun' && agent.config?.instructions !== false
  const instructions = reread ? await agent.workspace.instructions() : undefined
  const toolsNow = mode === 'rerun' ? always(livingTools(agent.tools, desk, place)) : recordedNow(agent.tools, desk)
  return {
    session,
    signal,
    permission: undefined,
    subscribe: undefined,
    applyPolicy: async () => session.takePolicy(),
    backend: recordedBackend(desk),
    get tools() {
      return toolsNow()
    },
    workspace: mode === 'rerun' ? livingWorkspace(root, agent.workspace, desk) : recordedWorkspace(root, desk),
    environment: recordedEnvironment(desk),
    get hooks() {
      return recordedHooks(desk)
    },
    get approver() {
      return recordedApprover(desk)
    },
    askUser: recordedUser(desk),
    shift: false,
    get projectInstructions() {
      return instructions ?? recordedInstructions(session)
    },
    instructions: undefined,
    examinations: new Map(),
    show() {},
  }
}

function always<Value>(value: Value): () => Value {
  return () => value
}

/** The tools of the program and those of servers, as the history has them at its place. Equal ones are the same list. */
function recordedNow(own: readonly Tool[], desk: ReplayDesk): () => readonly Tool[] {
  const usual = recordedTools(own, desk)
  const made = new Map<RecordedTools, readonly Tool[]>()
  return () => {
    const { tools } = desk.session
    const known = made.get(tools)
    if (known !== undefined) return known
    const more = toolsByName(tools, own)
    const all = more.length === 0 ? usual : [...usual, ...recordedTools(more, desk)]
    made.set(tools, all)
    return all
  }
}

/** Time stands still between events, so that timers fire at once. */
function recordedEnvironment({ session, answer }: ReplayDesk): AgentEnvironment {
  return {
    now: () => session.state.updatedAt,
    newId: (prefix) => session.newId(prefix),
    after(_milliseconds, work) {
      let isWanted = true
      // At the recorded end of the process the timer fires too, and finds that history has ended.
      const come = () => void (isWanted && work())
      void answer(() => undefined).then(come, come)
      return () => {
        isWanted = false
      }
    },
  }
}

/** Rewrites paths in the arguments of calls from the recorded workspace to the current one. */
function moved(input: JsonValue, from: string, to: string): JsonValue {
  if (from === to) return input
  const [before, now] = [from, to].map((root) => JSON.stringify(root).slice(1, -1))
  return JSON.parse(JSON.stringify(input).replaceAll(before ?? '', now ?? '')) as JsonValue
}

async function blobsOf(history: History, store: AgentOptions['store']): Promise<ReadonlyMap<string, string>> {
  const id = history.filter(isSessionEvent).findLast(namesSession)?.id ?? ''
  const names = new Set([...JSON.stringify(history).matchAll(/"blob":"([^"]+)"/g)].map(([, name = '']) => name))
  const texts = await Promise.all([...names].map(async (name) => [name, await store.readBlob(id, name)] as const))
  return new Map(texts)
}

/** A fork has an id of its own. */
function namesSession(event: SessionEvent): event is EventOf<'session.opened'> | EventOf<'session.forked'> {
  return event.type === 'session.opened' || event.type === 'session.forked'
}

const heading = '# Project Instructions\n'

/**
 * The instruction files as they were in the recorded prompt. Their text is an observation, so it is taken from the
 * recording.
 */
function recordedInstructions({ prompt }: ReplayedSession): Stage['projectInstructions'] {
  const section = prompt?.sections.find(({ name }) => name === 'Project Instructions')
  const start = prompt?.text.indexOf(`\n${heading}`) ?? -1
  if (prompt === undefined || section === undefined || start < 0) return []
  const rest = prompt.text.slice(start + 1)
  // The files may contain headings themselves, so their end is found by the digest.
  const ends = [...rest.matchAll(/\n\n# /g)].map(({ index }) => index)
  const end = ends.find((place) => digestOf(rest.slice(0, place)) === section.digest)
  const [first = '', ...lines] = rest.slice(heading.length, end).split('\n')
  return [{ path: first.replace(/^## /, ''), text: lines.join('\n') }]
}
