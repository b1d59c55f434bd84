import { expect, test } from 'vitest'
import { bridgeMarker, bridgeText, hasRecentBridge } from '../../src/steps/bridge-text.ts'
import { writtenBrief } from '../../src/planning/brief-text.ts'
import { parseBrief } from '../../src/planning/parse-brief.ts'
import { parsePlan } from '../../src/planning/parse-plan.ts'
import { writtenPlan } from '../../src/planning/written-plan.ts'
import { clarifyEntry } from '../../src/planning/review-clarify.ts'
import { handoffEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { answered, begun, decided, stateOf } from '../timeline/recorded.ts'

const task = 'Tidy up notes.txt'
const brief = parseBrief(
  '## Desired Outcome\n- ten lines\n## Non Goals\n- no new files\n## Decision Boundaries\n- deleting\n## Constraints\n- plain text\n## Assumptions\n- it is UTF-8',
  task,
)
const plan = parsePlan(
  '## Execution Order\n1. Shorten it\n2. Count\n<<<VERIFICATION>>>\n## Acceptance Criteria\n- it has ten lines\n## Verification Commands\n- `wc -l notes.txt`',
  task,
)
const artifacts = [
  { type: 'brief.written', brief: writtenBrief(brief, task) },
  { type: 'plan.written', plan: writtenPlan(plan, task) },
] as const
const clarified = [
  decided(routeEntry({ mode: 'clarify', code: 'task_is_ambiguous', summary: 'vague', decisionKind: 'initial_route' })),
  decided(
    clarifyEntry({ next: 'leave', code: 'clarify_budget_exhausted', summary: 'x', unresolvedQuestions: ['Why?'] }),
  ),
]
const handoff = handoffEntry({ mode: 'execute', code: 'plan_artifacts_created', summary: 'planned' })

test('the bridge tells the model what was clarified and planned', () => {
  expect(bridgeText(stateOf(...begun(task), ...clarified, ...artifacts, decided(handoff)))).toBe(
    `[WORKFLOW BRIDGE]
Mode: execute
Task: Tidy up notes.txt
Wanted:
- ten lines
Out of scope:
- no new files
Ask before:
- deleting
Conditions:
- plain text
Assumed:
- it is UTF-8
Steps, in order:
- Shorten it
- Count
Done when:
- it has ten lines
Checked with:
- wc -l notes.txt
Still open:
- Why?`,
  )
})

test('there is no bridge without artifacts of this task', () => {
  expect(bridgeText(stateOf(...begun(task)))).toBeNull()
  const finished = { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' } as const
  const next = stateOf(...begun(task), ...artifacts, finished, ...begun('Now greet', { turnId: 'turn_2' }))
  expect(bridgeText(next)).toBeNull()
})

test('the goal says what done means, and long lists are cut', () => {
  const criteria = Array.from({ length: 11 }, (_, index) => ({
    id: `c${index}`,
    text: `criterion ${index}`,
    checkIds: [],
  }))
  const goal = { type: 'goal.defined', goal: { id: 'goal-3', task, criteria, checks: [] } } as const
  const text = bridgeText(stateOf(...begun(task), ...artifacts, goal)) ?? ''
  expect(text).toContain('Done when:\n- criterion 0\n')
  expect(text).toContain('- criterion 7\n- (3 more)')
  expect(text).not.toContain('criterion 8')
})

test('a bridge among the last four messages, or on its way to them, is recent', () => {
  const note = { ...decided(handoff), note: `${bridgeMarker}\nMode: execute` }
  const pending = [...begun(task), note]
  expect(hasRecentBridge(stateOf(...begun(task)))).toBe(false)
  expect(hasRecentBridge(stateOf(...pending))).toBe(true)
  const said = (count: number) =>
    Array.from({ length: count }, (_, index) => answered(`answer ${index}`, `req_${index}`)).flat()
  expect(hasRecentBridge(stateOf(...pending, ...said(3)))).toBe(true)
  expect(hasRecentBridge(stateOf(...pending, ...said(4)))).toBe(false)
})
