import { MemoryStore, Session, type SessionState } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { statusLine } from '../../src/interactive/status-line.ts'
import { widthOf } from '../../src/screen/width.ts'

const state = await workedState()

const facts = {
  state,
  model: 'ollama/qwen3:8b',
  permissionMode: 'workspace-write',
  thinking: 'high',
  window: 0.163,
  columns: 120,
}

test('it says where things stand', () => {
  expect(statusLine(facts)).toBe(
    'execute | window 16% | 12k tokens | ollama/qwen3:8b | thinking high | workspace-write',
  )
})

test('while a turn runs it says what goes on, and for how long', () => {
  const line = statusLine({ ...facts, elapsed: 72_400, doing: 'running bash' })
  expect(line).toBe(
    'execute | 1 min 12 s | running bash | window 16% | 12k tokens | ollama/qwen3:8b | thinking high | workspace-write',
  )
})

test.each([
  [100, 'execute | 5 s | running bash | window 16% | 12k tokens | ollama/qwen3:8b | thinking high'],
  [80, 'execute | 5 s | running bash | window 16% | 12k tokens | ollama/qwen3:8b'],
  [60, 'execute | 5 s | running bash | window 16% | 12k tokens'],
  [30, 'execute | 5 s | running bash'],
  [20, 'execute | 5 s | ru…'],
])('in %i columns what matters least is left out', (columns, line) => {
  expect(statusLine({ ...facts, elapsed: 5_999, doing: 'running bash', columns })).toBe(line)
})

test('before anything has happened it is ready', () => {
  const line = statusLine({
    state: null,
    model: 'scripted/model',
    permissionMode: 'prompt',
    thinking: 'auto',
    columns: 80,
  })
  expect(line).toBe('ready | scripted/model | thinking auto | prompt')
})

test('nothing in it can steer the terminal, and it never fills the last column', () => {
  for (const columns of [10, 40, 80, 200]) {
    const line = statusLine({
      ...facts,
      elapsed: 0,
      doing: 'checking \x1b[2J\n日本語 '.repeat(9),
      model: 'a\u202eb',
      columns,
    })
    expect(line).not.toMatch(/\p{C}/u)
    expect(widthOf(line)).toBeLessThan(columns)
  }
})

async function workedState(): Promise<SessionState> {
  await using session = await Session.open(new MemoryStore(), { environment: fixedEnvironment() })
  await session.append([
    { type: 'input.queued', inputId: 'in_1', text: 'Do it' },
    { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
    { type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId: 'req_1',
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: 'stop',
      usage: { inputTokens: 12_000, outputTokens: 345 },
    },
  ])
  return session.state
}
