import {
  callsOf,
  type EventInput,
  isSessionEvent,
  type JsonValue,
  type Message,
  noTotals,
  reduce,
  type SessionState,
  type StoredEvent,
  unansweredCalls,
} from '../src/index.ts'

/** Picks from choices by a list of numbers, so that fast-check can shrink what was picked. */
class Dice {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  get done(): boolean {
    return this.#next >= this.#numbers.length
  }

  pick<Item>(items: readonly Item[]): Item {
    const number = this.#numbers[this.#next % this.#numbers.length] ?? 0
    this.#next += 1
    return items[number % items.length] as Item
  }
}

const start = Date.parse('2026-01-01T00:00:00.000Z')
export const timeOf = (seq: number): string => new Date(start + seq * 1000).toISOString()

/** A valid sequence of events of every kind, as long as the numbers. */
export function randomHistory(numbers: readonly number[]): StoredEvent[] {
  const dice = new Dice(numbers)
  const opened: StoredEvent = { type: 'session.opened', seq: 1, at: timeOf(1), format: 1, id: 'ses_random' }
  const events: StoredEvent[] = [opened]
  let state = reduce(null, opened)
  while (!dice.done) {
    const input = nextInput(state, dice)
    const { type, ...rest } = input
    const event = JSON.parse(
      JSON.stringify({ type, seq: state.seq + 1, at: timeOf(state.seq + 1), ...rest }),
    ) as StoredEvent
    state = reduce(state, event)
    events.push(event)
  }
  return events
}

/** A command that goes on, and what becomes of it. */
function background(state: SessionState, dice: Dice): Input {
  const living = state.background?.filter(({ ended }) => ended === undefined) ?? []
  const { id } = living[0] ?? {}
  const started: Input = {
    type: 'background.started',
    id: `bg${state.seq}`,
    command: 'serve',
    cwd: '/',
    reach: dice.pick(['look', 'work', 'network'] as const),
    startedAt: timeOf(state.seq),
  }
  if (id === undefined) return started
  return dice.pick<Input>([
    started,
    { type: 'background.listened', id, ports: [{ port: 4173, on: 'session' }] },
    { type: 'port.published', id, port: 4173, hostPort: 4173 },
    { type: 'background.ended', id, how: 'exited', exitCode: 0, bytes: 10 },
    { type: 'background.ended', id, how: 'gone', note: 'It is gone.' },
  ])
}

/** A hook that nobody waits for, and its end. */
function hookApart(state: SessionState, dice: Dice): Input {
  const runs = { command: 'lint', source: 's', origin: 'user', given: 'sha256:0', reach: 'work' } as const
  const going = state.hooksApart?.find(({ ended }) => ended === undefined)
  const begun: Input = { type: 'hook.started', id: `hook_${state.seq}`, hook: 'lint', on: 'post_tool', runs }
  if (going === undefined) return begun
  const ran = { ...runs, ended: 'exited', exitCode: 0, durationMs: 5 } as const
  return dice.pick<Input>([
    begun,
    { type: 'hook.ended', id: going.id, hook: 'lint', ran },
    { type: 'hook.ended', id: going.id, hook: 'lint', ran, context: 'Two warnings.', note: 'It is slow.' },
  ])
}

/** A child of a running call, and what becomes of it. */
function child(state: SessionState, dice: Dice): Input | undefined {
  const { children = [] } = state
  const living = children.find(({ finished }) => finished === undefined)
  const running = unansweredCalls(state.turn).find(({ call, startedEpoch }) => {
    return startedEpoch !== undefined && !children.some(({ callId }) => callId === call.id)
  })
  const { id: childId } = living ?? {}
  if (childId !== undefined) {
    const usage = { ...noTotals, requests: 1, cost: { usd: 0.25, known: 1 } }
    return dice.pick<Input>([
      { type: 'child.opened', childId },
      { type: 'child.finished', childId, outcome: dice.pick(['ok', 'failed', 'unknown'] as const), usage, text: '' },
    ])
  }
  const done = children.find(({ finished, merged }) => finished !== undefined && merged === undefined)
  if (done !== undefined) {
    return {
      type: 'child.merged',
      childId: done.id,
      files: [{ path: 'a', outcome: dice.pick(['merged', 'conflict'] as const) }],
    }
  }
  if (running === undefined) return undefined
  const grant = { mode: 'read-only', within: 'look', tools: [], turns: 1, usd: 1 } as const
  const about = { title: 'Look', task: '', depth: 1, place: 'look', grant: { ...grant, tools: [] } } as const
  return { type: 'child.assigned', childId: `ses_${state.seq}`, callId: running.call.id, ...about }
}

type Input = EventInput | { type: string; critical?: boolean; [key: string]: unknown }

function nextInput(state: SessionState, dice: Dice): Input {
  const group = dice.pick(['turn', 'turn', 'turn', 'turn', 'turn', 'turn', 'anytime', 'context'] as const)
  if (group === 'anytime') return anytime(state, dice)
  if (group === 'context') return context(state, dice) ?? anytime(state, dice)
  return (state.turn === null ? atRest(state, dice) : inTurn(state, dice)) ?? anytime(state, dice)
}

const fresh = (prefix: string, state: SessionState): string => `${prefix}_${state.seq + 1}`
const text = (dice: Dice): string =>
  dice.pick(['', 'plain', 'Zürich 🎈', '\u0000\r\n', 'lone \uD800', 'מימין', 'x'.repeat(300)])

function anytime(state: SessionState, dice: Dice): Input {
  const next = state.seq + 1
  const check = state.runningCheck
  return dice.pick<() => Input>([
    () => ({ type: 'input.queued', inputId: fresh('in', state), text: text(dice) }),
    () => ({ type: 'custom.recorded', name: 'mine', data: { a: [1, null, 'b'], __proto__: null } as JsonValue }),
    () => ({ type: 'session.titled', title: 'A title', by: 'user' }),
    () =>
      state.queue[0]
        ? { type: 'input.withdrawn', inputId: state.queue[0].inputId, by: 'user' }
        : { type: 'input.queued', inputId: fresh('in', state), text: '' },
    () => ({ type: 'session.claimed', epoch: state.epoch + 1, owner: { type: 'Agent', path: 'public-agent' } }),
    () => (state.seq % 2 === 0 ? background(state, dice) : hookApart(state, dice)),
    () => child(state, dice) ?? background(state, dice),
    () => ({ type: 'ledger.updated', ledger: { ...state.ledger, assumptions: [assumption(next)] } }),
    () => ({ type: 'todos.updated', todos: [{ id: fresh('todo', state), text: 'Do it', status: 'pending' }] }),
    () => ({ type: 'workspace.observed', fingerprint: `print${next}` }),
    () => ({ type: 'workspace.observed', tree: { id: `tree${next}`, rest: 'none', leftOut: [] } }),
    () => ({
      type: 'workspace.saved',
      tree: `tree${next}`,
      rest: 'none',
      commit: `commit${next}`,
      leftOut: [],
      bytes: 1,
      place: place(next % 2),
      pack: ['UEFDSw=='],
    }),
    () => ({
      type: 'workspace.prepared',
      place: place(next % 2),
      from: place(1 - (next % 2)),
      tree: { id: `tree${next}`, rest: 'none', leftOut: [] },
      missing: [{ kind: 'ignored', count: 1, names: ['dist/'] }],
    }),
    () => ({ type: 'goal.defined', goal: { id: fresh('goal', state), task: 'Do it', criteria: [], checks: [] } }),
    () => ({ type: 'prompt.rendered', format: 'native', sections: [{ name: 'Rules', digest: 'd' }], text: text(dice) }),
    () => ({ type: 'future.happened', extra: { key: next } }),
    () => ({
      type: 'policy.applied',
      permission: {
        mode: 'prompt',
        promptingEnabled: true,
        ruleCounts: { allow: 0, deny: 0, ask: 0 },
        rules: [],
        rulesSource: null,
      },
      limits: { maxIterations: 10 },
      audience: 'nobody',
    }),
    () => ({
      type: 'workflow.decided',
      entry: { id: fresh('entry', state), kind: 'route', mode: 'plan', reasonCode: 'r', summary: 's' },
    }),
    () =>
      state.policy
        ? { type: 'permission.rule_added', rule: { permit: 'ask', tool: 'bash' }, scope: 'session', by: 'user' }
        : { type: 'brief.written', brief: { text: 'What is wanted.' } },
    () => ({ type: 'before.moved', before: { tree: { base: 't0', layers: [] } }, why: 'verified' }),
    () => ({ type: 'checks.accepted', by: 'user', files: ['test/sum.test.js'] }),
    () => ({ type: 'plan.written', plan: { implementation: 'First this.', steps: ['this'] } }),
    () =>
      check === null || check.epoch !== state.epoch
        ? { type: 'check.started', runId: fresh('run', state), checkId: 'check_1', command: 'true' }
        : { type: 'check.finished', evidence: evidence(check) },
  ])()
}

const assumption = (next: number) => ({
  text: `It holds ${next}.`,
  status: 'open' as const,
  introducedPhase: 'clarify',
})

const evidence = (check: { readonly runId: string; readonly checkId: string }) => ({
  checkId: check.checkId,
  runId: check.runId,
  criterionIds: [],
  command: 'true',
  outcome: 'passed' as const,
  exitCode: 0,
  output: '',
  startedAt: timeOf(1),
  finishedAt: timeOf(2),
  fingerprintBefore: 'a',
  fingerprintAfter: 'a',
})

function atRest(state: SessionState, dice: Dice): Input | undefined {
  const [input] = state.queue
  const last = state.messages.at(-1)
  return dice.pick<() => Input | undefined>([
    () => ({ type: 'input.queued', inputId: fresh('in', state), text: text(dice) }),
    () => input && { type: 'turn.started', turnId: fresh('turn', state), inputId: input.inputId },
    () => input && { type: 'turn.started', turnId: fresh('turn', state), inputId: input.inputId, mode: 'plan' },
    () => input && { type: 'turn.started', turnId: fresh('turn', state), inputId: input.inputId, lane: 'compact' },
    () => ({ type: 'session.imported', source: { kind: 'other' }, messages: [imported(state)] }),
    () => ({ type: 'session.rewound', toSeq: 1, through: null }),
    () => (last && last.role === 'user' ? { type: 'session.rewound', toSeq: state.seq, through: last.id } : undefined),
    () => ({ type: 'session.forked', id: 'ses_fork', from: { id: state.id, seq: state.seq } }),
  ])()
}

function imported(state: SessionState): Message {
  return {
    id: fresh('msg', state),
    role: 'user',
    origin: 'import',
    content: [{ type: 'text', text: 'before' }],
    at: timeOf(state.seq),
  }
}

function inTurn(state: SessionState, dice: Dice): Input | undefined {
  const { turn } = state
  if (turn === null) return undefined
  if (turn.request?.status === 'asked') return answering(turn.request.id, state, dice)
  if (turn.question !== null && turn.question.answer === undefined) {
    return {
      type: 'question.answered',
      questionId: turn.question.id,
      outcome: 'answered',
      answer: 'yes',
      permit: 'allow',
    }
  }
  const [open] = unansweredCalls(turn)
  if (open !== undefined) return calling(open, state, dice)
  const [input] = state.queue
  const last = state.messages.at(-1)
  const { request } = turn
  const answered = request?.status === 'answered' && last?.id === request.id && turn.calls.length === 0
  return dice.pick<() => Input | undefined>([
    () => ({ type: 'model.asked', requestId: fresh('req', state), purpose: 'answer', attempt: 1 }),
    () => ({
      type: 'model.asked',
      requestId: fresh('req', state),
      purpose: dice.pick(['clarify', 'brief', 'summary'] as const),
      attempt: 1,
    }),
    () =>
      request?.status === 'failed'
        ? { type: 'model.asked', requestId: request.id, purpose: 'answer', attempt: request.attempt + 1 }
        : undefined,
    () => (input && turn.pending === null ? { type: 'input.taken', inputId: input.inputId } : undefined),
    () => ({ type: 'stop.requested', turnId: turn.id, by: 'user' }),
    () => ({ type: 'statement.made', turnId: turn.id, how: 'done', summary: 'It is done.' }),
    () => ({ type: 'verification.started', turnId: turn.id, ground: { tree: 't1', before: 't0', environment: 'e' } }),
    () =>
      turn.wait
        ? { type: 'wait.finished', outcome: 'elapsed' }
        : { type: 'wait.started', until: timeOf(9), why: 'rate limit' },
    () => ({ type: 'workflow.decided', entry: { ...entry(state), kind: 'handoff' }, note: 'Go on.' }),
    () =>
      canJudge(state)
        ? { type: 'workflow.decided', entry: { ...entry(state), kind: 'completion_continue' } }
        : undefined,
    () =>
      canJudge(state) && answered
        ? {
            type: 'workflow.decided',
            entry: { ...entry(state), kind: 'completion_continue' },
            note: 'No.',
            withdraws: request.id,
          }
        : undefined,
    () =>
      answered && (turn.phase === 'assistant' || turn.phase === 'repair')
        ? {
            type: 'calls.recovered',
            requestId: request.id,
            calls: [{ id: fresh('call', state), name: 'read', input: {} }],
          }
        : undefined,
    () => ({ type: 'turn.finished', turnId: turn.id, reason: 'turn_complete' }),
  ])()
}

const entry = (state: SessionState) => ({
  id: fresh('entry', state),
  mode: 'execute' as const,
  reasonCode: 'why',
  summary: 'because',
})

function canJudge({ turn }: SessionState): boolean {
  return turn !== null && turn.phase !== 'prepare'
}

function answering(requestId: string, state: SessionState, dice: Dice): Input {
  if (state.turn?.request?.epoch !== state.epoch) return { type: 'model.interrupted', requestId, reason: 'crashed' }
  const call = (name: string) => ({
    type: 'call' as const,
    call: { id: `${fresh('call', state)}_${name}`, name, input: { path: 'a' } },
  })
  // A clarifying question is answered in the preparation of a turn; its calls run wherever the turn is.
  const mayCall = state.turn?.phase === 'assistant' || state.turn?.request?.purpose !== 'answer'
  return dice.pick<() => Input>([
    () => ({ type: 'answer.progressed', requestId, text: text(dice) }),
    () => ({ type: 'answer.progressed', requestId, reasoning: 'hm' }),
    () => ({ type: 'model.answered', requestId, content: [{ type: 'text', text: text(dice) }], finishReason: 'stop' }),
    () => ({ type: 'model.answered', requestId, content: [], finishReason: 'stop', usage: { inputTokens: 7 } }),
    () => ({
      type: 'model.answered',
      requestId,
      content: mayCall ? [{ type: 'text', text: 'I read.' }, call('read'), call('write')] : [],
      finishReason: 'tool-calls',
      usage: { inputTokens: 3, outputTokens: 5 },
    }),
    () => ({ type: 'model.failed', requestId, error: { kind: 'overloaded', message: 'busy' } }),
    () => ({ type: 'model.interrupted', requestId, reason: 'cut' }),
  ])()
}

function calling(open: ReturnType<typeof unansweredCalls>[number], state: SessionState, dice: Dice): Input {
  const callId = open.call.id
  const started = open.startedEpoch !== undefined
  const refused = open.permit !== undefined && open.permit.permit !== 'allow'
  const denied = open.permit?.permit === 'deny'
  const permits = ['allow', 'deny', 'ask'] as const
  const outcomes = started
    ? (['ok', 'failed', 'interrupted', 'unknown'] as const)
    : (['failed', 'denied', 'interrupted'] as const)
  const isBegun = (state.children ?? []).some(({ merged }) => merged === undefined)
  const ofChild = started && (isBegun || dice.pick([true, false])) ? child(state, dice) : undefined
  if (ofChild !== undefined) return ofChild
  const finished = (): Input => ({ type: 'tool.finished', callId, outcome: dice.pick(outcomes), text: text(dice) })
  if (started) return finished()
  return dice.pick<() => Input>([
    () => ({ type: 'call.examined', callId, effect: 'write', intent: [{ path: '/w/a', before: null, after: 'h' }] }),
    () => (denied ? finished() : { type: 'permission.decided', callId, permit: dice.pick(permits), by: 'policy' }),
    () => ({ type: 'question.asked', questionId: fresh('q', state), kind: 'permit', text: 'May it?', callId }),
    () => ({ type: 'hook.finished', hook: 'lint', on: 'pre_tool', decision: 'continue', callId, input: { path: 'b' } }),
    () => (refused ? finished() : { type: 'tool.started', callId }),
    finished,
  ])()
}

function context(state: SessionState, dice: Dice): Input | undefined {
  if (state.turn?.request?.status === 'asked') return undefined
  const window = state.messages.toArray()
  if (window.length === 0) return undefined
  const cut = cuts(window)
  const compacted = (firstKept: string | null): Input => ({
    type: 'context.compacted',
    messageId: fresh('sum', state),
    text: '[COMPACTED CONTEXT] and so on',
    method: 'local',
    firstKept,
    removed: 1,
    tokensBefore: 10,
    tokensAfter: 5,
  })
  const unanswered = unansweredCalls(state.turn).length > 0
  const summary = window.find(({ id }) => id === state.compaction?.messageId)
  return dice.pick<() => Input | undefined>([
    () => (cut.length > 0 ? compacted(dice.pick(cut).id) : undefined),
    () => (unanswered ? undefined : compacted(null)),
    () => ({ type: 'context.compaction_failed', method: 'model', reason: 'timeout' }),
    () => summary && { type: 'context.compaction_undone', messageId: summary.id, restored: [] },
  ])()
}

/** Messages before which the window can be cut without separating a call from its result. */
function cuts(window: readonly Message[]): Message[] {
  return window.filter(
    (message, index) => message.role !== 'tool' && callsOf(window[index - 1]?.content ?? []).length === 0,
  )
}

/** What is left when everything this version does not know is taken out. */
export function knownTypes(events: readonly StoredEvent[]): string[] {
  return [...new Set(events.filter(isSessionEvent).map(({ type }) => type))]
}

function place(number: number) {
  return { id: `place${number}`, root: `/work${number}`, machine: 'linux x64, node 26' }
}
