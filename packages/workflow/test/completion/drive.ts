import {
  type EventInput,
  type EventOf,
  isSessionEvent,
  ownerOf,
  parseEvent,
  reduce,
  type SessionEvent,
  type SessionState,
  type StoredEvent,
  unansweredCalls,
} from '@loader/session-core'
import type { Check, FileChange, Limits, ProjectFacts, TimelineEntry, WorkspaceTree } from '@loader/session-core/coding'
import { fixedEnvironment } from '@loader/test-harness'
import { completionMove } from '../../src/completion/completion-move.ts'
import { readCounts } from '../../src/goal/read-counts.ts'
import type { Move, Recorded } from '../../src/move.ts'
import { timelineOf } from '../../src/timeline/timeline-of.ts'
import { type Files, type Ran, simulatedShell } from './simulated-shell.ts'
import type { ScriptedAnswer, ScriptedCall } from './story.ts'

const root = '/project'

export interface DriveOptions {
  readonly task: string
  readonly files?: Readonly<Record<string, string>>
  readonly doneWhen?: readonly { readonly command: string; readonly text?: string }[]
  readonly limits?: Limits
  readonly facts?: ProjectFacts
  /** Runs commands and checks instead of the simulated shell. */
  readonly shell?: (command: string, files: Files) => Ran
  /** Whether the process ends during the next check. */
  readonly crashes?: () => boolean
  /** What the world does besides, at every look and every check. */
  readonly meanwhile?: (files: Files, moment: 'look' | 'check') => void
}

type Turned = SessionState & { readonly turn: NonNullable<SessionState['turn']> }

/**
 * A turn in memory: plays what the model says, does what `completionMove` asks for, and folds it all with the reducer
 * of the session. It stands in for the loop and for the workspace.
 */
export class Drive {
  readonly events: StoredEvent[] = []
  /** Moves that `completionMove` has made. */
  readonly moves: Move[] = []
  readonly files: Files
  readonly #environment = fixedEnvironment()
  readonly #options: DriveOptions
  readonly #before: Files
  #state: SessionState | null = null

  constructor(options: DriveOptions) {
    this.#options = options
    this.files = new Map(Object.entries(options.files ?? {}))
    this.#before = new Map(this.files)
    const { task, doneWhen, limits = {} } = options
    this.record(
      { type: 'session.opened', format: 1, id: 'ses', project: { root } },
      { type: 'session.claimed', epoch: 1, owner: ownerOf('test') },
      { type: 'policy.applied', ...permissive, limits },
      {
        type: 'input.queued',
        inputId: 'in_1',
        text: task,
        ...(doneWhen && { doneWhen: doneWhen.map((each) => ({ ...each })) }),
      },
      { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
    )
  }

  get state(): SessionState {
    if (this.#state === null) throw new Error('nothing was recorded')
    return this.#state
  }

  get timeline(): readonly TimelineEntry[] {
    return timelineOf(this.events)
  }

  get codes(): readonly string[] {
    return this.timeline.map(({ reasonCode }) => reasonCode)
  }

  eventsOf<Type extends SessionEvent['type']>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => isSessionEvent(event) && event.type === type)
  }

  record(...inputs: readonly EventInput[]): void {
    for (const input of inputs) {
      const placed = { seq: this.events.length + 1, at: this.#environment.now(), ...input }
      const event = parseEvent(JSON.parse(JSON.stringify(placed)))
      this.#state = reduce(this.#state, event)
      this.events.push(event)
    }
  }

  /** The model answers, and its calls run. */
  answer({ text, calls = [] }: ScriptedAnswer): void {
    const requestId = this.#environment.newId('req')
    const made = calls.map((call) => ({ call, id: this.#environment.newId('call') }))
    const parts = made.map(({ call, id }) => ({
      type: 'call' as const,
      call: { id, name: call.name, input: call.input },
    }))
    this.record(
      { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
      {
        type: 'model.answered',
        requestId,
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts],
        finishReason: parts.length > 0 ? 'tool-calls' : 'stop',
      },
    )
    for (const { call, id } of made) this.#run(call, id)
  }

  /** The next move of the completion, done. */
  step(): Move {
    const move = completionMove(this.state)
    this.moves.push(move)
    this.#perform(move)
    return move
  }

  /** Plays the answers until the turn ends, the last one as often as it is asked for. */
  play(
    answers: readonly ScriptedAnswer[],
    most = 2_000,
    beforeMove: (state: SessionState) => void = () => {},
  ): EventOf<'turn.finished'> {
    let said = 0
    const next = (): void => {
      const answer = answers[Math.min(said, answers.length - 1)]
      said += 1
      this.answer(answer ?? { text: 'Done.' })
    }
    next()
    for (let moves = 0; moves < most; moves += 1) {
      if (this.#lastAnswerHadCalls()) {
        next()
        continue
      }
      beforeMove(this.state)
      const move = this.step()
      if (move.type === 'finish') return this.#finished()
      if (move.type === 'ask_model') next()
    }
    throw new Error(`the turn did not end within ${most} moves`)
  }

  #finished(): EventOf<'turn.finished'> {
    const finished = this.eventsOf('turn.finished').at(-1)
    if (finished === undefined) throw new Error('the turn did not end')
    return finished
  }

  #lastAnswerHadCalls(): boolean {
    const { turn } = this.state
    if (turn === null || unansweredCalls(turn).length > 0) throw new Error('the turn is not at an answer')
    return turn.calls.length > 0
  }

  #perform(move: Move): void {
    switch (move.type) {
      case 'observe':
        return this.look(move.look.paths)
      case 'run_check':
        return this.#check(move.check)
      case 'decide':
        return this.record(...move.events.map((event) => this.#withId(event)))
      case 'finish': {
        const { type: _type, ...rest } = move
        return this.record({ type: 'turn.finished', turnId: this.#turned().turn.id, ...rest })
      }
      case 'ask_model':
        return
      default:
        throw new Error(`completion does not make the move ${move.type}`)
    }
  }

  #withId(event: Recorded): EventInput {
    if (event.type !== 'workflow.decided') return event
    return { ...event, entry: { ...event.entry, id: this.#environment.newId('entry') } }
  }

  look(paths: readonly string[] = []): void {
    this.#options.meanwhile?.(this.files, 'look')
    this.record({
      type: 'workspace.observed',
      tree: treeOf(this.files),
      facts: this.#options.facts ?? factsOf(this.files),
      // Without a look before the first change there is nothing to compare with.
      ...(this.state.workspace?.baseline != null && { changed: changesBetween(this.#before, this.files) }),
      ...(paths.length > 0 && { paths: paths.map((path) => ({ path, exists: this.files.has(path) })) }),
    })
  }

  #lookAtBaseline(): void {
    const files = [...counted(this.files)].map(([path, content]) => `${hash(content)} ${path}`).join('\n')
    const baselineOf = this.#turned().turn.id
    this.record({ type: 'workspace.observed', tree: treeOf(this.files), baselineOf, baseline: files })
  }

  #check(check: Check, baseline?: true): void {
    const runId = this.#environment.newId('run')
    const { id: checkId, command, cwd } = check
    this.record({ type: 'check.started', runId, checkId, command, ...(baseline && { baseline }) })
    if (this.#options.crashes?.() === true) {
      return this.record({ type: 'session.claimed', epoch: this.state.epoch + 1, owner: ownerOf('test') })
    }
    const startedAt = this.#environment.now()
    const before = this.state.workspace?.tree?.id
    const { exitCode, output } = this.#shell(command)
    this.#options.meanwhile?.(this.files, 'check')
    const counts = readCounts(output)
    const after = treeOf(this.files)
    if (before !== undefined && after.id !== before) {
      this.record({ type: 'workspace.observed', tree: after, changed: changesBetween(this.#before, this.files) })
    }
    this.record({
      type: 'check.finished',
      evidence: {
        checkId,
        runId,
        criterionIds: [],
        command,
        ...(cwd !== undefined && { cwd }),
        outcome: exitCode === 0 ? 'passed' : 'failed',
        exitCode,
        ...(counts && { counts }),
        output,
        startedAt,
        finishedAt: this.#environment.now(),
        ...(before !== undefined && { tree: before, ...(after.id !== before && { treeAfter: after.id }) }),
        ...(baseline && { baseline }),
      },
    })
  }

  /** The user had the checks run before the work. */
  runBaseline(check: Check): void {
    this.#check(check, true)
  }

  #shell(command: string): Ran {
    return (this.#options.shell ?? simulatedShell)(command, this.files)
  }

  #run(call: ScriptedCall, callId: string): void {
    const { work } = this.#turned().turn
    if (call.name !== 'read' && work.lastEffectSeq === null) this.#lookAtBaseline()
    switch (call.name) {
      case 'read':
        this.record({ type: 'call.examined', callId, effect: 'probe' }, { type: 'tool.started', callId })
        return this.record({
          type: 'tool.finished',
          callId,
          outcome: 'ok',
          text: this.files.get(call.input.file_path) ?? '',
        })
      case 'bash':
        return this.#command(call.input.command, callId)
      case 'write':
        return this.#write(callId, call.input.file_path, call.input.content)
      case 'edit': {
        const { file_path: path, old_string: before, new_string: after } = call.input
        return this.#write(callId, path, (this.files.get(path) ?? '').replace(before, after))
      }
      default:
        return call satisfies never
    }
  }

  #command(command: string, callId: string): void {
    this.record({ type: 'call.examined', callId, effect: 'unknown', command }, { type: 'tool.started', callId })
    const { exitCode, output } = this.#shell(command)
    this.record({ type: 'tool.finished', callId, outcome: exitCode === 0 ? 'ok' : 'failed', text: output })
  }

  #write(callId: string, path: string, content: string): void {
    const before = this.files.get(path)
    const intent = {
      path: `${root}/${path}`,
      before: before === undefined ? null : hash(before),
      after: hash(content),
      lines: content.split('\n').length,
    }
    this.record({ type: 'call.examined', callId, effect: 'write', intent: [intent] }, { type: 'tool.started', callId })
    this.files.set(path, content)
    this.record({ type: 'tool.finished', callId, outcome: 'ok', text: `Wrote ${path}.` })
  }

  #turned(): Turned {
    const { state } = this
    if (state.turn === null) throw new Error('no turn is open')
    return { ...state, turn: state.turn }
  }
}

const permissive = {
  permission: {
    mode: 'allow',
    promptingEnabled: false,
    ruleCounts: { allow: 0, deny: 0, ask: 0 },
    rules: [],
    rulesSource: null,
  },
  audience: 'nobody',
} as const

/** As a workspace tells what kind of project it is. */
function factsOf(files: Files): ProjectFacts {
  const script = /"test": "([^"]*)"/.test(files.get('package.json') ?? '')
  if (files.has('package.json'))
    return { kind: 'node', packageManager: 'npm', commands: script ? { test: 'npm test' } : {} }
  if (/^test:/m.test(files.get('GNUmakefile') ?? files.get('Makefile') ?? '')) {
    return { kind: 'make', commands: { test: 'make test' } }
  }
  return {}
}

/** What a look at the project counts: neither the sessions nor what is installed. */
function counted(files: Files): Files {
  return new Map(
    [...files]
      .filter(([path]) => !/^\.loader\/|(?:^|\/)node_modules\//.test(path))
      .toSorted(([first], [second]) => (first < second ? -1 : 1)),
  )
}

function treeOf(files: Files): WorkspaceTree {
  return { id: hash(JSON.stringify([...counted(files)])), rest: 'none', leftOut: [] }
}

function changesBetween(before: Files, after: Files): FileChange[] {
  const [then, now] = [counted(before), counted(after)]
  const paths = [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path) !== now.get(path))
  return paths.map((path) => ({
    path,
    change: !then.has(path) ? 'added' : now.has(path) ? 'modified' : 'deleted',
  }))
}

function hash(text: string): string {
  let value = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index += 1) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  }
  return value.toString(16)
}
