import { call, line } from '@loader/test-harness'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventsOf, faultsIn } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'
import { Stage } from './stage/stage.ts'

const files = { 'a.txt': 'Hello\n' }
const read = line('I read it.', call('read', { file_path: 'a.txt' }))
const limited = (retryAfterMs: number) => ({ fault: { type: 'throw', kind: 'rate_limited', retryAfterMs } }) as const

describe.each(sample(protocols, { quick: 2 }))('over %s', (protocol) => {
  test('a rate limit is waited for as long as the server says, and the request comes again as it was', async () => {
    const lines = [read, limited(30_000), line('It says Hello.')]
    await using scene = await Scene.set({ protocol, files, lines })
    const { reason } = await scene.agent.run('What does a.txt say?')
    scene.server.assertDone()
    expect(reason).toBe('turn_complete')
    const { recording } = await scene.session()
    const [failed] = eventsOf(recording, 'model.failed')
    const [wait] = eventsOf(recording, 'wait.started')
    const again = eventsOf(recording, 'model.asked').at(-1)
    expect(failed?.error).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 30_000 })
    expect(Date.parse(wait?.until ?? '') - Date.parse(failed?.at ?? '')).toBe(30_000)
    expect(again).toMatchObject({ requestId: failed?.requestId, attempt: 2 })
    expect(Date.parse(again?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(wait?.until ?? ''))
    const [, second, third] = scene.server.requests
    expect(third?.body).toEqual(second?.body)
  })

  test('a server that stays overloaded is asked a few times, ever more rarely, and the next turn goes on', async () => {
    const overloaded = { fault: { type: 'throw', kind: 'overloaded' }, repeat: 5 } as const
    const lines = [overloaded, line('It says Hello.')]
    await using scene = await Scene.set({ protocol, files, lines })
    const { reason, verdict } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('retry_budget_exhausted')
    expect(verdict).not.toBe('verified')
    const { recording } = await scene.session()
    const waits = eventsOf(recording, 'wait.started').map(({ at, until }) => Date.parse(until) - Date.parse(at))
    expect(waits).toHaveLength(4)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    await scene.agent.run('Try again: what does a.txt say?')
    scene.server.assertDone()
    const said = scene.asked
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ text }) => text)
    expect(said?.join('\n').match(/What does a.txt say\?/g)).toHaveLength(1)
  })
})

const everywhere = sample(protocols, { quick: 1 })

test.runIf(fromCi).concurrent.each(everywhere)('over %s a rate limit outlives the process', async (protocol) => {
  const lines = [limited(1500), read, line('It says Hello.')]
  const job = { protocol, task: 'What does a.txt say?' }
  await using stage = await Stage.set({ lines, order: 'requests' }, { files: { 'project/a.txt': 'Hello\n' } })
  const killed = await stage.live({ ...job, killAt: { at: 'event', type: 'wait.started', count: 1 } })
  expect(killed.signal).toBe('SIGKILL')
  expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
  expect(await faultsIn(stage)).toEqual([])
  const { recording } = await stage.session()
  const [wait, ...more] = eventsOf(recording, 'wait.started')
  const [first, second] = eventsOf(recording, 'model.asked')
  expect(more).toEqual([])
  expect(second).toMatchObject({ requestId: first?.requestId, attempt: 2 })
  expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(wait?.until ?? ''))
  expect(stage.server.requests).toHaveLength(3)
})
