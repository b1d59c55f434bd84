import { describe, expect, test } from 'vitest'
import { compactionFailed, compactLocally, planCompaction, shouldCompact } from '../src/index.ts'
import { compactionThreshold } from '../src/threshold.ts'
import { policyWith } from './policy.ts'
import { Recorder } from './recorder.ts'

const long = 'Something was found here. '.repeat(300)
const modelWith = (contextWindow: number) => ({ model: 'scripted/model', nativeTools: true, contextWindow })

describe('the threshold', () => {
  test.each([
    [undefined, 131_072, 98_304],
    [undefined, 262_144, 100_000],
    [undefined, 8192, 6144],
    [undefined, 14_000, 10_500],
    [undefined, 1, 1],
    [500_000, 131_072, 98_304],
    [20_000, 131_072, 20_000],
    [1, 131_072, 1],
    [0, undefined, 1],
    [20_000, undefined, 20_000],
    [undefined, undefined, 100_000],
  ])('configured as %s in a window of %s is %s', (compactAtTokens, contextWindow, expected) => {
    const limits = compactAtTokens === undefined ? {} : { compactAtTokens }
    const model = contextWindow === undefined ? undefined : modelWith(contextWindow)
    expect(compactionThreshold({ limits, model })).toBe(expected)
  })
})

describe('whether to compact', () => {
  test('is decided by the size of the next request, the waiting input included', () => {
    const recorder = working({ limits: { compactAtTokens: 5000 } })
    expect(shouldCompact(recorder.state)).toMatchObject({ need: 'none', threshold: 5000 })
    recorder.end()
    recorder.begin(long)
    expect(shouldCompact(recorder.state)).toMatchObject({ need: 'compact', why: 'threshold' })
  })

  test('follows the window of the model', () => {
    expect(shouldCompact(working({ model: modelWith(200_000) }).state).need).toBe('none')
    expect(shouldCompact(working({ model: modelWith(3000) }).state).need).toBe('compact')
  })

  test('a request refused as too long is compacted once and then tried again', () => {
    const recorder = working({})
    overflow(recorder, 'req_1', 1)
    expect(shouldCompact(recorder.state)).toMatchObject({ need: 'compact', why: 'overflow' })
    compact(recorder)
    expect(shouldCompact(recorder.state).need).toBe('none')
    recorder.record({ type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 2 })
    recorder.record({ type: 'model.failed', requestId: 'req_1', error: { kind: 'context_too_long', message: 'long' } })
    const after = shouldCompact(recorder.state)
    expect(after).toMatchObject({ need: 'stuck', over: 'window' })
    expect(after.need === 'stuck' && after.reason).toContain('nothing has happened since the last compaction')
  })

  test('an overflow leaves fewer messages when four are too many', () => {
    const recorder = new Recorder()
    recorder.begin('Read them all.')
    recorder.answer('', [
      { name: 'read', input: { path: 'a' } },
      { name: 'read', input: { path: 'b' } },
    ])
    recorder.settle(long.repeat(20))
    recorder.settle(long.repeat(20))
    overflow(recorder, 'req_late', 1)
    expect(planCompaction(recorder.state)).toBeNull()
    const plan = planCompaction(recorder.state, { keepAtLeast: 0 })
    expect(plan?.kept).toEqual([recorder.window[0]])
  })

  test('other failures are none of its business, and a summary that was too long is no overflow', () => {
    const recorder = working({})
    recorder.record({ type: 'model.asked', requestId: 'r', purpose: 'answer', attempt: 1 })
    recorder.record({ type: 'model.failed', requestId: 'r', error: { kind: 'overloaded', message: 'busy' } })
    expect(shouldCompact(recorder.state).need).toBe('none')
    recorder.record({ type: 'model.asked', requestId: 's', purpose: 'summary', attempt: 1 })
    recorder.record({ type: 'model.failed', requestId: 's', error: { kind: 'context_too_long', message: 'long' } })
    expect(shouldCompact(recorder.state).need).toBe('none')
  })

  test('ends after two attempts in a turn, failed ones included, and says why', () => {
    const recorder = working({ limits: { compactAtTokens: 100 } })
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(shouldCompact(recorder.state).need).toBe('compact')
      recorder.record(compactionFailed('model', 'No summary was written: the answer is empty.'))
    }
    const need = shouldCompact(recorder.state)
    expect(need).toMatchObject({ need: 'stuck', over: 'threshold' })
    expect(need.need === 'stuck' && need.reason).toContain('tried 2 times in this turn, and 2 are allowed')
    recorder.end()
    recorder.begin('The next turn has attempts of its own.')
    expect(shouldCompact(recorder.state).need).toBe('compact')
  })

  test('ends when nothing has happened since the last one', () => {
    const recorder = working({ limits: { compactAtTokens: 100, maxCompactions: 50 } })
    compact(recorder)
    expect(shouldCompact(recorder.state)).toMatchObject({ need: 'stuck', over: 'threshold' })
    recorder.answer(long)
    expect(shouldCompact(recorder.state).need).toBe('compact')
  })

  test('tells when a request can no longer be made at all', () => {
    const recorder = working({ model: modelWith(2000), limits: { maxCompactions: 0 } })
    expect(shouldCompact(recorder.state)).toMatchObject({ need: 'stuck', over: 'window' })
  })
})

/** A session in the middle of a turn, with some 2,000 tokens in its window. */
function working(policy: Parameters<typeof policyWith>[0]): Recorder {
  const recorder = new Recorder()
  recorder.record(policyWith(policy))
  recorder.say('Look into it.', long)
  for (let turn = 0; turn < 4; turn += 1) recorder.say('Go on.', 'Done.')
  recorder.begin('And now?')
  recorder.answer('Well.')
  return recorder
}

function overflow(recorder: Recorder, requestId: string, attempt: number): void {
  recorder.record({ type: 'model.asked', requestId, purpose: 'answer', attempt })
  recorder.record({ type: 'model.failed', requestId, error: { kind: 'context_too_long', message: 'too long' } })
}

function compact(recorder: Recorder): void {
  const plan = planCompaction(recorder.state)
  if (plan === null) throw new Error('nothing can be gained')
  recorder.record(compactLocally(recorder.state, plan, { messageId: recorder.newId('sum') }))
}
