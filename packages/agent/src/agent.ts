/// <reference lib="esnext.disposable" preserve="true" />
import {
  type EventInput,
  type FilePart,
  LoaderError,
  type Message,
  type Owner,
  ownerOf,
  type RecoveryReport,
  type Session,
  type SessionState,
  type SessionStore,
  shownText,
  type Signal,
  withCapability,
} from '@loader/session-core'
import type { Approver, AskUser, Lane, PermissionMode, PromptFormat, WorkflowMode } from '@loader/session-core/coding'
import { defaultPermissionMode } from '@loader/workflow'
import { type AcceptResult, acceptLastTurn } from './accept-last-turn.ts'
import { Audience } from './audience.ts'
import { type CheckedNow, checkNow, type CheckOptions } from './check-now.ts'
import { type AgentConfig, parseConfig } from './config.ts'
import { currentPolicy } from './current-policy.ts'
import { permissionFor } from './policy.ts'
import { type RunningTurn, runUntilRest } from './loop.ts'
import { staticNames } from './prompt/static-sections.ts'
import { type RewindOptions, type RewindResult, rewindSession } from './rewind.ts'
import { type RunResult, runResult } from './run-result.ts'
import { SessionHolder } from './session-holder.ts'
import { abortSource } from './stage/abort.ts'
import { requirePorts } from './stage/contracts.ts'
import type { AgentEvent } from './stage/agent-event.ts'
import type { AgentPorts } from './stage/stage.ts'
import { streamOf } from './stream.ts'

export interface AgentOptions extends AgentPorts {
  readonly store: SessionStore
  readonly config?: AgentConfig
  /** Id of a new session; generated if absent. */
  readonly sessionId?: string
  readonly title?: string
  /** This process, as the session records its writer. */
  readonly process?: Pick<Owner, 'program' | 'pid' | 'host'>
}

/** How a run is observed, how the user is asked, and how it is cancelled. */
export interface RunOptions {
  readonly signal?: Signal
  /** Durable events of the session, and live deltas. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Decides about calls that need permission; without it they are denied at once. */
  readonly approver?: Approver
  /** Answers questions of the model; without it they stay unanswered. */
  readonly askUser?: AskUser
}

/** Options of a task. */
export interface TaskOptions extends RunOptions {
  readonly mode?: WorkflowMode
  readonly files?: readonly FilePart[]
  /** Commands that must succeed for the task to be done, instead of the checks of plan and project. */
  readonly doneWhen?: readonly { readonly command: string; readonly text?: string }[]
}

/**
 * A coding agent over a session. It keeps no state of its own: everything is read from the session, so that the next
 * process can continue.
 */
export class Agent implements AsyncDisposable {
  readonly config: AgentConfig
  readonly #options: AgentOptions
  readonly #holder: SessionHolder
  #running: RunningTurn | undefined

  /** `ownerType` names the kind of object that runs the session; it is recorded in the session. */
  constructor(options: AgentOptions, ownerType = 'Agent') {
    this.config = parseConfig(options.config ?? {})
    requirePorts(options)
    this.#options = options
    const { store, environment, workspace, sessionId: id, title } = options
    const owner = { ...ownerOf(ownerType), ...options.process }
    this.#holder = new SessionHolder({ store, environment, owner, projectRoot: workspace.root, id, title })
  }

  /** The session: its id is known at once, its state once an event was recorded. */
  get session(): {
    readonly id: string
    readonly state: SessionState | null
    readonly recovery: RecoveryReport | undefined
  } {
    const { id, state, recovery } = this.#holder
    return { id, state, recovery }
  }

  get messages(): readonly Message[] {
    return this.#holder.state?.messages.toArray() ?? []
  }

  get currentTask(): string | null {
    const task = this.#holder.state?.task ?? null
    return task === null ? null : shownText(task)
  }

  get workflowMode(): WorkflowMode {
    return this.#holder.state?.mode ?? 'execute'
  }

  get activePermissionMode(): PermissionMode {
    return this.#holder.state?.policy?.permission.mode ?? this.config.permissionMode ?? defaultPermissionMode
  }

  get promptFormat(): PromptFormat | null {
    return this.#holder.state?.prompts.at(-1)?.format ?? null
  }

  /** Names of the sections of the last prompt that depend on the turn. */
  get promptSections(): readonly string[] {
    const sections = this.#holder.state?.prompts.at(-1)?.sections ?? []
    return sections.map(({ name }) => name).filter((name) => !staticNames.has(name))
  }

  get lastTurnSummary(): RunResult | null {
    const { state } = this.#holder
    return state === null ? null : runResult(state)
  }

  get toolNames(): readonly string[] {
    return this.#options.tools.map(({ name }) => name)
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Works on a task until the turn ends. Every way to end is a result; the promise rejects only on faults. */
  async run(task: string, options: TaskOptions = {}): Promise<RunResult> {
    return this.#runInput(task, options)
  }

  /** Like `run`, but yields events as they happen. Leaving the loop early stops the turn. */
  stream(task: string, options: TaskOptions = {}): AsyncGenerator<AgentEvent, RunResult, undefined> {
    return this.#streamed(options, (live) => this.run(task, live))
  }

  /** Answers a question with read-only calls. */
  async explore(question: string, options: RunOptions = {}): Promise<RunResult> {
    return this.#runInput(question, options, 'explore')
  }

  /** Replaces older messages by a summary now, with an emphasis on the given instructions. */
  async compact(instructions?: string, options: RunOptions = {}): Promise<RunResult> {
    return this.#runInput(instructions ?? 'Make room.', options, 'compact', instructions)
  }

  /** Continues open work: an interrupted turn or queued inputs. Null if there is none. */
  async continue(options: RunOptions = {}): Promise<RunResult | null> {
    const { state } = this.#holder
    if (state === null || (state.turn === null && state.queue.length === 0)) return null
    return this.#alone(options, undefined, async () => {})
  }

  /** Loads an existing session without running anything; false if there is none with this id. */
  async resumeSession(id: string = 'latest', options: { readonly takeover?: boolean } = {}): Promise<boolean> {
    this.#requireRest('take up another session')
    return this.#holder.load(id, options)
  }

  /** Starts a new session with a new id. The old one is kept. */
  async clearHistory(): Promise<void> {
    this.#requireRest('clear the history')
    await this.#holder.renew()
  }

  /** Sets the mode until the runtime routes a task again. */
  async setWorkflowMode(mode: WorkflowMode): Promise<void> {
    const session = await this.#holder.opened()
    const entry = {
      id: session.environment.newId('dec'),
      kind: 'route' as const,
      mode,
      reasonCode: 'explicit_request',
      summary: `${mode}: the user asked for this mode`,
      decisionKind: 'requested' as const,
    }
    await session.append({ type: 'workflow.decided', entry })
  }

  /** Queues a message for the running turn. It is durable when this resolves, and is sent before the next request. */
  async queueSteeringMessage(text: string): Promise<void> {
    const session = await this.#holder.opened()
    await session.append(await this.#asInput(text, { source: 'steering' }))
  }

  /** Removes and returns the queued messages of the running turn that were not sent yet, in order. */
  async drainSteeringMessages(): Promise<string[]> {
    const session = this.#holder.session
    const waiting = session?.state.queue.filter(({ source }) => source === 'steering') ?? []
    if (session === undefined || waiting.length === 0) return []
    await session.append(waiting.map(({ inputId }) => ({ type: 'input.withdrawn', inputId, by: 'user' })))
    return Promise.all(waiting.map(({ text }) => session.readText(text)))
  }

  /** Stops the running turn. It is settled and recorded before `run` returns. */
  cancel(reason?: string, by = 'user'): void {
    this.#running?.stop(by, reason)
  }

  /** Goes back to before a turn: the conversation and, if wanted, the files. */
  async rewind(options: RewindOptions): Promise<RewindResult> {
    this.#requireRest('go back')
    const session = await this.#holder.opened()
    const { store, workspace } = this.#options
    return rewindSession({ session, store, workspace }, options)
  }

  /**
   * Accepts what the last turn rests on, or only previews it. Only the user can accept: the model and its tools must
   * not reach this method. Undefined if there is nothing to accept.
   */
  async accept(options: { readonly by?: string; readonly preview?: boolean } = {}): Promise<AcceptResult | undefined> {
    this.#requireRest('accept anything')
    return acceptLastTurn(await this.#holder.opened(), this.#options, options)
  }

  /**
   * Runs the checks now, in rooms, and returns their judgements. Nothing is recorded in the session; results are kept
   * with the workspace.
   */
  async check(options: CheckOptions = {}): Promise<CheckedNow> {
    this.#requireRest('run checks')
    return checkNow(
      this.#holder.state,
      { ...this.#options, checks: this.config.checks, protect: this.config.protect },
      options,
    )
  }

  /**
   * Copies the session, up to an event if one is given. This agent stays in its session; use `resumeSession` to switch.
   */
  async fork(atSeq?: number): Promise<{ readonly id: string }> {
    const { environment } = this.#options
    const store = withCapability(this.#options.store, 'fork')
    const session = await this.#holder.opened()
    await session.durable()
    return store.fork(session.id, atSeq, { environment })
  }

  async rename(title: string): Promise<void> {
    const session = await this.#holder.opened()
    await session.append({ type: 'session.titled', title, by: 'user' })
    await session.save({ head: false })
  }

  /** Saves and releases the session; a running turn is stopped first. */
  async close(): Promise<void> {
    this.cancel('the agent was closed', 'runtime')
    await this.#running?.ended
    await this.#holder.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #runInput(text: string, options: TaskOptions, lane?: Lane, instructions?: string): Promise<RunResult> {
    return this.#alone(options, instructions, async (session, running) => {
      const { mode = this.config.workflowMode, files, doneWhen } = options
      const wishes = { lane, mode, files: files && [...files], doneWhen: doneWhen && [...doneWhen] }
      const input = await this.#asInput(text, wishes)
      const { turn } = session.state
      // A turn that a crash left open is settled first, and ends as interrupted.
      const stop = { type: 'stop.requested', turnId: turn?.id ?? '', by: 'user', reason: 'a new task came' } as const
      await session.append(turn === null || turn.stop !== null ? [input] : [stop, input])
      running.inputId = input.inputId
    })
  }

  /** Allows one run at a time. The run can be cancelled and excludes others before the first await. */
  async #alone(options: RunOptions, instructions: string | undefined, begin: Work['begin']): Promise<RunResult> {
    this.#requireRest('begin another task')
    const abort = abortSource()
    const { signal } = options
    const running: RunningTurn = {
      inputId: undefined,
      stopped: undefined,
      ended: Promise.resolve(),
      stop(by, reason) {
        running.stopped ??= { by, ...(reason !== undefined && { reason }) }
        abort.abort(reason)
      },
    }
    this.#running = running
    const stop = () => running.stop('signal')
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    const work = this.#work(running, { ...options, abort: abort.signal, instructions, begin })
    running.ended = work.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await work
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#running = undefined
    }
  }

  async #work(running: RunningTurn, work: Work): Promise<RunResult> {
    const { onEvent, approver, askUser, abort, instructions } = work
    const session = await this.#holder.opened()
    const working = this.#holder.working(session)
    const audience = new Audience(onEvent)
    const show = audience.tell
    const unsubscribe = session.subscribe(show)
    // Another process may be working on the session by now: the model and the tools stop, and nothing is recorded.
    const stop = () => running.stop('runtime', 'the session was lost to another writer')
    session.lost?.addEventListener('abort', stop)
    if (session.lost?.aborted === true) stop()
    try {
      await work.begin(session, running)
      const { workspace } = this.#options
      const somebody = approver === undefined && askUser === undefined ? 'nobody' : 'user'
      const run = { session, audience: somebody, signal: abort, show } as const
      const applyPolicy = async () => {
        const policy = await currentPolicy(this.#options, this.config, run)
        if (policy !== undefined) working.record({ type: 'policy.applied', ...policy })
      }
      await applyPolicy()
      const projectInstructions = this.config.instructions === false ? [] : await workspace.instructions()
      const people = { approver, askUser, instructions, projectInstructions, show }
      const permission = () =>
        permissionFor({ config: this.config, rules: this.#options.rules?.() ?? [] }, session.state)
      const stage = { ...this.#options, ...people, permission, applyPolicy, session: working, signal: abort }
      await runUntilRest({ ...stage, examinations: new Map() }, running)
      await working.durable()
    } finally {
      // Also after a failure: recorded events must not be held back any longer.
      this.#holder.send()
      session.lost?.removeEventListener('abort', stop)
      unsubscribe()
    }
    audience.requireNoFailure(session.id)
    const result = runResult(session.state)
    if (result !== null) return result
    throw new LoaderError('impossible_event', `Session ${session.id} has nothing to run. Give it a task first.`)
  }

  #streamed(
    options: RunOptions,
    run: (live: RunOptions) => Promise<RunResult>,
  ): AsyncGenerator<AgentEvent, RunResult, undefined> {
    const { onEvent: told } = options
    return streamOf(
      (onEvent) => run({ ...options, onEvent: (event) => [told?.(event), onEvent(event)] }),
      () => this.cancel('nobody reads the stream any more'),
    )
  }

  async #asInput(
    text: string,
    rest: Omit<Extract<EventInput, { type: 'input.queued' }>, 'type' | 'inputId' | 'text'>,
  ): Promise<Extract<EventInput, { type: 'input.queued' }>> {
    const session = await this.#holder.opened()
    const inputId = session.environment.newId('in')
    return { type: 'input.queued', inputId, text: await session.storeText(text), ...rest }
  }

  #requireRest(wish: string): void {
    if (this.#running === undefined) return
    throw new LoaderError(
      'session_busy',
      `Session ${this.#holder.id} is running a turn, so it cannot ${wish}. Wait for it, cancel it, or queue a message.`,
    )
  }
}

interface Work extends RunOptions {
  readonly abort: Signal
  readonly instructions: string | undefined
  /** Records what the run is for. */
  begin(session: Session, running: RunningTurn): Promise<void>
}
