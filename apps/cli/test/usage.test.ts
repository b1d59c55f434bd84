import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { noTotals } from '@loader/session-core'
import { UsageOutput } from '@loader/readings'
import { widthOf } from '../src/screen/width.ts'
import { usageTable } from '../src/tables/usage-table.ts'
import { loader } from './written/fake-console.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

test('usage is told turn by turn, by model, and in all', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [...exchange(1, 'First words', 'One'), ...exchange(2, 'Second words', 'Two')])
  const { out } = await loader(['usage'], { folder: workspace.root })
  expect(out).toMatch(
    /TURN +ASKED +CALLS +IN +CACHED +OUT +THOUGHT +COST +TOOK\n1 First words +1 +0 +100 +0% +20 +0 +\? +3 s\n2 Second/,
  )
  expect(out).toMatch(/\nall +2 +0 +200 +0% +40 +0 +\?\n/)
  const json = await loader(['usage', '--json'], { folder: workspace.root })
  const { turns, total, models } = UsageOutput.parse(JSON.parse(json.out))
  expect(turns.map(({ input, reason }) => [input, reason])).toEqual([
    ['First words', 'turn_complete'],
    ['Second words', 'turn_complete'],
  ])
  expect(total).toMatchObject({ inputTokens: 200, outputTokens: 40, requests: 2, turns: 2 })
  expect(models).toMatchObject([{ model: 'test/model', usage: { requests: 2, inputTokens: 200 } }])
})

test('a turn that is under way stands last', async () => {
  await using workspace = await temporaryWorkspace()
  await using session = await openSession(workspace.root)
  await session.append([...exchange(1, 'First', 'One'), ...exchange(2, 'Second', 'Two').slice(0, 4)])
  const { out } = await loader(['usage'], { folder: workspace.root })
  expect(out).toMatch(/\n2 \(under way\) Second +1/)
})

test('agents have rows of their own, and what is not known is in no sum', async () => {
  await using workspace = await temporaryWorkspace()
  await using session = await openSession(workspace.root)
  const [queued, started, asked] = exchange(1, 'Split it', '')
  const grant = { mode: 'read-only', within: 'look', tools: ['read'], turns: 9 } as const
  const calls = ['a', 'b'].map((name) => ({ type: 'call' as const, call: { id: name, name: 'agent', input: {} } }))
  await session.append([
    ...[queued, started, asked].flatMap((event) => event ?? []),
    { type: 'model.answered', requestId: 'req_1', content: calls, finishReason: 'tool-calls', cost },
    ...['a', 'b'].map((callId) => ({ type: 'tool.started', callId }) as const),
    ...['a', 'b'].map((name) => {
      const of = { childId: `ses_${name}`, callId: name, title: `Part ${name}`, task: name }
      return { type: 'child.assigned', ...of, depth: 1, place: 'look', grant } as const
    }),
    { type: 'child.finished', childId: 'ses_a', outcome: 'ok', usage: ofAgent, text: '' },
  ])
  const { out } = await loader(['usage'], { folder: workspace.root })
  const rows = out.split('\n').map((row) => row.trim().replaceAll(/\s+/g, ' '))
  const known = (name: string) => rows.find((row) => row.startsWith(name))
  expect(known('itself')).toMatch(/ \$0\.0100$/)
  expect(known('agent Part a')).toMatch(/^agent Part a 2 0 900 0% 100 0 \$0\.0250$/)
  expect(known('agent Part b')).toBe('agent Part b ? ? ? ? ? ?')
  expect(known('all')).toMatch(/^all that is known 3 .* ≥ \$0\.0350$/)
})

test('where there is little room, names keep 24 columns, and costs stay', () => {
  const names = ['one', 'two'].map((name) => `Look for what breaks in package ${name}`)
  const turns = names.map((input) => ({
    turnId: 't',
    input,
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:00:03.000Z',
    reason: 'turn_complete',
    usage: ofAgent,
  }))
  const output = { session: { id: 's', title: 'S', seq: 1 }, turns, models: [], total: ofAgent }
  const at = (width: number) => usageTable(output, { width, paint: (_style, text) => text })
  expect(at(120)[0]).toMatch(/ASKED +CALLS +IN +CACHED +OUT +THOUGHT +COST +TOOK$/)
  expect(at(76)[0]).toMatch(/^TURN +ASKED +CALLS +IN +CACHED +OUT +COST +TOOK$/)
  expect(at(60)[0]).toMatch(/^TURN +ASKED +IN +OUT +COST +TOOK$/)
  const short = { ...output, turns: turns.map((turn) => ({ ...turn, input: 'Try it' })) }
  for (const width of [40, 50, 60, 76, 120]) {
    const ofShort = usageTable(short, { width, paint: (_style, text) => text })
    expect(ofShort.filter((row) => widthOf(row) > width)).toEqual([])
    expect(ofShort[1]).toMatch(/^1 Try it .*\$0\.0250/)
  }
  for (const width of [40, 60, 76, 120]) {
    expect(at(width).filter((row) => widthOf(row) > width)).toEqual([])
    expect(at(width)[1]).toMatch(/^1 Look for what.*\$0\.0250/)
  }
})

const cost = { kind: 'priced', amount: 0.01, currency: 'USD', source: 'test' } as const
const ofAgent = { ...noTotals, requests: 2, inputTokens: 900, outputTokens: 100, cost: { usd: 0.025, known: 2 } }
