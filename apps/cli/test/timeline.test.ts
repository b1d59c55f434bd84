import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TimelineOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { openSession, startedCall } from './written/written-session.ts'
import { workedSession } from './written/worked-session.ts'

describe('the timeline', () => {
  let workspace: TemporaryWorkspace
  beforeAll(async () => {
    workspace = await temporaryWorkspace()
    await workedSession(workspace)
  })
  afterAll(() => workspace.dispose())

  test('has highlights, and every decision with its reasons', async () => {
    const { out } = await loader(['timeline'], { folder: workspace.root })
    expect(out).toMatch(/HIGHLIGHTS\n {2}completion: Verified: red before, green now/)
    expect(out).toMatch(/#\d+ route execute task_is_concrete\n {2}execute: the task is concrete enough to begin/)
    expect(out).toMatch(/#\d+ completion_complete verify verification_passed/)
    expect(out).toContain('supports: `grep -q hello hello.txt` passed')
  })

  test('has no heading with nothing below it', async () => {
    await using other = await temporaryWorkspace()
    await using session = await openSession(other.root)
    await session.append(startedCall(1, 'agent', { description: 'Look around' }))
    const grant = { mode: 'read-only', within: 'look', tools: ['read'], turns: 9 } as const
    const child = { childId: 'ses_a', callId: 'call_1', title: 'Look around', task: 'Look around.', depth: 1 }
    await session.append([{ type: 'child.assigned', ...child, place: 'look', grant }])
    const { out } = await loader(['timeline'], { folder: other.root })
    const [, told = ''] = out.split(/\n\n(.*)/s)
    expect(told).toMatch(/^AGENTS\n.*agent "Look around" looks: session ses_a\n\nNo decisions\.\n$/)
    const filtered = await loader(['timeline', '--mode', 'plan'], { folder: other.root })
    expect(filtered.out).toMatch(/\n\nNo decision fits\.\n$/)
  })

  test('can be reduced to a mode, a kind, what accounts for the work, and the latest', async () => {
    const kinds = async (...words: string[]) => {
      const { out } = await loader(['timeline', '--json', ...words], { folder: workspace.root })
      return TimelineOutput.parse(JSON.parse(out)).entries.map(({ kind }) => kind)
    }
    const all = await kinds()
    expect(all[0]).toBe('route')
    expect(await kinds('--kind', 'route')).toEqual(['route'])
    expect(await kinds('--policy')).toEqual(all.filter((kind) => /^(?:completion|repair|verify)_/.test(kind)))
    expect(await kinds('--limit', '1')).toEqual(all.slice(-1))
    expect(await kinds('--mode', 'clarify')).toEqual([])
  })

  test.each([
    [['--mode', 'sleep'], 'clarify, plan, execute, verify, explore'],
    [['--kind', 'wish'], 'route, handoff'],
    [['--limit', '0'], 'whole number from 1 on'],
  ])('refuses %j, and says what can be', async (words, said) => {
    const { code, err, out } = await loader(['timeline', ...words], { folder: workspace.root })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(said)
  })
})
