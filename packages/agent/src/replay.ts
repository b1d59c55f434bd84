import {
  type EventOf,
  fold,
  isSessionEvent,
  type JsonValue,
  type Recording,
  type SessionEvent,
} from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import { decisions } from '@loader/workflow'
import type { AgentOptions } from './agent.ts'
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
import { abortSource } from './stage/abort.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { Stage } from './stage/stage.ts'

/** What a replay takes from the recording, and what it does again. */
export interface ReplayOptions {
  /**
   * `stub`: calls, checks and looks come to what they came to then. `rerun`: they are made again, in the workspace of
   * the agent, which has to be a copy of the one at the beginning: they change it.
   */
  readonly tools: 'stub' | 'rerun'
  /** The agent as it would work on the session now. Its store is asked for long texts, and for nothing else. */
  readonly agent: Pick<AgentOptions, 'tools' | 'workspace' | 'store' | 'config'>
  /** The policy to decide by, made from the recorded one; absent means that one. */
  readonly policy?: (recorded: Policy) => Policy
}

/** How far a replay made the same decisions as the recording. */
export interface Replay {
  /** `folded`: it was decided by the rules of another version, so it was folded and compared with nothing. */
  readonly kind: 'decided' | 'folded'
  /** The first place where it is not what was recorded; null when it is the same all along. */
  readonly divergence: Divergence | null
  /** How many events were the same. */
  readonly replayed: number
}

/**
 * Runs the loop on a recording: the model answers what it answered, inputs come where they came, the process ends where
 * it ended. An honest recording replays without a divergence.
 */
export async function replaySession(recording: Recording, options: ReplayOptions): Promise<Replay> {
  const { agent, tools, policy } = options
  if (wasDecidedOtherwise(recording)) {
    fold(recording)
    return { kind: 'folded', divergence: null, replayed: recording.length }
  }
  const session = new ReplayedSession(recording, {
    tools,
    policy,
    blobs: await blobsOf(recording, agent.store),
    toolsDigest: digestOf(JSON.stringify(describeTools(agent.tools))),
    root: agent.workspace.root,
  })
  for (;;) {
    session.takeFromOutside()
    if (session.isOver) return { kind: 'decided', divergence: session.divergence, replayed: session.replayed }
    await replayRun(session, options)
  }
}

/** What was right by the rules of another version is not held against those of this one. */
function wasDecidedOtherwise(recording: Recording): boolean {
  const policies = recording.filter(isSessionEvent).filter((event) => event.type === 'policy.applied')
  return policies.some((policy) => policy.decisions !== decisions)
}

/** One run of the loop: until it rests, diverges, or its process had ended. */
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

/** The run is stopped where it was stopped then. */
function runningIn(session: ReplayedSession): RunningTurn {
  return {
    inputId: undefined,
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
  const root = session.state.project?.root ?? agent.workspace.root
  const place = (input: JsonValue) => moved(input, root, agent.workspace.root)
  const reread = mode === 'rerun' && agent.config?.instructions !== false
  const instructions = reread ? await agent.workspace.instructions() : undefined
  return {
    session,
    signal,
    permission: undefined,
    applyPolicy: async () => session.takePolicy(),
    backend: recordedBackend(desk),
    tools: mode === 'rerun' ? livingTools(agent.tools, desk, place) : recordedTools(agent.tools, desk),
    workspace: mode === 'rerun' ? livingWorkspace(root, agent.workspace, desk) : recordedWorkspace(root, desk),
    environment: recordedEnvironment(desk),
    get hooks() {
      return recordedHooks(desk)
    },
    get approver() {
      return recordedApprover(desk)
    },
    askUser: recordedUser(desk),
    get projectInstructions() {
      return instructions ?? recordedInstructions(session)
    },
    instructions: undefined,
    examinations: new Map(),
    show() {},
  }
}

/** Time stands still between events, so that whatever is waited for comes at once. */
function recordedEnvironment({ session, answer }: ReplayDesk): AgentEnvironment {
  return {
    now: () => session.state.updatedAt,
    newId: (prefix) => session.newId(prefix),
    after(_milliseconds, work) {
      let isWanted = true
      // At the end of the process the work comes too, and finds that nothing can be recorded any more.
      const come = () => void (isWanted && work())
      void answer(() => undefined).then(come, come)
      return () => {
        isWanted = false
      }
    },
  }
}

/** Paths in the arguments of calls lead into the workspace, wherever it lies now. */
function moved(input: JsonValue, from: string, to: string): JsonValue {
  if (from === to) return input
  const [before, now] = [from, to].map((root) => JSON.stringify(root).slice(1, -1))
  return JSON.parse(JSON.stringify(input).replaceAll(before ?? '', now ?? '')) as JsonValue
}

async function blobsOf(recording: Recording, store: AgentOptions['store']): Promise<ReadonlyMap<string, string>> {
  const id = recording.filter(isSessionEvent).findLast(namesSession)?.id ?? ''
  const names = new Set([...JSON.stringify(recording).matchAll(/"blob":"([^"]+)"/g)].map(([, name = '']) => name))
  const texts = await Promise.all([...names].map(async (name) => [name, await store.readBlob(id, name)] as const))
  return new Map(texts)
}

/** A fork goes on under an id of its own. */
function namesSession(event: SessionEvent): event is EventOf<'session.opened'> | EventOf<'session.forked'> {
  return event.type === 'session.opened' || event.type === 'session.forked'
}

const heading = '# Project Instructions\n'

/** The instruction files as they stood in a prompt: what they said is something that was seen, not something decided. */
function recordedInstructions({ prompt }: ReplayedSession): Stage['projectInstructions'] {
  const section = prompt?.sections.find(({ name }) => name === 'Project Instructions')
  const start = prompt?.text.indexOf(`\n${heading}`) ?? -1
  if (prompt === undefined || section === undefined || start < 0) return []
  const rest = prompt.text.slice(start + 1)
  // They may hold headings of their own, so only the digest tells where they end.
  const ends = [...rest.matchAll(/\n\n# /g)].map(({ index }) => index)
  const end = ends.find((place) => digestOf(rest.slice(0, place)) === section.digest)
  const [first = '', ...lines] = rest.slice(heading.length, end).split('\n')
  return [{ path: first.replace(/^## /, ''), text: lines.join('\n') }]
}
