/// <reference lib="esnext.disposable" preserve="true" />
import {
  LoaderError,
  type Message,
  ownerOf,
  type RecoveryReport,
  type Session,
  type SessionState,
  shownText,
  type Signal,
  type ThinkingLevel,
  type Via,
  withCapability,
} from '@loader/session-core'
import type { InboxMessage, Lane, PermissionMode, PromptFormat, WorkflowMode } from '@loader/session-core/coding'
import { defaultPermissionMode } from '@loader/workflow'
import { type AcceptResult, acceptLastTurn } from './accept-last-turn.ts'
import type { AgentOptions, QueueOptions, RunOptions, ShiftEnd, ShiftOptions, TaskOptions } from './agent-options.ts'
import { Audience } from './audience.ts'
import { requirePrices } from './budget.ts'
import { type CheckedNow, checkNow, type CheckOptions } from './check-now.ts'
import { type AgentConfig, parseConfig } from './config.ts'
import { currentPolicy } from './current-policy.ts'
import { filesOfTask } from './files/files-of-task.ts'
import { requirePrepared } from './files/require-prepared.ts'
import { filesOfInput, newInput } from './new-input.ts'
import { storeFiles } from './files/store-files.ts'
import { closeBackground, closeHooks, runEndHooks } from './leave-session.ts'
import { goesOn } from './note-background.ts'
import { permissionFor } from './policy.ts'
import { type Hearing, type Taken, takeMessage } from './inbox/take-message.ts'
import { type LoopEnd, type RunningTurn, runUntilRest } from './loop.ts'
import { staticNames } from './prompt/static-sections.ts'
import { type RewindOptions, type RewindResult, rewindSession } from './rewind.ts'
import { type RunResult, runResult } from './run-result.ts'
import { SessionHolder } from './session-holder.ts'
import { abortSource } from './stage/abort.ts'
import { allTools, refreshTools, withAllTools } from './stage/all-tools.ts'
import { requirePorts } from './stage/contracts.ts'
import type { AgentEvent } from './stage/agent-event.ts'
import type { AgentPorts, Stage } from './stage/stage.ts'
import { streamOf } from './stream.ts'

/**
 * A coding agent over a session. It keeps no state of its own: everything is read from the session, so that the next
 * process can continue.
 */
export class Agent implements AsyncDisposable {
  #config: AgentConfig
  readonly #options: AgentOptions
  readonly #holder: SessionHolder
  #running: Running | undefined
  /** Settles when the messages that came so far were taken. */
  #taking: Promise<unknown> = Promise.resolve()
  #hasRun = false
  readonly #hooksApart: NonNullable<Stage['hooksApart']> = {}

  /** `ownerType` names the kind of object that runs the session; it is recorded in the session. */
  constructor(options: AgentOptions, ownerType = 'Agent') {
    this.#config = parseConfig(options.config ?? {})
    requirePorts(options)
    this.#options = options
    const { store, environment, workspace, sessionId: id, title, parent } = options
    const owner = { ...ownerOf(ownerType), ...options.process }
    this.#holder = new SessionHolder({ store, environment, owner, projectRoot: workspace.root, id, title, parent })
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

  /** The settings as they are now. */
  get config(): AgentConfig {
    return this.#config
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
    return allTools(this.#options).map(({ name }) => name)
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
    return this.#resultOf(await this.#alone(options, undefined, async () => {}))
  }

  /**
   * Queues a task for another process, with the files of the workspace where the store keeps them, and does nothing of it.
   * `onHeld` is called before anything is stored, while the session is held.
   */
  async queue(
    task: string,
    { mode, files = [], doneWhen, inputId, onHeld }: QueueOptions = {},
  ): Promise<{ readonly inputId: string; readonly seq: number; readonly notSaved?: string }> {
    this.#requireRest('queue a task')
    const session = await this.#holder.opened()
    await onHeld?.(session)
    const stored = files.length === 0 ? {} : { files: await storeFiles(files, session.blobs) }
    const made = await newInput(task, { mode, doneWhen: doneWhen && [...doneWhen], ...stored }, session)
    const input = { ...made, inputId: inputId ?? made.inputId }
    const { events, notSaved } = await filesOfTask(session, { ...this.#options, carry: this.config.carry ?? [] })
    await session.append([...events, input])
    await session.save({ snapshot: false })
    return { inputId: input.inputId, seq: session.state.seq, ...(notSaved !== undefined && { notSaved }) }
  }

  /**
   * One shift of a worker that may change: works on open work until a turn ends, an answer is needed, or `pause` is called.
   * What is left open, any process goes on with.
   */
  async shift(options: ShiftOptions = {}): Promise<ShiftEnd> {
    const { state } = this.#holder
    if (state === null || (state.turn === null && state.queue.length === 0)) return 'rest'
    return (await this.#alone({ ...options, shift: true }, undefined, async () => {})).how
  }

  /** Ends the running shift after the step in hand, or with `now` by cutting that off. The turn stays open. */
  pause({ now = false }: { readonly now?: boolean } = {}): void {
    this.#running?.pause(now)
  }

  /** Begins the session without giving it a task. It is durable when this resolves. */
  async open(): Promise<void> {
    await this.#holder.opened()
  }

  /** Loads an existing session without running anything; false if there is none with this id. */
  async resumeSession(id: string = 'latest', options: { readonly takeover?: boolean } = {}): Promise<boolean> {
    this.#requireRest('take up another session')
    const before = this.#holder.id
    await this.#closeHooks()
    const isLoaded = await this.#holder.load(id, options)
    // What goes on for the session that was left ends with it.
    if (isLoaded && this.#holder.id !== before) await this.#options.background?.close(before)
    return isLoaded
  }

  /** Starts a new session with a new id. The old one is kept. */
  async clearHistory(): Promise<void> {
    this.#requireRest('clear the history')
    await this.#closeHooks()
    await this.#closeBackground()
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

  /** How much the model thinks, from the next run on, which records it; undefined leaves it to the provider. */
  setThinking(level: ThinkingLevel | undefined): void {
    const { thinking: _before, ...rest } = this.#config
    this.#config = { ...rest, ...(level !== undefined && { thinking: level }) }
  }

  /** Queues a message for the running turn. It is durable when this resolves, and is sent before the next request. */
  async queueSteeringMessage(text: string, options: Pick<TaskOptions, 'files' | 'quote'> = {}): Promise<void> {
    const session = await this.#holder.opened()
    const files = await filesOfInput(options, session, this.#now)
    await session.append(await newInput(text, { source: 'steering', ...files }, session))
  }

  /** Removes and returns the queued messages of the running turn that were not sent yet, in order. */
  async drainSteeringMessages(): Promise<string[]> {
    const session = this.#holder.session
    const waiting = session?.state.queue.filter(({ source }) => source === 'steering') ?? []
    if (session === undefined || waiting.length === 0) return []
    await session.append(waiting.map(({ inputId }) => ({ type: 'input.withdrawn', inputId, by: 'user' })))
    return Promise.all(waiting.map(({ text }) => session.readText(text)))
  }

  /**
   * Takes the messages in the inbox of this session: tasks, words for the running turn, answers, a stop. Each is durable in
   * the session before it is removed from the inbox. A program that holds a session for longer must call this now and then.
   * Messages that came while no turn was running wait for `continue`. Returns how many were recorded; 0 without an inbox.
   */
  async takeMessages(): Promise<number> {
    const { inbox } = this.#options.store
    if (inbox === undefined) return 0
    const taken = await this.#inTurn(async (session) => {
      const from = this.#options.store.inbox?.(session.id)
      let recorded = 0
      let refused: LoaderError | undefined
      for (const message of (await from?.messages()) ?? []) {
        try {
          if ((await takeMessage(message, session, this.#hearing())) === 'recorded') recorded += 1
        } catch (error) {
          // A message that this session cannot take stays in the inbox, and does not block those behind it.
          if (!LoaderError.is(error, 'invalid_event') && !LoaderError.is(error, 'impossible_event')) throw error
          refused ??= error
          continue
        }
        await from?.remove(message.id, session.epoch)
      }
      if (refused !== undefined && recorded === 0) throw refused
      return recorded
    })
    return taken ?? 0
  }

  /**
   * Takes one message for this session that is not in its inbox, with the files that it names. Durable when this
   * resolves.
   */
  async take(message: InboxMessage, { quote }: Pick<TaskOptions, 'quote'> = {}): Promise<Taken> {
    await this.#holder.opened()
    const taken = await this.#inTurn((session) => takeMessage(message, session, this.#hearing(quote)))
    if (taken !== undefined) return taken
    throw new LoaderError('session_closed', `Session ${this.#holder.id} was closed. Load it again to continue it.`)
  }

  /** Stops the running turn. It is settled and recorded before `run` returns. */
  cancel(reason?: string, by = 'user'): void {
    this.#running?.stop(by, reason)
  }

  /** Goes back to before a turn: the conversation and, if wanted, the files. */
  async rewind(options: RewindOptions): Promise<RewindResult> {
    this.#requireRest('go back')
    const session = await this.#prepared()
    const { store, workspace } = this.#options
    return rewindSession({ session, store, workspace }, options)
  }

  /**
   * Accepts what the last turn rests on, or only previews it. Only the user can accept: the model and its tools must
   * not reach this method. Undefined if there is nothing to accept.
   */
  async accept(options: { readonly by?: string; readonly preview?: boolean } = {}): Promise<AcceptResult | undefined> {
    this.#requireRest('accept anything')
    return acceptLastTurn(await this.#prepared(), this.#options, options)
  }

  /**
   * Runs the checks now, in rooms, and returns their judgements. Nothing is recorded in the session; results are kept
   * with the workspace.
   */
  async check(options: CheckOptions = {}): Promise<CheckedNow> {
    this.#requireRest('run checks')
    if (this.#holder.state !== null) await this.#prepared()
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

  /** Gives the session a title. `via` says how the wish came, where it was not made here. */
  async rename(title: string, { via }: { readonly via?: Via } = {}): Promise<void> {
    const session = await this.#holder.opened()
    await session.append({ type: 'session.titled', title, by: 'user', ...(via !== undefined && { via }) })
    await session.save({ snapshot: false })
  }

  /** Saves and releases the session, and closes the source of its tools. A running turn is stopped first. */
  async close(): Promise<void> {
    this.cancel('the agent was closed', 'runtime')
    await this.#running?.ended
    try {
      if (this.#hasRun) await runEndHooks(this.#options.hooks, this.#holder.session)
      await this.#closeHooks()
      await this.#closeBackground()
      await this.#holder.close()
    } finally {
      await this.#options.toolSource?.close?.()
    }
  }

  /** Messages are taken one after the other; undefined where no session is open any more. */
  #inTurn<Result>(work: (session: Session) => Promise<Result>): Promise<Result | undefined> {
    const taken = this.#taking.then(async () => {
      const { session } = this.#holder
      return session === undefined ? undefined : work(session)
    })
    this.#taking = taken.catch(() => undefined)
    return taken
  }

  #hearing(quote?: readonly string[]): Hearing {
    const running = this.#running
    return {
      isRunning: running !== undefined,
      ended: running?.ended ?? Promise.resolve(),
      input: async (text, rest, inputId) => {
        const session = await this.#holder.opened()
        const files = await filesOfInput({ ...(quote && { quote }) }, session, this.#now)
        return { ...(await newInput(text, { ...rest, ...files }, session)), inputId }
      },
      stop: (via) => running?.stop('user', undefined, via),
    }
  }

  /** An agent that starts no commands looks for those of an earlier process, if the session knows of some. */
  async #backgroundFor({ state }: Session): Promise<Pick<AgentPorts, 'background'>> {
    const { background, findBackground } = this.#options
    if (background !== undefined || findBackground === undefined || !goesOn(state)) return {}
    return { background: await findBackground() }
  }

  async #closeHooks(): Promise<void> {
    await closeHooks(this.#hooksApart.going, this.#holder.session)
  }

  async #closeBackground(): Promise<void> {
    await closeBackground(this.#options.background, this.#holder.id, this.#holder.session)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #runInput(text: string, options: TaskOptions, lane?: Lane, instructions?: string): Promise<RunResult> {
    const worked = await this.#alone(options, instructions, async (session, running) => {
      const { mode = this.config.workflowMode, doneWhen } = options
      const files = await filesOfInput(options, session, this.#now)
      const input = await newInput(text, { lane, mode, ...files, doneWhen: doneWhen && [...doneWhen] }, session)
      const { turn } = session.state
      // A turn that a crash left open is settled first, and ends as interrupted.
      const stop = { type: 'stop.requested', turnId: turn?.id ?? '', by: 'user', reason: 'a new task came' } as const
      await session.append(turn === null || turn.stop !== null ? [input] : [stop, input])
      running.inputId = input.inputId
    })
    return this.#resultOf(worked)
  }

  #resultOf({ result }: Worked): RunResult {
    if (result !== null) return result
    throw new LoaderError('impossible_event', `Session ${this.#holder.id} has nothing to run. Give it a task first.`)
  }

  /** Allows one run at a time. The run can be cancelled and excludes others before the first await. */
  async #alone(
    options: RunOptions & Pick<Work, 'shift'>,
    instructions: string | undefined,
    begin: Work['begin'],
  ): Promise<Worked> {
    this.#requireRest('begin another task')
    const abort = abortSource()
    const { signal } = options
    const running: Running = {
      inputId: undefined,
      stopped: undefined,
      isPausing: false,
      ended: Promise.resolve(),
      stop(by, reason, via) {
        running.stopped ??= { by, ...(reason !== undefined && { reason }), ...(via && { via }) }
        abort.abort(reason)
      },
      pause(now) {
        running.isPausing = true
        if (now) abort.abort('paused')
      },
    }
    this.#running = running
    this.#hasRun = true
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

  async #work(running: RunningTurn, work: Work): Promise<Worked> {
    const { onEvent, approver, askUser, abort, instructions, shift = false } = work
    const { backend, fallback } = this.#options
    // Before a session is made: a refused run leaves none behind.
    await requirePrices([backend, ...(fallback ? [fallback] : [])], this.config)
    const session = await this.#prepared()
    const working = this.#holder.working(session)
    const audience = new Audience(onEvent)
    const show = audience.tell
    const unsubscribe = session.subscribe(show)
    // Another process may be working on the session by now: the model and the tools stop, and nothing is recorded.
    const stop = () => running.stop('runtime', 'the session was lost to another writer')
    session.lost?.addEventListener('abort', stop)
    if (session.lost?.aborted === true) stop()
    let how: LoopEnd
    try {
      await work.begin(session, running)
      const { workspace } = this.#options
      const somebody = approver === undefined && askUser === undefined && !shift ? 'nobody' : 'user'
      const run = { session, audience: somebody, signal: abort, show } as const
      await refreshTools({ ...this.#options, signal: abort })
      const ports = withAllTools(this.#options)
      const applyPolicy = async () => {
        const policy = await currentPolicy(ports, this.config, run)
        if (policy !== undefined) working.record({ type: 'policy.applied', ...policy })
      }
      await applyPolicy()
      const projectInstructions = this.config.instructions === false ? [] : await workspace.instructions()
      const people = { approver, askUser, shift, instructions, projectInstructions, show }
      const permission = () =>
        permissionFor({ config: this.config, rules: this.#options.rules?.() ?? [] }, session.state)
      const subscribe: Session['subscribe'] = (listener) => session.subscribe(listener)
      const hooksApart = this.#hooksApart
      const noted = { subscribe, signal: abort, examinations: new Map(), hooksApart }
      const about = { permission, applyPolicy, session: working, ...noted }
      const background = await this.#backgroundFor(session)
      how = await runUntilRest(Object.assign(ports, background, people, about), running)
      await working.durable()
    } finally {
      // Also after a failure: recorded events must not be held back any longer.
      this.#holder.send()
      session.lost?.removeEventListener('abort', stop)
      unsubscribe()
    }
    audience.requireNoFailure(session.id)
    return { how, result: runResult(session.state) }
  }

  /** The session, once it is sure that the folder is the one to go on in. */
  async #prepared(): Promise<Session> {
    const session = await this.#holder.opened()
    await requirePrepared(session, this.#options)
    return session
  }

  #streamed(
    options: RunOptions,
    run: (live: RunOptions) => Promise<RunResult>,
  ): AsyncGenerator<AgentEvent, RunResult, undefined> {
    const { onEvent: told } = options
    return streamOf(
      (onEvent) => run({ ...options, onEvent: (event) => [told?.(event), onEvent(event)] }),
      () => this.cancel('the stream was closed by its reader'),
    )
  }

  /** What an input is made for. */
  get #now(): AgentOptions & { readonly config: AgentConfig } {
    return { ...this.#options, config: this.#config }
  }

  #requireRest(wish: string): void {
    if (this.#running === undefined) return
    throw new LoaderError(
      'session_busy',
      `Session ${this.#holder.id} is running a turn, so it cannot ${wish}. Wait for it, cancel it, or queue a message.`,
    )
  }
}

interface Running extends RunningTurn {
  pause(now: boolean): void
}

/** How the loop was left, and the result of the last turn that has ended. */
interface Worked {
  readonly how: LoopEnd
  readonly result: RunResult | null
}

interface Work extends RunOptions {
  readonly abort: Signal
  readonly shift?: boolean
  readonly instructions: string | undefined
  /** Records what the run is for. */
  begin(session: Session, running: RunningTurn): Promise<void>
}
