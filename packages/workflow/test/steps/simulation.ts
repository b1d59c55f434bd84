import { compactFromModel, compactLocally, readSummary } from '@loader/compaction'
import {
  type AnswerPart,
  type EventInput,
  fold,
  type JsonValue,
  type History,
  reduce,
  type SessionEvent,
  type SessionState,
  type ToolOutcome,
} from '@loader/session-core'
import type { Limits, RoomOutcome, TrialFacts } from '@loader/session-core/coding'
import type { Tried } from '../../src/judging/experiment.ts'
import { judgementRecord } from '../../src/judging/judgement-record.ts'
import { trialStep } from '../../src/judging/trial-step.ts'
import { nextStep } from '../../src/next-step.ts'
import type { Step } from '../../src/words/step.ts'
import { reconciliation } from '../../src/steps/reconciliation.ts'

/** A number from 0 to 1 at every call. */
type Chance = () => number

/** Chances that look random and are the same for the same seed (mulberry32). */
export function chances(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export interface World {
  readonly chance: Chance
  /** How likely the process ends at a point where it can. */
  readonly crashes: number
  /** How likely somebody says something, or stops the turn, between two steps. */
  readonly interruptions: number
}

export interface Round {
  readonly step: Step
  readonly before: SessionState
}

export interface Run {
  readonly state: SessionState
  readonly rounds: readonly Round[]
  readonly history: History
  readonly crashes: number
  readonly inputs: number
}

/** A session that plays out one input, with whatever outcomes the chances bring. */
export class Simulation {
  readonly history: SessionEvent[] = []
  readonly rounds: Round[] = []
  crashes = 0
  inputs = 0
  #state: SessionState
  #ids = 0
  #tried: readonly Tried[] = []
  readonly #facts: TrialFacts = {
    isInBefore: true,
    isSlow: false,
    shows: 'behaviour',
    packages: [],
    changed: { product: ['a.js'], aside: ['a.test.js'], mixed: [], ignored: [], suppressed: [] },
  }
  readonly #world: World

  constructor(
    world: World,
    limits: Limits,
    options: { readonly hooks?: readonly string[]; readonly window?: number } = {},
  ) {
    this.#world = world
    const opened = this.#place({ type: 'session.opened', format: 1, id: 'ses', project: { root: '/project' } }, 1)
    this.history.push(opened)
    this.#state = fold([opened]) as SessionState
    this.#record({ type: 'session.claimed', epoch: 1, owner: { type: 'Agent', path: 'public-agent' } })
    this.#record({
      type: 'policy.applied',
      permission: {
        mode: this.#pick(['read-only', 'workspace-write', 'prompt', 'allow']),
        promptingEnabled: true,
        ruleCounts: { allow: 0, deny: 0, ask: 0 },
        rules: [],
        rulesSource: null,
      },
      limits,
      tools: { names: ['read', 'write', 'bash', 'ask_user', 'finish'], digest: 'd' },
      model: { model: 'scripted/model', nativeTools: true, contextWindow: options.window ?? 100_000 },
      ...(options.hooks && { hooks: [...options.hooks] }),
      compaction: this.#pick(['local', 'model']),
      audience: this.#pick(['user', 'nobody']),
    })
  }

  get state(): SessionState {
    return this.#state
  }

  say(text: string, turnOptions: Partial<Extract<EventInput, { type: 'input.queued' }>> = {}): void {
    this.inputs += 1
    this.#record({ type: 'input.queued', inputId: this.#id('in'), text, ...turnOptions })
  }

  /** Plays until there is nothing to do, or until more steps were taken than anybody can account for. */
  run(most: number): Run {
    for (let count = 0; count < most; count += 1) {
      const step = nextStep(this.#state)
      this.rounds.push({ step, before: this.#state })
      if (step.type === 'rest') break
      this.#perform(step)
      this.#interrupt()
    }
    const { history, rounds, crashes, inputs } = this
    return { state: this.#state, rounds, history, crashes, inputs }
  }

  #perform(step: Exclude<Step, { type: 'rest' }>): void {
    switch (step.type) {
      case 'take_input':
        return this.#record(
          step.as === 'steering'
            ? { type: 'input.taken', inputId: step.inputId }
            : {
                type: 'turn.started',
                turnId: this.#id('turn'),
                inputId: step.inputId,
                lane: step.as.turn,
                mode: step.as.mode,
              },
        )
      case 'observe':
        return this.#observe(step)
      case 'ask_model':
        return this.#ask(step)
      case 'examine_call':
        return this.#examine(step.callId)
      case 'run_hook': {
        const decision = this.#pick(['continue', 'continue', 'continue', 'continue', 'deny', 'cancel'])
        return this.#record({ type: 'hook.finished', hook: 'h', on: step.on, decision, callId: step.callId })
      }
      case 'ask_user':
        return this.#askUser(step)
      case 'run_calls':
        return this.#runCalls(step.callIds)
      case 'refuse_call':
        return this.#record({ type: 'tool.finished', callId: step.callId, outcome: step.outcome, text: step.text })
      case 'reconcile_call': {
        const open = this.#state.turn?.calls.find(({ call }) => call.id === step.callId)
        if (open === undefined) throw new Error(`no call ${step.callId}`)
        return this.#record({ type: 'tool.finished', callId: step.callId, ...reconciliation(open, undefined) })
      }
      case 'begin_verification':
        return this.#beginVerification()
      case 'run_check':
        return this.#runCheck(step)
      case 'compact':
        return this.#compact(step)
      case 'decide':
        for (const event of step.events) {
          this.#record(
            event.type === 'workflow.decided' ? { ...event, entry: { ...event.entry, id: this.#id('dec') } } : event,
          )
        }
        return
      case 'wait':
        return this.#record({ type: 'wait.finished', outcome: 'elapsed' })
      case 'finish': {
        const { reason, summary, responseId, verdict } = step
        const turnId = this.#state.turn?.id ?? ''
        return this.#record({ type: 'turn.finished', turnId, reason, summary, responseId, verdict })
      }
      default:
        return step satisfies never
    }
  }

  #observe({ look }: Extract<Step, { type: 'observe' }>): void {
    const tree = look.tree && { id: `f${this.#pick([1, 2, 3])}`, rest: 'none', leftOut: [] }
    const isRefused = look.tree !== undefined && this.#chance(0.1)
    this.#record({
      type: 'workspace.observed',
      ...(isRefused ? { noTree: 'too many files' } : { tree }),
      facts: look.facts && { kind: 'node', commands: this.#chance(0.5) ? { test: 'npm test' } : {} },
      paths: look.paths?.map((path) => ({ path, exists: this.#chance(0.7) })),
      ...(look.tree === 'baseline' && { baselineOf: this.#state.turn?.id }),
      ...(look.tree === 'changes' &&
        !isRefused && { changed: this.#chance(0.5) ? [{ path: 'a.txt', change: 'modified' as const }] : [] }),
      grounding:
        look.grounding === undefined
          ? undefined
          : { entries: ['src'], referenced: [], missing: [], candidates: ['src/a.ts'], facts: [] },
    })
  }

  #ask({ purpose, attempt, requestId = this.#id('req') }: Extract<Step, { type: 'ask_model' }>): void {
    this.#record({ type: 'model.asked', requestId, purpose, attempt })
    if (this.#chance(0.3)) this.#record({ type: 'answer.progressed', requestId, text: 'I will ' })
    if (this.#crash()) return
    const fate = this.#world.chance()
    if (fate < 0.12) {
      const kind = this.#pick(['rate_limited', 'overloaded', 'auth', 'context_too_long', 'connection', 'bad_request'])
      return this.#record({ type: 'model.failed', requestId, error: { kind, message: 'no' } })
    }
    if (fate < 0.16) return this.#record({ type: 'model.interrupted', requestId, reason: 'cut' })
    const content = purpose === 'answer' || purpose === 'clarify' ? this.#answer() : [text(this.#words())]
    const calls = content.some(({ type }) => type === 'call')
    const finishReason = calls ? 'tool-calls' : this.#pick(['stop', 'stop', 'stop', 'stop', 'length', 'content-filter'])
    const usage = { inputTokens: 50, outputTokens: 5 }
    this.#record({ type: 'model.answered', requestId, content, finishReason, usage })
  }

  #answer(): AnswerPart[] {
    const kind = this.#world.chance()
    if (kind < 0.1) return []
    if (kind < 0.2) return [text('<tool_call>{"name":"read","arguments":{"file_path":"a.txt"}}</tool_call>')]
    if (kind < 0.4) return [text(this.#words())]
    return Array.from({ length: this.#pick([1, 1, 2, 3]) }, () => ({ type: 'call' as const, call: this.#call() }))
  }

  #call() {
    const name = this.#pick(['read', 'write', 'bash', 'ask_user', 'nothing'])
    const inputs: Record<string, JsonValue> = {
      read: { file_path: this.#pick(['a.txt', 'b.txt', 'c.txt']) },
      write: { file_path: 'a.txt', content: this.#words() },
      bash: { command: this.#pick(['ls', 'npm test', 'rm -rf build', 'git push']) },
      ask_user: { question: 'Which one?' },
      nothing: {},
    }
    const malformed = this.#chance(0.05) ? '{"file_path": ' : undefined
    return { id: this.#id('call'), name, input: inputs[name] as JsonValue, ...(malformed && { malformed }) }
  }

  #examine(callId: string): void {
    const name = this.#state.turn?.calls.find(({ call }) => call.id === callId)?.call.name ?? ''
    const path = this.#chance(0.9) ? { path: '/project/a.txt', inside: true } : { path: '/etc/passwd', inside: false }
    if (name === 'nothing' || this.#chance(0.05)) {
      return this.#record({ type: 'call.examined', callId, effect: 'none', invalid: 'There is no such tool.' })
    }
    const command = this.#state.turn?.calls.find(({ call }) => call.id === callId)?.call.input
    switch (name) {
      case 'read':
        return this.#record({ type: 'call.examined', callId, effect: 'probe', paths: [path] })
      case 'write':
        return this.#record({
          type: 'call.examined',
          callId,
          effect: 'write',
          paths: [path],
          intent: [{ path: path.path, before: 'x', after: 'y', lines: 3 }],
        })
      case 'bash':
        return this.#record({
          type: 'call.examined',
          callId,
          effect: 'unknown',
          command: String((command as { command?: string }).command),
        })
      default:
        return this.#record({ type: 'call.examined', callId, effect: 'none', question: { text: 'Which one?' } })
    }
  }

  #askUser(step: Extract<Step, { type: 'ask_user' }>): void {
    const { kind, callId, question } = step
    const questionId = step.questionId ?? this.#id('q')
    if (step.questionId === undefined) {
      const started = this.#state.turn?.calls.some(
        ({ call, startedEpoch }) => call.id === callId && startedEpoch !== undefined,
      )
      if (kind === 'question' && callId !== undefined && !started) this.#record({ type: 'tool.started', callId })
      this.#record({ type: 'question.asked', questionId, kind, callId, text: question.text })
      if (this.#crash()) return
    }
    if (this.#chance(0.3)) {
      return this.#record({ type: 'question.answered', questionId, outcome: 'unanswered' })
    }
    this.#record({
      type: 'question.answered',
      questionId,
      outcome: 'answered',
      ...(kind === 'permit'
        ? { permit: this.#pick(['allow', 'deny']), scope: this.#pick(['once', 'session', 'always']) }
        : { answer: this.#words() }),
    })
  }

  #runCalls(callIds: readonly string[]): void {
    for (const callId of callIds) this.#record({ type: 'tool.started', callId })
    for (const callId of callIds) {
      if (this.#crash()) return
      const outcome: ToolOutcome = this.#pick(['ok', 'ok', 'ok', 'failed', 'unknown', 'interrupted'])
      this.#record({ type: 'tool.finished', callId, outcome, text: this.#words() })
    }
  }

  #beginVerification(): void {
    const { turn, workspace } = this.#state
    const hasRooms = workspace?.tree != null && this.#chance(0.8)
    const ground = hasRooms
      ? { tree: workspace?.tree?.id, before: 'f0', environment: 'e' }
      : { noRooms: 'there are none' }
    this.#tried = []
    this.#record({ type: 'verification.started', turnId: turn?.id ?? '', ground })
  }

  /** Rooms show whatever they show; what follows from it is decided as it always is. */
  #runCheck({ check, experiment }: Extract<Step, { type: 'run_check' }>): void {
    const { id: checkId, command } = check
    const { room, asNow, again } = experiment
    const isFirst = room === 'now' && again === undefined
    const runId = this.#id('run')
    this.#record({ type: 'check.started', runId, checkId, command, room })
    if (this.#crash()) return
    const exit = this.#pick(['green', 'green', 'red'])
    const tests = ['one', 'two'].map((name) => ({ name, outcome: this.#pick(['green', 'green', 'red', 'skipped']) }))
    const outcome: RoomOutcome = this.#chance(0.1)
      ? { kind: 'not_shown', why: this.#pick(['limit', 'impossible', 'program_missing']) }
      : { kind: 'shown', shown: this.#chance(0.5) ? { exit, tests } : { exit } }
    this.#tried = [...(isFirst ? [] : this.#tried), { experiment, outcome }]
    const trial = trialStep(this.#state, check, { facts: this.#facts, tried: this.#tried })
    const at = this.#time()
    const passed = outcome.kind === 'shown' && outcome.shown.exit === 'green'
    this.#record({
      type: 'check.finished',
      evidence: {
        checkId,
        runId,
        criterionIds: [],
        command,
        outcome: passed ? 'passed' : 'failed',
        exitCode: passed ? 0 : 1,
        output: '3 passed',
        startedAt: at,
        finishedAt: at,
        tree: 'f1',
        before: 'f0',
        environment: 'e',
        room,
        asNow,
        again,
        ...(!isFirst && { baseline: true as const }),
        ...(isFirst && { trial: this.#facts }),
        ...(trial.kind === 'next' && { next: trial.experiment }),
        ...(trial.kind === 'judged' && { judgement: judgementRecord(trial.judgement) }),
      },
    })
  }

  #compact({ method, why, plan }: Extract<Step, { type: 'compact' }>): void {
    const options = { messageId: this.#id('sum'), why }
    const request = this.#state.turn?.request
    if (method === 'model' && request)
      return this.#record(compactFromModel(this.#state, plan, readSummary(request), options))
    return this.#record(compactLocally(this.#state, plan, options))
  }

  /** The process ends; the next one claims the session and goes on. */
  #crash(): boolean {
    if (!this.#chance(this.#world.crashes)) return false
    this.crashes += 1
    this.#record({
      type: 'session.claimed',
      epoch: this.#state.epoch + 1,
      owner: { type: 'Agent', path: 'public-agent' },
    })
    return true
  }

  #interrupt(): void {
    if (!this.#chance(this.#world.interruptions)) return
    const { turn } = this.#state
    if (this.#chance(0.5)) this.say(this.#words())
    else if (turn !== null && turn.stop === null) this.#record({ type: 'stop.requested', turnId: turn.id, by: 'user' })
  }

  #record(input: EventInput): void {
    const event = this.#place(input, this.#state.seq + 1)
    this.#state = reduce(this.#state, event)
    this.history.push(event)
  }

  #place(input: EventInput, seq: number): SessionEvent {
    return JSON.parse(JSON.stringify({ ...input, seq, at: this.#time() })) as SessionEvent
  }

  #time(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.history.length * 1000).toISOString()
  }

  #id(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${this.#ids}`
  }

  #words(): string {
    const words = [
      'done',
      'The file is written.',
      'You can run the tests yourself.',
      'It should work now.',
      'All tests pass.',
    ]
    return `${this.#pick(words)} ${this.#ids}`
  }

  #chance(share: number): boolean {
    return this.#world.chance() < share
  }

  #pick<const Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#world.chance() * values.length) % values.length] as Value
  }
}

function text(words: string): AnswerPart {
  return { type: 'text', text: words }
}
