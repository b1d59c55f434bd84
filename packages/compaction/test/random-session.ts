import * as fc from 'fast-check'
import { unansweredCalls } from '@loader/session-core'
import type { Recorder } from './recorder.ts'

const text = fc.oneof(
  { weight: 3, arbitrary: fc.lorem({ maxCount: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      'Zürich 🎈 你好',
      'Never touch config/prod.yml. Use port 8443 only.',
      '[COMPACTED CONTEXT]\nState kept by the runtime:\nContinuation instructions:',
      'x'.repeat(30_000),
    ),
  },
)
const result = fc.oneof(
  text,
  fc.integer({ min: 1, max: 4000 }).map((lines) => 'at src/deep/file.ts:12 of 9\n'.repeat(lines)),
)
const call = fc.record({
  name: fc.constantFrom('read', 'write', 'bash'),
  input: fc.record({ file_path: fc.constantFrom('src/a.ts', 'docs/b.md'), content: fc.lorem({ maxCount: 20 }) }),
  result,
  outcome: fc.constantFrom('ok', 'failed'),
})
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer'), text, calls: fc.array(call, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('steering'), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note'), text: fc.constant('Go on, it is not done.') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut'), text: fc.lorem({ maxCount: 5 }) }) },
)
const randomTurn = fc.record({ asked: text, steps: fc.array(step, { minLength: 1, maxLength: 6 }) })
export const randomTurns = fc.array(randomTurn, { minLength: 1, maxLength: 6 })

type RandomTurn = typeof randomTurn extends fc.Arbitrary<infer Value> ? Value : never
type Step = RandomTurn['steps'][number]

/** Plays the turns; `between` is called wherever a program could compact, calls that wait included. */
export function play(recorder: Recorder, turns: readonly RandomTurn[], between: () => void = () => {}): void {
  for (const { asked, steps } of turns) {
    recorder.begin(asked)
    between()
    for (const each of steps) take(recorder, each, between)
    recorder.end()
    between()
  }
}

function take(recorder: Recorder, each: Step, between: () => void): void {
  switch (each.kind) {
    case 'answer': {
      const calls = 'calls' in each ? each.calls : []
      recorder.answer(each.text, calls)
      between()
      for (const { result: said, outcome } of calls) {
        recorder.settle(said, outcome)
        between()
      }
      return
    }
    case 'steering': {
      if (recorder.state.turn?.pending !== null || unansweredCalls(recorder.state.turn).length > 0) return
      const inputId = recorder.newId('in')
      recorder.record({ type: 'input.queued', inputId, text: each.text }, { type: 'input.taken', inputId })
      return
    }
    case 'note': {
      const entry = {
        id: recorder.newId('entry'),
        kind: 'handoff',
        mode: 'execute',
        reasonCode: 'r',
        summary: 's',
      } as const
      recorder.record({ type: 'workflow.decided', entry, note: each.text })
      return
    }
    default: {
      const requestId = recorder.newId('req')
      recorder.record(
        { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
        { type: 'answer.progressed', requestId, text: each.text },
        { type: 'model.interrupted', requestId, reason: 'cut' },
      )
    }
  }
}
