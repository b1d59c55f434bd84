import type { AgentEvent } from '@loader/agent'
import { isCostKnown } from '@loader/session-core'
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
    const { history } = await scene.session()
    const [failed] = eventsOf(history, 'model.failed')
    const [wait] = eventsOf(history, 'wait.started')
    const again = eventsOf(history, 'model.asked').at(-1)
    expect(failed?.error).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 30_000 })
    expect(Date.parse(wait?.until ?? '') - Date.parse(failed?.at ?? '')).toBe(30_000)
    expect(again).toMatchObject({ requestId: failed?.requestId, attempt: 2 })
    expect(Date.parse(again?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(wait?.until ?? ''))
    const [, second, third] = scene.server.requests
    expect(third?.body).toEqual(second?.body)
  })

  test('a server that stays overloaded is asked ever more rarely, and the next turn goes on', async () => {
    const overloaded = { fault: { type: 'throw', kind: 'overloaded' }, repeat: 6 } as const
    const lines = [overloaded, line('It says Hello.')]
    await using scene = await Scene.set({ protocol, files, lines, config: { limits: { maxWaitMs: 31_200 } } })
    const { reason, verdict, summary } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('wait_budget_exhausted')
    expect(summary).toMatch(/cannot answer now \(overloaded\)[^]*waits 32 s at most[^]*-m <provider\/id>/)
    expect(verdict).not.toBe('verified')
    const { history } = await scene.session()
    const waits = eventsOf(history, 'wait.started').map(({ ms = 0 }) => ms)
    expect(waits).toHaveLength(5)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    await scene.agent.run('Try again: what does a.txt say?')
    scene.server.assertDone()
    const said = scene.asked
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ text }) => text)
    expect(said?.join('\n').match(/What does a.txt say\?/g)).toHaveLength(1)
  })

  test('an overload of two minutes is waited for, and says all the while what is going on', async () => {
    const busy = (status: number, retryAfterMs?: number) =>
      ({
        fault: {
          type: 'throw',
          kind: status === 429 ? 'rate_limited' : 'overloaded',
          status,
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        },
      }) as const
    const lines = [
      read,
      busy(429, 20_000),
      busy(529),
      busy(503, 45_000),
      { text: 'It sa', chunks: ['It', ' sa'], fault: { type: 'cut', after: 1 } } as const,
      busy(529, 60_000),
      line('It says Hello.'),
    ]
    await using scene = await Scene.set({ protocol, files, lines })
    const told: string[] = []
    const onEvent = (event: AgentEvent) => void (event.type === 'delta.status' && told.push(event.message))
    const result = await scene.agent.run('What does a.txt say?', { onEvent })
    scene.server.assertDone()
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'It says Hello.' })
    const { history } = await scene.session()
    const waits = eventsOf(history, 'wait.started')
    expect(waits.reduce((sum, { ms = 0 }) => sum + ms, 0)).toBeGreaterThan(120_000)
    expect(told.filter((words) => words.startsWith('Waiting'))).toHaveLength(waits.length)
    // No request went out that is not recorded.
    expect(scene.server.requests.filter(({ request }) => request !== undefined)).toHaveLength(
      eventsOf(history, 'model.asked').length,
    )
  })

  test('a server that asks to wait for hours is not waited for', async () => {
    const lines = [limited(5 * 3_600_000), line('It says Hello.')]
    await using scene = await Scene.set({ protocol, files, lines })
    const { reason, summary } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('wait_budget_exhausted')
    expect(summary).toContain('The next attempt would be in 5 h')
    expect(eventsOf((await scene.session()).history, 'wait.started')).toEqual([])
    expect(await scene.agent.run('Again: what does a.txt say?')).toMatchObject({ reason: 'turn_complete' })
  })

  test('a server that says again and again that it is ready at once is not asked without end', async () => {
    const lines = [{ ...limited(0), repeat: 8 }, line('It says Hello.')]
    await using scene = await Scene.set({ protocol, files, lines })
    expect(await scene.agent.run('What does a.txt say?')).toMatchObject({ reason: 'turn_complete' })
    const { history } = await scene.session()
    expect(eventsOf(history, 'wait.started').at(-1)?.ms).toBeGreaterThan(30_000)
  })

  test('another model takes over for the turn, and the next turn begins with the first again', async () => {
    const fallback = protocol === 'anthropic' ? 'openai' : 'anthropic'
    const lines = [
      read,
      { ...limited(20_000), repeat: 2 },
      line('Let me look again.', call('read', { file_path: 'a.txt' })),
      line('It says Hello.'),
      line('You are welcome.'),
    ]
    await using scene = await Scene.set({ protocol, fallback, files, lines })
    expect(await scene.agent.run('What does a.txt say?')).toMatchObject({ response: 'It says Hello.' })
    expect(await scene.agent.run('Thanks!')).toMatchObject({ response: 'You are welcome.' })
    scene.server.assertDone()
    const { history } = await scene.session()
    const [first, ...models] = eventsOf(history, 'model.asked').map(({ model }) => model)
    const other = `${fallback}/scripted`
    expect(models).toEqual([first, first, other, other, first])
    const [decided] = eventsOf(history, 'workflow.decided').filter(({ entry }) => entry.reasonCode === 'fallback_model')
    expect(decided).toMatchObject({ model: other, entry: { kind: 'repair_retry' } })
    expect(decided?.entry.evidenceSummary?.join()).toMatch(/rate_limited[^]*waited 20 s; the next wait would be 20 s/)
    expect(eventsOf(history, 'policy.applied').map(({ model }) => model?.model)).toEqual([first, other, first])
  })

  test('what the session costs stays within its budget', async () => {
    const usage = { inputTokens: 3000, outputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0 }
    const lines = Array.from({ length: 40 }, () => ({ ...read, usage }))
    const price = { input: 3, output: 15 }
    const usd = 0.15
    const config = { budget: { usd }, limits: { maxOutputTokens: 1500 } }
    await using scene = await Scene.set({ protocol, files, lines, price, config })
    const { reason } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('cost_budget_exhausted')
    const { state } = await scene.session()
    expect(isCostKnown(state.usage)).toBe(true)
    const { inputTokens, outputTokens, cost } = state.usage
    expect(cost?.usd).toBeCloseTo((inputTokens * 3 + outputTokens * 15) / 1_000_000, 6)
    expect(cost?.usd).toBeLessThanOrEqual(usd)
    expect(cost?.usd).toBeGreaterThan(usd / 3)
    for (const request of scene.asked) expect(request.maxOutputTokens).toBeLessThanOrEqual(1500)
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
  const { history } = await stage.session()
  const [wait, ...more] = eventsOf(history, 'wait.started')
  const [first, second] = eventsOf(history, 'model.asked')
  expect(more).toEqual([])
  expect(second).toMatchObject({ requestId: first?.requestId, attempt: 2 })
  expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(wait?.until ?? ''))
  expect(stage.server.requests).toHaveLength(3)
})
