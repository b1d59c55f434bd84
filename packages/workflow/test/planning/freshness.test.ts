import { expect, test } from 'vitest'
import type { EventInput } from '@loader/session-core'
import { Decision } from '@loader/session-core/coding'
import { assessFreshness, nothingStale } from '../../src/planning/assess-freshness.ts'
import { covers, mentions, readText } from '../../src/planning/coverage.ts'
import { freshnessOf } from '../../src/steps/drift.ts'
import { recoveryEntry, staleEntry } from '../../src/planning/recovery-entry.ts'
import { updateLedger } from '../../src/ledger/update-ledger.ts'
import { handoffEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { begun, decided, stateOf } from '../timeline/recorded.ts'
import { coverageRows, fits, freshnessRows, mentionRows, task } from './freshness.table.ts'

test.each(freshnessRows)('freshness: $rule', ({ change, codes, strategy, kinds }) => {
  const freshness = assessFreshness({ ...fits, ...change })
  expect([freshness.codes, freshness.strategy]).toEqual([codes, strategy])
  if (kinds !== undefined) expect(freshness.evidence.map(({ kind }) => kind)).toEqual(kinds)
  expect(freshness.plan).toBe(['plan_refresh', 'full_replan'].includes(strategy) ? 'stale' : 'fresh')
  if (freshness.brief !== 'none') {
    expect(freshness.brief).toBe(['clarify_reentry', 'full_replan'].includes(strategy) ? 'stale' : 'fresh')
  }
})

test.each(mentionRows)('a text mentions a file: %s', (_rule, text, path, mentioned) => {
  expect(mentions(readText(text), path)).toBe(mentioned)
})

test.each(coverageRows)('a text covers a statement: %s', (_rule, text, statement, covered) => {
  expect(covers(readText(text), statement)).toBe(covered)
})

test('evidence is told in words, each piece once', () => {
  const { lines } = assessFreshness({
    ...fits,
    touchedFiles: ['notes.md', 'notes.md'],
    criteria: ['The farewell stands in bye.txt.'],
    brief: null,
  })
  expect(lines).toEqual([
    'confirmed touchpoint: `notes.md` was changed, and the plan does not mention it.',
    'acceptance anchor: The farewell stands in bye.txt: the plan does not cover this.',
    'inferred touchpoint: `bye.txt` is named by a criterion, and the plan does not mention it.',
  ])
})

test('what no longer fits is an entry with all that shows it', () => {
  const freshness = assessFreshness({ ...fits, touchedFiles: ['notes.md'] })
  const entry = staleEntry(freshness, { artifactPaths: ['.loader/plans/1/implementation.md'] })
  expect(entry).toMatchObject({
    kind: 'plan_refresh',
    mode: 'execute',
    reasonCode: 'touched_files_outside_plan',
    summary: 'policy: brief and plan no longer fit the work',
    evidenceSummary: freshness.lines,
    signalSummary: ['recovery=full_replan', 'touched_files_outside_plan', 'touchpoints_outside_brief'],
    artifactPaths: ['.loader/plans/1/implementation.md'],
  })
  expect(staleEntry(nothingStale)).toBeUndefined()
})

test.each([
  ['plan_artifacts_created', 'handoff', 'execute'],
  ['plan_refresh_completed', 'handoff', 'execute'],
  ['clarify_reentry_required', 'reentry', 'clarify'],
  ['clarify_reentry_plan_created', 'handoff', 'execute'],
  ['full_replan_requires_clarify', 'reentry', 'clarify'],
  ['full_replan_required', 'reentry', 'plan'],
  ['full_replan_completed', 'handoff', 'execute'],
] as const)('the step %s is a %s to %s', (code, kind, mode) => {
  const entry = recoveryEntry(code, { evidenceSummary: ['seen'] })
  expect(entry).toMatchObject({ kind, decisionKind: kind, mode, reasonCode: code, evidenceSummary: ['seen'] })
  expect(Decision.parse({ id: 'e', ...entry })).toEqual({ id: 'e', ...entry })
})

const execute = decided(handoffEntry({ mode: 'execute', code: 'plan_artifacts_created', summary: 'planned' }))
const opened = { type: 'session.opened', format: 1, id: 'ses', project: { root: '/home/me/project' } } as const
const planned = [opened, ...begun(task), { type: 'plan.written', plan: fits.plan } as const]
const touching = (path: string, ...events: readonly EventInput[]) => {
  const state = stateOf(...events)
  return { ...state, turn: state.turn && { ...state.turn, work: { ...state.turn.work, files: [path] } } }
}

test('the freshness of a session is that of its own artifacts, files and criteria', () => {
  const state = touching('/home/me/project/notes.md', ...planned, execute)
  expect(freshnessOf(state)).toMatchObject({
    codes: ['touched_files_outside_plan'],
    lines: ['confirmed touchpoint: `notes.md` was changed, and the plan does not mention it.'],
  })
  expect(freshnessOf(touching('/home/me/project/hello.txt', ...planned, execute)).strategy).toBe('none')
})

test('what the user and the brief say has to hold is what a plan must cover, once', () => {
  const brief = {
    type: 'brief.written',
    brief: { text: `## Task Statement\n- ${task}\n## Acceptance Criteria\n- The farewell stands in bye.txt` },
  } as const
  const inputId = 'in_2'
  const doneWhen = [{ command: 'wc -l hello.txt', text: 'Ten lines of praise' }, { command: 'npm test' }]
  const state = stateOf(
    opened,
    { type: 'input.queued', inputId, text: task, doneWhen },
    { type: 'turn.started', turnId: 'turn_2', inputId },
    { type: 'plan.written', plan: fits.plan },
    brief,
    execute,
  )
  const { codes, evidence, lines } = freshnessOf(state)
  expect(codes).toEqual(['acceptance_criteria_outside_plan'])
  expect(lines.slice(0, 2)).toEqual([
    'acceptance anchor: The farewell stands in bye.txt: the plan does not cover this.',
    'acceptance anchor: Ten lines of praise: the plan does not cover this.',
  ])
  expect(freshnessOf({ ...state, ledger: updateLedger(state.ledger, evidence) }).codes).toEqual([])
})

test('only work can leave a plan behind, and only a whole plan of the task at hand', () => {
  const plan = decided(
    routeEntry({ mode: 'plan', code: 'task_is_complex', summary: 'plan', decisionKind: 'initial_route' }),
  )
  expect(freshnessOf(touching('notes.md', ...planned, plan))).toBe(nothingStale)
  const half = { type: 'plan.written', plan: { implementation: 'x' } } as const
  expect(freshnessOf(touching('notes.md', ...planned, half, execute))).toBe(nothingStale)
  const other = { type: 'plan.written', plan: { ...fits.plan, implementation: '> Task: something else\n' } } as const
  expect(freshnessOf(touching('notes.md', ...planned, other, execute))).toBe(nothingStale)
  expect(freshnessOf(stateOf())).toBe(nothingStale)
})
