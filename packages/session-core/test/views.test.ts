import { describe, expect, test } from 'vitest'
import {
  customRecords,
  type EventInput,
  MemoryStore,
  promptHistory,
  readSession,
  Session,
  stateAt,
  summarize,
  textOf,
  transcript,
  turns,
  turnSummary,
} from '../src/index.ts'
import { fixedEnvironment } from './fixed-environment.ts'

/** A turn in which the model answers with this text. */
function turn(name: string, answer: string): EventInput[] {
  return [
    { type: 'input.queued', inputId: `in ${name}`, text: `ask ${name}` },
    { type: 'turn.started', turnId: `turn ${name}`, inputId: `in ${name}` },
    { type: 'model.asked', requestId: `req ${name}`, purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId: `req ${name}`,
      content: [{ type: 'text', text: answer }],
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 4 },
    },
    {
      type: 'turn.finished',
      turnId: `turn ${name}`,
      reason: 'turn_complete',
      responseId: `req ${name}`,
      verdict: 'unverified',
    },
  ]
}

const compacted: EventInput = {
  type: 'context.compacted',
  messageId: 'sum',
  text: '[COMPACTED CONTEXT] one was asked',
  method: 'local',
  firstKept: 'in two',
  removed: 2,
  tokensBefore: 100,
  tokensAfter: 20,
}

async function recorded(...inputs: readonly EventInput[]) {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment: fixedEnvironment() })
  await session.append(inputs)
  await session.close()
  return readSession(store, session.id)
}

describe('the transcript', () => {
  test('has every message, also those that have left the window, and says where they stand', async () => {
    const { history } = await recorded(...turn('one', 'first'), ...turn('two', 'second'), compacted, {
      type: 'session.rewound',
      toSeq: 3,
      through: 'in two',
    })
    expect(transcript(history).map(({ message, standing }) => [textOf(message.content), standing])).toEqual([
      ['ask one', 'folded'],
      ['first', 'folded'],
      ['ask two', 'live'],
      ['second', 'rewound'],
      ['[COMPACTED CONTEXT] one was asked', 'live'],
    ])
  })

  test('shows an answer that did not stand as withdrawn, and one that was mended as it became', async () => {
    const [queued, started, asked, answered] = turn('one', 'Done!') as [EventInput, EventInput, EventInput, EventInput]
    const entry = {
      id: 'entry',
      kind: 'completion_continue',
      mode: 'execute',
      reasonCode: 'no',
      summary: 'not yet',
    } as const
    const decided: EventInput = { type: 'workflow.decided', entry, note: 'Show it.', withdraws: 'req one' }
    const { history } = await recorded(queued, started, asked, answered, decided)
    expect(transcript(history).map(({ message, standing }) => [message.id, standing])).toEqual([
      ['in one', 'live'],
      ['req one', 'withdrawn'],
      ['entry', 'live'],
    ])
    const recovered: EventInput = {
      type: 'calls.recovered',
      requestId: 'req one',
      calls: [{ id: 'c', name: 'read', input: {} }],
    }
    const mended = await recorded(queued, started, asked, answered, recovered)
    const [, line] = transcript(mended.history)
    expect(line?.message.content.map(({ type }) => type)).toEqual(['text', 'call'])
    expect(line?.seq).toBe(6)
  })
})

describe('usage', () => {
  test('is there per turn and in total', async () => {
    const { history, state } = await recorded(...turn('one', 'first'), ...turn('two', 'second'))
    expect(turns(history).map(({ id, usage }) => [id, usage.inputTokens, usage.outputTokens])).toEqual([
      ['turn one', 10, 4],
      ['turn two', 10, 4],
    ])
    expect(state.usage).toMatchObject({ inputTokens: 20, outputTokens: 8, turns: 2, iterations: 2 })
  })
})

describe('the summary of the last turn', () => {
  test('is there after a restart', async () => {
    const { state } = await recorded(...turn('one', 'The answer.'))
    expect(turnSummary(state)).toMatchObject({
      turnId: 'turn one',
      response: 'The answer.',
      reason: 'turn_complete',
      verdict: 'unverified',
      usage: { inputTokens: 10, outputTokens: 4, turns: 1 },
      cumulativeUsage: { inputTokens: 10, turns: 1 },
    })
  })

  test('is null before the first turn has ended', async () => {
    const { state } = await recorded()
    expect(turnSummary(state)).toBeNull()
  })
})

describe('the row of a session', () => {
  test('says what a list shows', async () => {
    const { state } = await recorded(...turn('one', 'The answer.'), {
      type: 'input.queued',
      inputId: 'next',
      text: 'more',
    })
    expect(summarize(state)).toMatchObject({
      title: 'ask one',
      status: 'resting',
      turns: 1,
      messages: 2,
      inputTokens: 10,
      verdict: 'unverified',
      lastReason: 'turn_complete',
      lastExcerpt: 'The answer.',
      pendingInputs: 1,
    })
  })
})

describe('the state at an event', () => {
  test('is what it was then', async () => {
    const { history } = await recorded(...turn('one', 'first'), ...turn('two', 'second'))
    expect(stateAt(history, 4)).toMatchObject({ seq: 4, turn: { id: 'turn one', pending: { inputId: 'in one' } } })
    expect(stateAt(history, 0)).toBeNull()
  })
})

describe('the prompt history', () => {
  test('has every prompt with its text and what it was made for', async () => {
    const rendered = (text: string): EventInput => ({ type: 'prompt.rendered', format: 'native', sections: [], text })
    const routed = (mode: 'plan' | 'execute'): EventInput => ({
      type: 'workflow.decided',
      entry: { id: `to ${mode}`, kind: 'route', mode, reasonCode: 'r', summary: 's' },
    })
    const { history } = await recorded(routed('plan'), rendered('plan it'), routed('execute'), rendered('do it'))
    expect(promptHistory(history).map(({ workflowMode, text }) => [workflowMode, text])).toEqual([
      ['plan', 'plan it'],
      ['execute', 'do it'],
    ])
  })
})

describe('facts of other programs', () => {
  test('come back by name, in order', async () => {
    const mine = (data: number): EventInput => ({ type: 'custom.recorded', name: 'mine', data })
    const { history } = await recorded(mine(1), { type: 'custom.recorded', name: 'theirs', data: 2 }, mine(3))
    expect(customRecords(history, 'mine').map(({ data }) => data)).toEqual([1, 3])
  })
})
