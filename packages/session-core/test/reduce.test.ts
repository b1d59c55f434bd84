import { describe, expect, test } from 'vitest'
import {
  type EventInput,
  fold,
  LoaderError,
  type Message,
  type Phase,
  phaseTransitions,
  reduce,
  type SessionState,
  type StoredEvent,
  textOf,
  transition,
} from '../src/index.ts'
import { timeOf } from './random-history.ts'

/** The state after these inputs, each in its place behind the opening of the session. */
function after(...inputs: readonly EventInput[]): SessionState {
  return then(
    null,
    { type: 'session.opened', format: 1, id: 'ses' },
    { type: 'session.claimed', epoch: 1, owner },
    ...inputs,
  )
}

function then(from: SessionState | null, ...inputs: readonly EventInput[]): SessionState {
  const first = (from?.seq ?? 0) + 1
  return fold(
    inputs.map((input, index) => ({ ...input, seq: first + index, at: timeOf(first + index) }) as StoredEvent),
    from,
  ) as SessionState
}

const owner = { type: 'Agent', path: 'public-agent' }
const queued = (inputId = 'in'): EventInput => ({ type: 'input.queued', inputId, text: `words of ${inputId}` })
const started: EventInput = { type: 'turn.started', turnId: 'turn', inputId: 'in' }
const startedAgain: EventInput = { type: 'turn.started', turnId: 'turn2', inputId: 'in' }
const asked = (requestId = 'req', attempt = 1): EventInput => ({
  type: 'model.asked',
  requestId,
  purpose: 'answer',
  attempt,
})
const answered = (text: string, ...calls: string[]): EventInput => ({
  type: 'model.answered',
  requestId: 'req',
  content: [
    { type: 'text', text },
    ...calls.map((id) => ({ type: 'call' as const, call: { id, name: 'write', input: {} } })),
  ],
  finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
  usage: { inputTokens: 10, outputTokens: 2 },
})
const finished: EventInput = { type: 'turn.finished', turnId: 'turn', reason: 'turn_complete' }
const inTurn = (...inputs: readonly EventInput[]) => after(queued(), started, asked(), ...inputs)
const toolStarted = (callId: string): EventInput => ({ type: 'tool.started', callId })
const toolFinished = (callId: string, outcome: 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown'): EventInput => ({
  type: 'tool.finished',
  callId,
  outcome,
  text: outcome,
})
const decided = (kind: 'completion_continue' | 'completion_complete' | 'repair_retry' | 'route', id = 'entry') => ({
  type: 'workflow.decided' as const,
  entry: { id, kind, mode: 'execute' as const, reasonCode: 'why', summary: 'because' },
})

function refusal(state: SessionState, input: EventInput): string {
  const text = JSON.stringify(state)
  try {
    then(state, input)
  } catch (error) {
    expect(LoaderError.is(error, 'impossible_event')).toBe(true)
    expect(JSON.stringify(state)).toBe(text)
    return (error as LoaderError).message
  }
  throw new Error(`${input.type} was not refused.`)
}

const shown = (state: SessionState) =>
  state.messages.map((message: Message) => `${message.role}: ${textOf(message.content)}`)

describe('the order of events', () => {
  test('begins with the opening', () => {
    expect(() => reduce(null, { type: 'session.titled', seq: 1, at: timeOf(1), title: 'x', by: 'user' })).toThrow(
      'A session begins with session.opened, not with session.titled.',
    )
  })

  test.each([
    [2, 'It was recorded before'],
    [4, 'Events in between are missing'],
  ])('refuses seq %i after seq 2, and names both', (seq, why) => {
    const event = { type: 'session.titled', seq, at: timeOf(seq), title: 'x', by: 'user' } as const
    expect(() => reduce(after(), event)).toThrow(
      `session.titled has seq ${seq}, but seq 3 comes next after seq 2. ${why}`,
    )
  })

  test('opens a session once', () => {
    expect(refusal(after(), { type: 'session.opened', format: 1, id: 'ses' })).toContain(
      'session ses is open since seq 1',
    )
  })

  test('lets the epoch only grow', () => {
    expect(refusal(after(), { type: 'session.claimed', epoch: 1, owner })).toContain('epoch 1 is not above 1')
  })
})

describe('a turn', () => {
  test('is refused inside a turn, and the open one is named', () => {
    const state = after(queued(), queued('in2'), started)
    expect(refusal(state, { type: 'turn.started', turnId: 'turn2', inputId: 'in2' })).toContain('turn turn is open')
  })

  test('starts with an input that is queued', () => {
    expect(refusal(after(), started)).toContain('input in is not queued')
  })

  test('keeps its input outside the messages until the first request', () => {
    const pending = after(queued(), started)
    expect(pending.turn?.pending).toMatchObject({ inputId: 'in', text: 'words of in' })
    expect(shown(pending)).toEqual([])
    const state = then(pending, asked())
    expect(state.turn?.pending).toBeNull()
    expect(shown(state)).toEqual(['user: words of in'])
    expect(state.messages.at(0)?.id).toBe('in')
  })

  test('that ends before any request keeps the words of the user', () => {
    expect(shown(after(queued(), started, finished))).toEqual(['user: words of in'])
  })

  test('does not leak its counters into the next', () => {
    const state = inTurn(answered('', 'call'), toolFinished('call', 'failed'), finished, queued(), startedAgain)
    expect(state.turn?.spent).toMatchObject({ iterations: 0, toolErrors: 0, attempts: 0 })
    expect(state.lastTurn?.spent).toMatchObject({ iterations: 1, toolErrors: 1, attempts: 1 })
  })

  test('adds what it used to the session', () => {
    const state = inTurn(answered('Done'), finished, queued(), startedAgain, asked('req2'), {
      type: 'model.failed',
      requestId: 'req2',
      error: { kind: 'overloaded', message: 'busy' },
    })
    expect(state.lastTurn?.usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 2,
      requests: 1,
      iterations: 1,
      turns: 1,
    })
    expect(state.usage).toMatchObject({ inputTokens: 10, outputTokens: 2, requests: 2, turns: 1 })
  })

  test.each([
    [answered('', 'call'), 'call call (write) has no result yet'],
    [{ type: 'answer.progressed', requestId: 'req', text: 'a' } as EventInput, 'request req has no answer yet'],
  ])('cannot end while something is open (%#)', (input, why) => {
    expect(refusal(inTurn(input), finished)).toContain(why)
  })
})

describe('a request', () => {
  test('cannot be made while another is under way', () => {
    expect(refusal(inTurn(), asked('req2'))).toContain('request req has no answer yet')
  })

  test('cannot be made while a call has no result', () => {
    expect(refusal(inTurn(answered('', 'call')), asked('req2'))).toContain('call call (write) has no result yet')
  })

  test('is tried again only after it failed, as the next attempt', () => {
    const failed: EventInput = {
      type: 'model.failed',
      requestId: 'req',
      error: { kind: 'overloaded', message: 'busy' },
    }
    const state = inTurn(failed)
    expect(refusal(state, asked('req', 3))).toContain('request req was failed at attempt 1')
    expect(then(state, asked('req', 2)).turn).toMatchObject({
      request: { attempt: 2 },
      spent: { iterations: 1, attempts: 2 },
    })
    expect(refusal(inTurn(answered('Done')), asked('req', 2))).toContain('request req was answered at attempt 1')
    expect(refusal(state, asked('other', 2))).toContain('request other is new')
  })

  test('gets its answer from nobody else', () => {
    const other: EventInput = { type: 'model.answered', requestId: 'other', content: [], finishReason: 'stop' }
    expect(refusal(inTurn(), other)).toContain('request other is not under way; the last one is req (asked)')
  })

  test('that is interrupted keeps the text that was shown', () => {
    const state = inTurn(
      { type: 'answer.progressed', requestId: 'req', text: 'Half an ' },
      { type: 'answer.progressed', requestId: 'req', text: 'answer' },
      { type: 'model.interrupted', requestId: 'req', reason: 'cancelled' },
    )
    expect(shown(state)).toEqual(['user: words of in', 'assistant: Half an answer'])
    expect(state.messages.at(-1)).toMatchObject({ id: 'req', interrupted: true })
    expect(state.turn?.spent.crashes).toBe(0)
  })

  test('that fails keeps the text that was shown when the turn ends with it', () => {
    const state = inTurn(
      { type: 'answer.progressed', requestId: 'req', text: 'Half' },
      { type: 'model.failed', requestId: 'req', error: { kind: 'connection', message: 'gone' } },
      finished,
    )
    expect(shown(state)).toEqual(['user: words of in', 'assistant: Half'])
  })

  test('that the end of the process cut off is counted as a crash', () => {
    const state = inTurn(
      { type: 'session.claimed', epoch: 2, owner },
      { type: 'model.interrupted', requestId: 'req', reason: 'crashed' },
    )
    expect(state.turn?.spent.crashes).toBe(1)
  })

  test('with an empty answer leaves no empty message behind', () => {
    const state = inTurn(answered('  \n'))
    expect(shown(state)).toEqual(['user: words of in'])
    expect(state.turn?.request).toMatchObject({ status: 'answered', finishReason: 'stop', answer: [{ text: '  \n' }] })
  })

  test('for a brief leaves its text to the runtime, not to the conversation', () => {
    const ask: EventInput = { type: 'model.asked', requestId: 'req', purpose: 'brief', attempt: 1 }
    const state = after(queued(), started, ask, answered('# Brief'))
    expect(shown(state)).toEqual(['user: words of in'])
    expect(state.turn).toMatchObject({
      phase: 'prepare',
      request: { answer: [{ text: '# Brief' }] },
      spent: { iterations: 0 },
    })
  })
})

describe('a call', () => {
  test('has a result only if it was made, and only one', () => {
    const state = inTurn(answered('', 'call'))
    expect(refusal(state, toolFinished('other', 'failed'))).toContain('the last answer made no call other')
    const done = then(state, toolStarted('call'), toolFinished('call', 'ok'))
    expect(refusal(done, toolFinished('call', 'ok'))).toContain('call call was answered already (ok)')
  })

  test('never starts twice, not even in another epoch', () => {
    const state = inTurn(answered('', 'call'), toolStarted('call'), { type: 'session.claimed', epoch: 2, owner })
    expect(refusal(state, toolStarted('call'))).toContain('call call (write) started already, in epoch 1')
    expect(then(state, toolFinished('call', 'unknown')).messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ callId: 'call', outcome: 'unknown' }],
    })
  })

  test.each(['deny', 'ask'] as const)('does not start with the permission %s', (permit) => {
    const state = inTurn(answered('', 'call'), { type: 'permission.decided', callId: 'call', permit, by: 'policy' })
    expect(refusal(state, toolStarted('call'))).toContain(`the permission of call call is ${permit}`)
  })

  test('that never started is neither ok nor unknown, and one that started was not denied', () => {
    const state = inTurn(answered('', 'call'))
    expect(refusal(state, toolFinished('call', 'ok'))).toContain('call call never started')
    expect(refusal(state, toolFinished('call', 'unknown'))).toContain('call call never started')
    expect(refusal(then(state, toolStarted('call')), toolFinished('call', 'denied'))).toContain('so it was not denied')
  })

  test('has an id of its own', () => {
    expect(refusal(inTurn(), answered('', 'call', 'call'))).toContain('the id call stands for two things in it')
  })

  test('is remembered with the files that it wrote', () => {
    const examined: EventInput = {
      type: 'call.examined',
      callId: 'call',
      effect: 'write',
      paths: [{ path: '/w/hello.txt', inside: true }],
    }
    const state = inTurn(answered('', 'call'), examined, toolStarted('call'), toolFinished('call', 'ok'))
    expect(state.touchedFiles).toEqual(['/w/hello.txt'])
  })

  test('keeps the reach that it asked for apart from the one that it got', () => {
    const examined: EventInput = { type: 'call.examined', callId: 'call', effect: 'unknown', reach: 'network' }
    const permitted: EventInput = {
      type: 'permission.decided',
      callId: 'call',
      permit: 'allow',
      by: 'user',
      reach: 'work',
    }
    const walls = { kind: 'bubblewrap', guarantees: ['network-none'] }
    const started: EventInput = { type: 'tool.started', callId: 'call', walls }
    const state = inTurn(answered('', 'call'), examined, permitted, started)
    expect(state.turn?.calls[0]).toMatchObject({ examined: { reach: 'network' }, permit: { reach: 'work' } })
  })

  test('that was read out of text belongs to the message that hid it', () => {
    const recovered: EventInput = {
      type: 'calls.recovered',
      requestId: 'req',
      calls: [{ id: 'c', name: 'read', input: {} }],
    }
    const state = inTurn(answered('<tool_call>…'), recovered)
    expect(state.messages.at(-1)?.content.map(({ type }) => type)).toEqual(['text', 'call'])
    expect(state.turn?.phase).toBe('repair')
    expect(then(state, toolStarted('c'), toolFinished('c', 'ok')).turn?.phase).toBe('tools')
    expect(refusal(then(state, toolStarted('c'), toolFinished('c', 'ok')), recovered)).toContain('without calls')
  })
})

describe('steering', () => {
  test('joins between a result and the next request', () => {
    const state = inTurn(answered('', 'call'), queued('more'), toolFinished('call', 'denied'))
    const taken = then(state, { type: 'input.taken', inputId: 'more' })
    expect(taken.messages.at(-1)).toMatchObject({ id: 'more', origin: 'steering', role: 'user' })
    expect(taken.queue).toEqual([])
  })

  test('never comes between a call and its result, nor into a running request', () => {
    const open = inTurn(answered('', 'call'), queued('more'))
    expect(refusal(open, { type: 'input.taken', inputId: 'more' })).toContain('has no result yet')
    expect(refusal(inTurn(queued('more')), { type: 'input.taken', inputId: 'more' })).toContain('has no answer yet')
  })

  test('refuses an input that is already waiting', () => {
    expect(refusal(after(queued()), queued())).toContain('input in is already waiting')
    expect(refusal(after(queued(), started), queued())).toContain('input in is already waiting')
  })
})

describe('what may not come between', () => {
  test('a note waits behind the words of the user that are still pending', () => {
    const state = after(queued(), started, { ...decided('route'), note: 'Mind the plan.' }, asked())
    expect(shown(state)).toEqual(['user: words of in', 'user: Mind the plan.'])
    expect(state.turn?.notes).toEqual([])
    expect(shown(after(queued(), started, { ...decided('route'), note: 'Mind.' }, finished))).toHaveLength(2)
  })

  test('nothing is said to the model while it answers', () => {
    expect(refusal(inTurn(), { ...decided('route'), note: 'Too late.' })).toContain('request req has no answer yet')
    expect(refusal(inTurn(), { type: 'wait.started', until: timeOf(9), why: 'x' })).toContain('has no answer yet')
  })

  test('nobody answers a request of an earlier claim', () => {
    const state = inTurn({ type: 'session.claimed', epoch: 2, owner })
    expect(refusal(state, answered('From beyond'))).toContain('request req was made in epoch 1, and this is epoch 2')
  })

  test('a call that was denied, or is not valid, does not start after all', () => {
    const denied = inTurn(answered('', 'call'), {
      type: 'permission.decided',
      callId: 'call',
      permit: 'deny',
      by: 'policy',
    })
    const allow: EventInput = { type: 'permission.decided', callId: 'call', permit: 'allow', by: 'hook' }
    expect(refusal(denied, allow)).toContain('call call was denied')
    const invalid: EventInput = { type: 'call.examined', callId: 'call', effect: 'none', invalid: 'no path' }
    expect(refusal(inTurn(answered('', 'call'), invalid), toolStarted('call'))).toContain('call call is not valid')
  })

  test('a question or a hook is about a call that there is', () => {
    const question: EventInput = {
      type: 'question.asked',
      questionId: 'q',
      kind: 'permit',
      text: 'May it?',
      callId: 'x',
    }
    expect(refusal(inTurn(answered('', 'call')), question)).toContain('the last answer made no call x')
    const hook: EventInput = { type: 'hook.finished', hook: 'h', on: 'post_tool', decision: 'continue', callId: 'x' }
    expect(refusal(inTurn(answered('', 'call')), hook)).toContain('the last answer made no call x')
    const around: EventInput = { type: 'hook.finished', hook: 'h', on: 'session_start', decision: 'continue' }
    expect(after(around).turn).toBeNull()
  })

  test('a queued input can be taken back until a turn takes it', () => {
    expect(after(queued(), { type: 'input.withdrawn', inputId: 'in', by: 'user' }).queue).toEqual([])
    expect(refusal(after(queued(), started), { type: 'input.withdrawn', inputId: 'in', by: 'user' })).toContain(
      'is not queued',
    )
  })

  test('a turn has an id of its own', () => {
    expect(refusal(inTurn(answered('Done'), finished, queued()), started)).toContain('turn turn has ended')
  })

  test('a turn is answered by a message that there is', () => {
    expect(refusal(inTurn(answered('Done')), { ...finished, responseId: 'x' } as EventInput)).toContain(
      'message x is not',
    )
  })

  test('a check that the end of the process cut off is counted as a crash when it runs again', () => {
    const run = (runId: string): EventInput => ({ type: 'check.started', runId, checkId: 'tests', command: 'npm test' })
    const state = inTurn(run('one'), { type: 'session.claimed', epoch: 2, owner }, run('two'))
    expect(state.turn?.spent.crashes).toBe(1)
  })
})

describe('phases', () => {
  const phases = Object.keys(phaseTransitions).filter((phase): phase is Phase => phase !== 'idle')
  const pairs = [null, ...phases].flatMap((from) => phases.map((to) => [from, to] as const))
  const cause = { kind: 'normal', reasonCode: 'why', reason: 'Because' } as const

  test.each(pairs)('from %s to %s follow the table', (from, to) => {
    const allowed = phaseTransitions[from ?? 'idle'].includes(to)
    if (from === to) expect(transition(from, to, cause)).toBeUndefined()
    else if (allowed) expect(transition(from, to, cause)?.summary).toBe(`${from ?? 'start'} -> ${to} [normal] Because`)
    else expect(() => transition(from, to, cause)).toThrow(`from phase ${from ?? 'idle'} to phase ${to}`)
  })

  test('lead from the first request over calls and judgement to the end', () => {
    const seen = [
      queued(),
      started,
      asked(),
      answered('', 'call'),
      toolStarted('call'),
      toolFinished('call', 'ok'),
      asked('req2'),
      { type: 'model.answered', requestId: 'req2', content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' },
      decided('completion_complete'),
      finished,
    ] as const
    let state = after()
    const steps: string[] = []
    for (const input of seen) {
      const before = state.lastTransition
      state = then(state, input)
      if (state.lastTransition !== before) steps.push(state.lastTransition?.summary.split(' [')[0] ?? '')
    }
    expect(steps).toEqual([
      'start -> prepare',
      'prepare -> assistant',
      'assistant -> tools',
      'tools -> assistant',
      'assistant -> completion',
      'completion -> finalize',
    ])
    expect(state.lastTransition).toMatchObject({ kind: 'terminal', reasonCode: 'turn_complete' })
  })

  test('that are forbidden are refused by the name of both ends', () => {
    expect(refusal(after(queued(), started), decided('completion_complete'))).toContain(
      'from phase prepare to phase completion',
    )
  })
})

describe('the timeline', () => {
  test('takes mode and reasons from its latest entries', () => {
    const state = after(decided('route', 'one'), decided('completion_complete', 'two'))
    expect(state.timeline.map(({ id, seq }) => [id, seq])).toEqual([
      ['one', 3],
      ['two', 4],
    ])
    expect(state).toMatchObject({ route: { id: 'one' }, completion: { id: 'two' }, mode: 'execute' })
  })

  test('keeps its latest route however long it grows', () => {
    const many = Array.from({ length: 450 }, (_unused, index) => decided('repair_retry', `entry${index}`))
    const state = after(decided('route', 'first'), ...many)
    expect(state.timeline).toHaveLength(200)
    expect(state.timeline.at(0)?.id).toBe('entry250')
    expect(state.route?.id).toBe('first')
  })

  test('keeps a few of earlier turns, and all of the latest one', () => {
    const many = (of: string) =>
      Array.from({ length: 30 }, (_unused, index) => decided('repair_retry', `${of}${index}`))
    const state = after(queued(), started, ...many('one'), finished, queued('in2'), {
      ...started,
      turnId: 'turn2',
      inputId: 'in2',
    })
    expect(state.timeline.map(({ id }) => id)).toEqual(
      many('one')
        .slice(-24)
        .map(({ entry }) => entry.id),
    )
    expect(then(state, ...many('two')).timeline).toHaveLength(54)
  })

  test('can take an answer back and tell the model why, in one event', () => {
    const state = inTurn(answered('All done!'), {
      ...decided('completion_continue'),
      note: 'Not yet.',
      withdraws: 'req',
    })
    expect(shown(state)).toEqual(['user: words of in', 'user: Not yet.'])
    expect(state.messages.at(-1)).toMatchObject({ id: 'entry', origin: 'note' })
    expect(state.turn?.spent.nudges).toBe(1)
  })

  test('takes back nothing that would leave a result without its call', () => {
    const state = inTurn(answered('I write.', 'call'), toolFinished('call', 'denied'))
    expect(refusal(state, { ...decided('completion_continue'), withdraws: 'req' })).toContain(
      'message req is not an answer',
    )
  })
})

describe('compaction', () => {
  const compacted = (firstKept: string | null, alsoKept?: string[]): EventInput => ({
    type: 'context.compacted',
    messageId: 'sum',
    text: '[COMPACTED CONTEXT] so far',
    method: 'local',
    firstKept,
    alsoKept,
    removed: 1,
    tokensBefore: 100,
    tokensAfter: 10,
  })
  const withCall = inTurn(answered('', 'call'), toolStarted('call'), toolFinished('call', 'ok'))

  test('puts the summary first and keeps the rest', () => {
    const state = then(withCall, compacted('req'))
    expect(state.messages.map(({ id }) => id)).toEqual(['sum', 'req', 'call'])
    expect(state.compaction).toMatchObject({ count: 1, removed: 1, tokensAfter: 10 })
  })

  test('can keep an earlier message as well', () => {
    const state = then(withCall, asked('req2'), { type: 'model.interrupted', requestId: 'req2', reason: 'cut' })
    expect(then(state, compacted(null, ['in'])).messages.map(({ id }) => id)).toEqual(['sum', 'in'])
  })

  test('never separates a call from its result', () => {
    expect(refusal(withCall, compacted('call'))).toContain('answers call call, which is not waiting for one')
    const open = inTurn(answered('', 'call'))
    expect(then(open, compacted('req')).messages.map(({ id }) => id)).toEqual(['sum', 'req'])
    expect(refusal(open, compacted(null))).toContain('call call waits for its result, but is not among the last calls')
  })

  test('that names a message outside the window is refused', () => {
    expect(refusal(withCall, compacted('nowhere'))).toContain('message nowhere is not in the window')
  })

  test('can be undone', () => {
    const state = then(withCall, compacted('req'), {
      type: 'context.compaction_undone',
      messageId: 'sum',
      restored: withCall.messages.slice(0, 1),
    })
    expect(state.messages.toArray()).toEqual(withCall.messages.toArray())
  })
})

describe('what does not come from a turn', () => {
  test('an import adds messages with their pairs, never half of one', () => {
    const call = { type: 'call' as const, call: { id: 'c', name: 'read', input: {} } }
    const message: Message = { id: 'm', role: 'assistant', origin: 'import', content: [call], at: timeOf(1) }
    const imported: EventInput = { type: 'session.imported', source: { kind: 'other' }, messages: [message] }
    expect(refusal(after(), imported)).toContain('call c has no result')
    expect(refusal(after(queued(), started), imported)).toContain('turn turn is open')
  })

  test('a fork has its own id and its own usage', () => {
    const state = inTurn(answered('Done'), finished)
    const forked = then(state, { type: 'session.forked', id: 'fork', from: { id: 'ses', seq: state.seq } })
    expect(forked).toMatchObject({
      id: 'fork',
      forkedFrom: { id: 'ses', seq: state.seq },
      usage: { inputTokens: 0, turns: 0 },
    })
    expect(shown(forked)).toEqual(shown(state))
    const wrong: EventInput = { type: 'session.forked', id: 'fork', from: { id: 'ses', seq: 2 } }
    expect(refusal(state, wrong)).toContain(`it forks at seq 2, but ${state.seq} events were copied`)
  })

  test('a copy goes on from the state that it brings, also from one of the version before', () => {
    const { used: _used, ...saved } = JSON.parse(JSON.stringify(inTurn(answered('Done'), finished)))
    const copy = (stateVersion: number) => {
      const { seq } = after()
      const state = { ...saved, seq, stateVersion }
      return then(after(), { type: 'session.forked', id: 'copy', from: { id: 'ses', seq }, state })
    }
    for (const version of [5, 6, 7]) expect(shown(copy(version))).toEqual(['user: words of in', 'assistant: Done'])
    for (const version of [4, 8]) expect(shown(copy(version))).toEqual([])
  })

  test('rewinding cuts the window and puts back what it is given', () => {
    const state = inTurn(answered('Done'), finished)
    const rewound = then(state, { type: 'session.rewound', toSeq: 2, through: null, task: null, mode: 'plan' })
    expect(rewound).toMatchObject({ task: null, mode: 'plan' })
    expect(shown(rewound)).toEqual([])
    const restored = state.messages.toArray()
    expect(shown(then(rewound, { type: 'session.rewound', toSeq: 7, through: null, restored }))).toEqual(shown(state))
    expect(refusal(state, { type: 'session.rewound', toSeq: 99, through: null })).toContain('seq 99 is not in the past')
  })

  test('a rule that is added while the session is open counts', () => {
    const policy: EventInput = {
      type: 'policy.applied',
      permission: {
        mode: 'workspace-write',
        promptingEnabled: false,
        ruleCounts: { allow: 1, deny: 0, ask: 0 },
        rules: [{ permit: 'allow', tool: 'read' }],
        rulesSource: '.loader/permission-rules.json',
      },
      limits: {},
      audience: 'user',
    }
    const rule: EventInput = {
      type: 'permission.rule_added',
      rule: { permit: 'ask', tool: 'bash' },
      scope: 'session',
      by: 'user',
    }
    expect(refusal(after(), rule)).toContain('no policy was applied yet')
    expect(after(policy, rule).policy?.permission).toMatchObject({
      promptingEnabled: true,
      ruleCounts: { allow: 1, deny: 0, ask: 1 },
      rules: [{ tool: 'read' }, { tool: 'bash' }],
    })
  })

  const runOf = (checkId: string, runId: string, outcome: 'passed' | 'failed', baseline?: true): EventInput[] => [
    { type: 'check.started', runId, checkId, command: 'npm test', baseline },
    {
      type: 'check.finished',
      evidence: {
        checkId,
        runId,
        criterionIds: ['works'],
        command: 'npm test',
        outcome,
        exitCode: outcome === 'passed' ? 0 : 1,
        output: '',
        startedAt: timeOf(1),
        finishedAt: timeOf(2),
        fingerprintBefore: 'a',
        fingerprintAfter: 'a',
        baseline,
      },
    },
  ]

  test('evidence is the latest of each check, and a baseline is kept beside it', () => {
    const run = (runId: string, outcome: 'passed' | 'failed', baseline?: true) =>
      runOf('tests', runId, outcome, baseline)
    const state = after(...run('base', 'failed', true), ...run('one', 'failed'), ...run('two', 'passed'))
    expect(state.evidence.map(({ runId, outcome }) => [runId, outcome])).toEqual([
      ['base', 'failed'],
      ['two', 'passed'],
    ])
    const [, alone] = run('three', 'passed')
    expect(refusal(state, alone as EventInput)).toContain('run three of check tests did not start')
  })

  test('of checks of earlier tasks the latest evidence is kept, and of those of the goal all', () => {
    const goal = (checkIds: readonly string[]): EventInput => {
      const checks = checkIds.map((id) => ({ id, command: 'npm test', kind: 'test' as const, source: 'user' as const }))
      return {
        type: 'goal.defined',
        goal: { id: 'goal', task: 'Do it', criteria: [], checks, size: 'small', retryBudget: 3 },
      }
    }
    const named = (from: string, count: number) => Array.from({ length: count }, (_unused, index) => `${from}${index}`)
    const ran = (checkId: string) => runOf(checkId, `run of ${checkId}`, 'passed')
    const tasks = named('task', 60).flatMap((id) => [goal([id]), ...ran(id)])
    const long = after(...tasks)
    expect(long.evidence.map(({ checkId }) => checkId)).toEqual(named('task', 60).slice(-25))
    const many = then(long, goal(named('of the goal', 40)), ...named('of the goal', 40).flatMap(ran))
    expect(many.evidence.map(({ checkId }) => checkId)).toEqual([
      ...named('task', 60).slice(-24),
      ...named('of the goal', 40),
    ])
  })

  test('a prompt is remembered with what it was made for, and only the newest with its text', () => {
    const prompt = (text: string): EventInput => ({ type: 'prompt.rendered', format: 'native', sections: [], text })
    const many = Array.from({ length: 20 }, (_unused, index) => prompt(`prompt ${index}`))
    const { prompts } = after(decided('route'), ...many)
    expect(prompts).toHaveLength(16)
    expect(prompts.map(({ text }) => text).filter((text) => text !== undefined)).toEqual(['prompt 19'])
    expect(prompts.at(-1)).toMatchObject({ workflowMode: 'execute', permissionMode: null, task: null })
  })
})
