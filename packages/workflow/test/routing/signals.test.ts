import { expect, test } from 'vitest'
import { ambiguityOf } from '../../src/routing/ambiguity.ts'
import { complexityOf } from '../../src/routing/complexity.ts'
import { hasConcreteAnchor } from '../../src/text/has-concrete-anchor.ts'
import { readSignals } from '../../src/routing/read-signals.ts'
import { ambiguityRows, anchorRows, complexityRows } from './task-text.table.ts'

test.each(ambiguityRows)('ambiguity: %s', (_rule, text, ambiguity) => {
  expect(ambiguityOf(text)).toBe(ambiguity)
})

test.each(complexityRows)('complexity: %s', (_rule, text, complexity) => {
  expect(complexityOf(text)).toBe(complexity)
})

test.each(anchorRows)('%j names something that can be found: %s', (text, anchor) => {
  expect(hasConcreteAnchor(text)).toBe(anchor)
})

test('a task that must not lead to questions is not taken for one that asks for them', () => {
  expect(ambiguityOf("Delete hello.txt and don't ask me anything")).toBe(0)
  expect(ambiguityOf('Delete hello.txt and never ask me anything')).toBe(0)
})

test('signals that are absent weigh nothing and are not mentioned', () => {
  const { summary, ...signals } = readSignals('Create hello.txt in the workspace root.')
  expect(signals).toEqual({
    ambiguity: 0,
    complexity: 0.1,
    requestedMode: null,
    brief: 'none',
    plan: 'none',
    openQuestions: [],
    verificationPressure: 0,
    mutationPressure: 0,
    artifactReuse: 0,
    staleArtifact: 0,
    recent: { clarify: 0, reentry: 0, planRefresh: 0, verifySkip: 0 },
  })
  expect(summary).toEqual(['ambiguity=0.00', 'complexity=0.10'])
})

test('signals that are there have their weight and are mentioned in a fixed order', () => {
  const signals = readSignals('Create hello.txt in the workspace root.', {
    requestedMode: 'plan',
    brief: 'available',
    plan: 'stale',
    openQuestions: Array.from({ length: 12 }, (_, index) => `Question ${index}?`),
    pressure: ['mutation', 'verification'],
    recent: { clarify: 1, reentry: 2, planRefresh: 3, verifySkip: 4 },
  })
  expect(signals).toMatchObject({
    verificationPressure: 0.18,
    mutationPressure: 0.12,
    artifactReuse: 0,
    staleArtifact: 0.45,
  })
  expect(signals.summary).toEqual([
    'ambiguity=0.00',
    'complexity=0.10',
    'requested_mode=plan',
    'clarify_brief=available',
    'plan_artifacts=stale',
    'open_questions=9',
    'verification_pressure=active',
    'mutation_pressure=active',
    'recent_clarify=1',
    'recent_reentry=2',
    'recent_plan_refresh=3',
    'recent_verify_skip=4',
  ])
})

test('a plan that can be used again counts as such', () => {
  const signals = readSignals('Go on', { plan: 'available' })
  expect(signals).toMatchObject({ artifactReuse: 0.2, staleArtifact: 0 })
  expect(signals.summary).toContain('plan_artifacts=available')
})
