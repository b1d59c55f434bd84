import { MemoryStore, noTotals, Session, type SessionStore } from '@loader/session-core'
import { type CrashMatrix, crashMatrix, fixedEnvironment } from '@loader/test-harness'
import { fromCi, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Outcome, resume, scenario, type World, world } from './children/crash-story.ts'
import { hastyStore } from './crash-matrix/hasty-store.ts'

function matrix(prepare: () => Promise<World>, only: readonly number[]): Promise<CrashMatrix> {
  return crashMatrix<Outcome, World>({
    mode: 'in-process',
    prepare,
    storeOf: ({ store }) => store,
    scenario,
    resume,
    check: (resumed, uninterrupted) => [
      ...resumed.problems,
      ...(JSON.stringify(resumed.files) === JSON.stringify(uninterrupted.files)
        ? []
        : [`files: ${resumed.files.join()}`]),
      ...(resumed.reason === 'turn_complete' ? [] : [`ended with ${resumed.reason}`]),
    ],
    only,
  })
}

let known: Promise<CrashMatrix> | undefined

/** Where the story can be cut off, found out once. */
async function everyBoundary(): Promise<CrashMatrix['boundaries']> {
  known ??= matrix(world, [])
  return (await known).boundaries
}

test('agents come to the same end wherever the process of their parent ends', { timeout: 1_800_000 }, async () => {
  const boundaries = await everyBoundary()
  const about = boundaries.filter(({ label }) => /child\.|claim|tool\.(started|finished)/.test(label))
  const count = times({ quick: 1, ci: 2, long: boundaries.length })
  const from = count < boundaries.length ? about : boundaries
  const only = Array.from({ length: Math.min(count, from.length) }, (_unused, index) => {
    return from[Math.floor(((index + 0.5) * from.length) / Math.min(count, from.length))]?.number ?? 1
  })
  const { failures, runs } = await matrix(world, only)
  console.log(`agents: killed at ${runs} of ${boundaries.length} boundaries`)
  expect(failures).toEqual([])
  expect(runs).toBe(only.length)
})

/** A store that says of what the parent records that it is durable before it is. */
function hastyParent(store: MemoryStore): SessionStore {
  const hasty = hastyStore(store)
  return { ...hasty, claim: (id, options) => (id === 'parent' ? hasty : store).claim(id, options) }
}

describe('a fault in what keeps agents safe is noticed', () => {
  test.runIf(fromCi)('a child that begins before its parent has stored it', { timeout: 300_000 }, async () => {
    const hasty = () => world(hastyParent(new MemoryStore()))
    const born = (await everyBoundary()).find(({ label }) => label === 'before append child.opened')
    const { failures } = await matrix(hasty, [born?.number ?? 0])
    expect(failures[0]?.message).toMatch(/is unknown to its parent|children: /)
  })

  test('a result that is counted twice', async () => {
    const session = await Session.open(new MemoryStore(), { environment: fixedEnvironment(), id: 'parent' })
    await session.append([
      { type: 'input.queued', inputId: 'in_1', text: 'Do it' },
      { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
    ])
    const calls = [{ type: 'call' as const, call: { id: 'call_1', name: 'agent', input: {} } }]
    const request = { requestId: 'req_1', purpose: 'answer', attempt: 1 } as const
    await session.append([
      { type: 'model.asked', ...request },
      { type: 'model.answered', requestId: 'req_1', content: calls, finishReason: 'tool-calls' },
    ])
    const assigned = {
      type: 'child.assigned' as const,
      childId: 'ses_child',
      callId: 'call_1',
      title: 'Look',
      task: 'Look.',
      depth: 1,
      place: 'look' as const,
      grant: { mode: 'read-only' as const, within: 'look' as const, tools: [], turns: 1 },
    }
    // A child of a call that is not recorded as running, two children of one call, and two results of one child.
    expect(() => session.record(assigned)).toThrow('is not running')
    session.record({ type: 'tool.started', callId: 'call_1' })
    session.record(assigned)
    expect(() => session.record({ ...assigned, childId: 'ses_other' })).toThrow('has a child already')
    const usage = { ...noTotals, requests: 3 }
    const finished = { type: 'child.finished', childId: 'ses_child', outcome: 'ok', usage, text: '' } as const
    session.record(finished)
    expect(() => session.record(finished)).toThrow('is finished already')
    expect(session.state.childUsage?.requests).toBe(3)
    await session.close()
  })
})
