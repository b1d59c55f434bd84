import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { UsageOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

test('usage is told turn by turn, by model, and in all', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [...exchange(1, 'First words', 'One'), ...exchange(2, 'Second words', 'Two')])
  const { out } = await loader(['usage'], { folder: workspace.root })
  expect(out).toMatch(/TURN +ASKED +CALLS +IN +CACHED +OUT +TOOK\n1 First words +1 +0 +100 +0 +20 +3 s\n2 Second words/)
  expect(out).toMatch(/\nall +2 +0 +200 +0 +40\n/)
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
