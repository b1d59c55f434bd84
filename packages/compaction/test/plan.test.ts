import { describe, expect, test } from 'vitest'
import type { Message } from '@loader/session-core'
import { compactLocally, planCompaction } from '../src/index.ts'
import { isSummary } from '../src/summary-message.ts'
import { Recorder, withWindow } from './recorder.ts'

const long = 'Something was found here. '.repeat(300)
const read = (file: string) => ({ name: 'read', input: { file_path: file } })

describe('what is folded', () => {
  test('the newest messages stay, four unless told otherwise', () => {
    const recorder = new Recorder()
    for (const answer of [long, 'Two.', 'Three.', 'Four.']) recorder.say('Go on.', answer)
    expect(planCompaction(recorder.state)?.kept).toEqual(recorder.window.slice(-4))
    expect(planCompaction(recorder.state, { keepLast: 2 })?.kept).toEqual(recorder.window.slice(-2))
    const all = planCompaction(recorder.state, { keepLast: 0 })
    expect(all).toMatchObject({ firstKept: null, alsoKept: [recorder.window[6]?.id] })
  })

  test('a call stays with all its results, however many there are', () => {
    const recorder = new Recorder()
    recorder.say('Look.', long)
    recorder.begin('Read them.')
    recorder.answer('All three.', [read('a.ts'), read('b.ts'), read('c.ts')])
    for (const text of ['a', 'b', 'c']) recorder.settle(text)
    recorder.answer('I have read them.')
    const plan = planCompaction(recorder.state, { keepLast: 2 })
    expect(plan?.kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'])
  })

  test('calls that wait stay, whatever was asked for', () => {
    const recorder = new Recorder()
    recorder.say('Look.', long)
    recorder.begin('Read them.')
    recorder.answer('Both.', [read('a.ts'), read('b.ts')])
    recorder.settle('a')
    const plan = planCompaction(recorder.state, { keepLast: 0 })
    expect(plan?.kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('the last words of the user stay, though not those of the runtime', () => {
    const recorder = new Recorder()
    recorder.begin('Rename the module, and nothing else.')
    for (let step = 0; step < 5; step += 1) {
      recorder.answer(long, [read('a.ts')])
      recorder.settle('text')
    }
    const entry = { id: 'entry', kind: 'handoff', mode: 'execute', reasonCode: 'r', summary: 's' } as const
    recorder.record({ type: 'workflow.decided', entry, note: 'Go on.' })
    const plan = planCompaction(recorder.state)
    expect(plan?.alsoKept).toEqual([recorder.window[0]?.id])
    expect(plan?.kept[0]).toBe(recorder.window[0])
    expect(plan?.folded).not.toContain(recorder.window[0])
  })

  test('messages with one id for two are cut where the id names one', () => {
    const recorder = new Recorder()
    const text = (id: string, words: string): Message => ({
      id,
      role: 'user',
      origin: 'import',
      content: [{ type: 'text', text: words }],
      at: recorder.state.updatedAt,
    })
    for (let times = 0; times < 2; times += 1) {
      recorder.import([text('a', long), text('b', 'Short.'), text('c', 'Short.')])
    }
    let plans = 0
    for (let keepLast = 0; keepLast < 6; keepLast += 1) {
      const plan = planCompaction(recorder.state, { keepLast, minimumGain: -1 })
      if (plan === null) continue
      const copy = new Recorder()
      copy.repeat(recorder)
      copy.record(compactLocally(recorder.state, plan, { messageId: 'sum', minimumGain: -1 }))
      expect(copy.window.slice(1).map(({ id }) => id)).toEqual(plan.kept.map(({ id }) => id))
      plans += 1
    }
    expect(plans).toBeGreaterThan(2)
  })
})

describe('there is no plan', () => {
  test('for an empty window, or one of no more messages than stay', () => {
    const recorder = new Recorder()
    expect(planCompaction(recorder.state)).toBeNull()
    recorder.say(long, long)
    expect(planCompaction(recorder.state)).toBeNull()
  })

  test('when only an earlier summary would be folded', () => {
    const recorder = new Recorder()
    recorder.say('Look.', long)
    recorder.say('Go on.', 'Done.')
    const plan = planCompaction(recorder.state, { keepLast: 2 })
    if (plan === null) throw new Error('there is something to fold')
    recorder.record(compactLocally(recorder.state, plan, { messageId: 'sum' }))
    expect(recorder.window.filter(isSummary)).toHaveLength(1)
    expect(planCompaction(recorder.state, { keepLast: 2 })).toBeNull()
  })

  test('when what stays is nearly all there is', () => {
    const recorder = new Recorder()
    recorder.say('Look.', 'I looked.')
    recorder.say('And there?', long)
    expect(planCompaction(recorder.state, { keepLast: 2 })).toBeNull()
    expect(planCompaction(recorder.state, { keepLast: 0 })).not.toBeNull()
  })

  test('when all is one exchange that cannot be cut', () => {
    const recorder = new Recorder()
    const [user, assistant, ...results] = exchange(recorder)
    if (user === undefined || assistant === undefined) throw new Error('there is an exchange')
    expect(planCompaction(withWindow(recorder.state, [assistant, ...results]))).toBeNull()
  })
})

function exchange(recorder: Recorder): readonly Message[] {
  recorder.begin('Read them.')
  recorder.answer(
    '',
    Array.from({ length: 9 }, (_, index) => read(`${index}.ts`)),
  )
  for (let index = 0; index < 9; index += 1) recorder.settle(long)
  return recorder.window
}
