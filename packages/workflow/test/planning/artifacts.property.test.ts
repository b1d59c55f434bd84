import * as fc from 'fast-check'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { Brief, Decision, type Grounding, Plan, Todo } from '@loader/session-core/coding'
import { assessAnswer } from '../../src/planning/assess-answer.ts'
import { assessFreshness } from '../../src/planning/assess-freshness.ts'
import { writtenBrief } from '../../src/planning/brief-text.ts'
import { chooseQuestion } from '../../src/planning/clarify-focus.ts'
import { covers, readText } from '../../src/planning/coverage.ts'
import { enrichBrief } from '../../src/planning/enrich-brief.ts'
import { fallbackBrief } from '../../src/planning/brief-reading.ts'
import { isPastWork } from '../../src/planning/is-past-work.ts'
import { parseBrief, readBrief } from '../../src/planning/parse-brief.ts'
import { fallbackPlan, parsePlan } from '../../src/planning/parse-plan.ts'
import { plannedFiles } from '../../src/planning/planned-files.ts'
import { refreshPlan } from '../../src/planning/refresh-plan.ts'
import { reviewClarify } from '../../src/planning/review-clarify.ts'
import { writtenPlan } from '../../src/planning/written-plan.ts'
import { numRuns, randomText } from '../routing/random-text.ts'

const path = fc.constantFrom('hello.txt', 'src/a.ts', 'src/user-profile.ts', 'docs/x.md', 'Makefile', '.gitignore')
const paths = fc.array(path, { maxLength: 4 })
const prose = fc.lorem({ maxCount: 8 })
const criteria = fc.array(
  fc.oneof(
    prose,
    path.map((name) => `\`${name}\` exists`),
    randomText,
  ),
  { maxLength: 5 },
)
const round = fc.integer({ min: 1, max: 4 })
const todo = fc.record({
  id: fc.constantFrom('plan-1', 'plan-2', 'plan-9', 'own'),
  text: fc.constantFrom('Write a.ts', 'Test it', 'Greet'),
  status: fc.constantFrom('pending', 'in_progress', 'completed'),
})
const todos = fc.uniqueArray(todo, { selector: ({ text }) => text, maxLength: 3 })

test('every text is some brief, and a written brief is read as it was written', () => {
  fc.assert(
    fc.property(randomText, prose, (text, task) => {
      const reading = parseBrief(text, task)
      const brief = writtenBrief(reading, task)
      expect(Brief.parse(brief)).toEqual(brief)
      const again = writtenBrief(readBrief(brief, task), task)
      expect(readBrief(again, task)).toEqual(readBrief(brief, task))
      expect(Object.keys(brief.sections ?? {})).toEqual([...reading.explicit])
    }),
    { numRuns },
  )
})

test('every answer is reviewed, and clarification ends within its rounds', () => {
  fc.assert(
    fc.property(randomText, randomText, randomText, fc.integer({ min: 0, max: 4 }), (text, answer, task, rounds) => {
      const brief = parseBrief(text, task)
      for (let number = 1; ; number += 1) {
        const { entry, next, assessment } = reviewClarify({ brief, answer, task, round: number, rounds })
        expect(Decision.parse({ id: 'e', ...entry })).toEqual({ id: 'e', ...entry })
        expect(new Set(assessment.unresolved).size).toBe(assessment.unresolved.length)
        if (next === 'leave') break
        expect(number).toBeLessThan(rounds)
      }
    }),
    { numRuns },
  )
})

test('nothing is settled by a brief that was not written', () => {
  fc.assert(
    fc.property(randomText, randomText, round, (task, answer, number) => {
      const { unresolved } = assessAnswer({ brief: fallbackBrief({ task, answer }), task, answer, round: number })
      expect(unresolved).toEqual(expect.arrayContaining(['desired_outcome', 'non_goals', 'decision_boundaries']))
    }),
    { numRuns },
  )
})

test('there is always a question to ask', () => {
  const grounding: fc.Arbitrary<Grounding> = fc.record({
    entries: paths,
    referenced: paths,
    missing: paths,
    candidates: paths,
    facts: fc.constant([]),
  })
  fc.assert(
    fc.property(randomText, fc.option(grounding), (answer, found) => {
      expect(chooseQuestion({ slot: 'non_goals', pressure: null }, { answer, grounding: found })).toMatch(/[?？]$/u)
    }),
    { numRuns },
  )
})

test('every text is some plan, with steps wherever there is a task', () => {
  fc.assert(
    fc.property(randomText, prose, (text, task) => {
      const reading = parsePlan(text, task)
      expect(reading.steps.length).toBeGreaterThan(0)
      const plan = writtenPlan(reading, task)
      expect(Plan.parse(plan)).toEqual(plan)
      for (const file of plannedFiles(plan, '/project')) expect(file).toMatch(/^(?![/~])(?!.*\.\.(?:\/|$)).+/)
      expect(fallbackPlan(text).commands).toEqual([])
    }),
    { numRuns },
  )
})

test('a refreshed plan fits the work that it was refreshed for', () => {
  const seen = { stale: 0, kept: 0 }
  fc.assert(
    fc.property(randomText, prose, todos, criteria, paths, (text, task, before, wanted, touchedFiles) => {
      const stale = {
        plan: writtenPlan(fallbackPlan(task), task),
        brief: null,
        touchedFiles,
        task,
        lastVerification: null,
      }
      seen.stale += assessFreshness({ ...stale, criteria: wanted }).strategy === 'plan_refresh' ? 1 : 0
      const refreshed = refreshPlan({
        reading: parsePlan(text, task),
        task,
        todos: before,
        criteria: wanted,
        touchedFiles,
      })
      const after = assessFreshness({ ...stale, plan: refreshed.plan, criteria: refreshed.criteria })
      expect(after.codes).toEqual([])
      for (const step of refreshed.plan.steps ?? []) expect(isPastWork(step)).toBe(false)
      for (const each of refreshed.todos) expect(Todo.parse(each)).toEqual(each)
      expect(new Set(refreshed.todos.map(({ id }) => id)).size + doubled(before)).toBe(refreshed.todos.length)
      const underWay = before.filter(({ status }) => status !== 'pending')
      expect(refreshed.todos.slice(0, underWay.length)).toEqual(underWay)
      const ofTask = wanted.filter((each) => covers(readText(task), each))
      seen.kept += ofTask.length > 0 ? 1 : 0
    }),
    { numRuns },
  )
  expect(Math.min(seen.stale, seen.kept)).toBeGreaterThan(times({ quick: 5, ci: 20 }))
})

test('a brief that was brought up to date fits the work that it was written for', () => {
  fc.assert(
    fc.property(randomText, prose, paths, criteria, (text, task, touchedFiles, wanted) => {
      const reading = enrichBrief(parseBrief(text, task), { task, touchedFiles, criteria: [...wanted, task] })
      const { codes } = assessFreshness({
        plan: { implementation: '', verification: '' },
        brief: writtenBrief(reading, task),
        touchedFiles,
        criteria: wanted,
        task,
        lastVerification: 'failed',
      })
      expect(
        codes.filter((code) => code === 'touchpoints_outside_brief' || code === 'task_drifted_beyond_brief'),
      ).toEqual([])
    }),
    { numRuns },
  )
})

/** Ids that were not unique to begin with. */
function doubled(before: readonly { readonly id: string; readonly status: string }[]): number {
  const ids = before.filter(({ status }) => status !== 'pending').map(({ id }) => id)
  return ids.length - new Set(ids).size
}
