import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { StatusOutput } from '@loader/readings'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

test('status of a project without sessions has what the next run would use', async () => {
  await using workspace = await temporaryWorkspace()
  await mkdir(workspace.path('config'))
  writeFileSync(
    workspace.path('config', 'settings.json'),
    JSON.stringify({ model: 'ollama/qwen3:8b', permissionMode: 'prompt' }),
  )
  const { out, code } = await loader(['status', '--json'], { folder: workspace.root })
  expect(code).toBe(0)
  expect(StatusOutput.parse(JSON.parse(out))).toEqual({
    project: workspace.root,
    trusted: false,
    model: 'ollama/qwen3:8b',
    permissionMode: 'prompt',
    sessions: 0,
    damaged: [],
    session: null,
  })
  const text = await loader(['status'], { folder: workspace.root })
  expect(text.out).toMatch(/model +ollama\/qwen3:8b\n/)
  expect(text.out).toMatch(/sessions +none yet\n/)
})

test('status has the policy, the last turn and the changed files of the latest session', async () => {
  await using workspace = await temporaryWorkspace()
  await workedSession(workspace)
  const { out } = await loader(['status'], { folder: workspace.root })
  expect(out).toMatch(/used model +scripted\/model\n/)
  expect(out).toMatch(/policy +allow; rules: 0 allow, 0 ask, 0 deny; it ran non-interactively\n/)
  expect(out).toMatch(/last turn +turn_complete, verified, /)
  expect(out).toMatch(/changed +hello\.txt\n/)
})

test('status has the open turn, who works on it, and what waits', async () => {
  await using workspace = await temporaryWorkspace()
  await using session = await openSession(workspace.root)
  await session.append([
    ...exchange(1, 'Do something', '').slice(0, 3),
    { type: 'input.queued', inputId: 'in_9', text: 'And this' },
  ])
  await session.save()
  const { out } = await loader(['status', '--json'], { folder: workspace.root })
  expect(StatusOutput.parse(JSON.parse(out)).session).toMatchObject({
    openTurn: { phase: 'assistant', input: 'Do something', openCalls: [] },
    queue: ['And this'],
    writer: expect.stringContaining('held by'),
  })
})

test('status passes over a damaged session, and names it', async () => {
  await using workspace = await temporaryWorkspace()
  const good = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Good')
  const bad = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Bad')
  damage(workspace.root, bad, 'session.opened')
  const { out } = await loader(['status', '--json'], { folder: workspace.root })
  expect(StatusOutput.parse(JSON.parse(out))).toMatchObject({ damaged: [bad], session: { id: good } })
})
