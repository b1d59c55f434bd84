import type { Plan, Todo } from '@loader/session-core/coding'
import { normalized } from '../text/normalized.ts'
import { covers, readText } from './coverage.ts'
import { isPastWork } from './is-past-work.ts'
import { bulleted } from './one-line.ts'
import type { PlanReading } from './parse-plan.ts'
import { planTodos } from './plan-todos.ts'
import { writtenPlan } from './written-plan.ts'

export interface PlanRefresh {
  /** The new plan. */
  readonly reading: PlanReading
  readonly task: string
  /** The current todos. */
  readonly todos: readonly Todo[]
  /** The criteria so far. */
  readonly criteria: readonly string[]
  /** Files that the work has changed already. */
  readonly touchedFiles: readonly string[]
}

export interface RefreshedPlan {
  readonly plan: Plan
  readonly todos: readonly Todo[]
  readonly criteria: readonly string[]
}

/**
 * Merges a new plan with the one it replaces. Criteria from the task itself stay, todos in progress stay, and finished
 * work is listed as done instead of planned again. So the result covers all work up to now.
 */
export function refreshPlan({ reading, task, todos, criteria, touchedFiles }: PlanRefresh): RefreshedPlan {
  const ofTask = readText(task)
  const kept = unique([...criteria.filter((text) => covers(ofTask, text)), ...reading.criteria])
  const done = new Set(todos.filter(({ status }) => status === 'completed').map(({ text }) => normalized(text)))
  const steps = reading.steps.filter((step) => !isPastWork(step) && !done.has(normalized(step)))
  const progress = [
    ...todos.filter(({ status }) => status === 'completed').map(({ text }) => text),
    ...touchedFiles.map((path) => `\`${path}\` has been changed.`),
  ]
  const known = new Set(reading.criteria.map(normalized))
  const refreshed = {
    ...reading,
    steps,
    implementation: withSection(reading.implementation, 'Confirmed Progress', progress),
    verification: withSection(
      reading.verification,
      'Acceptance Criteria',
      kept.filter((text) => !known.has(normalized(text))),
    ),
  }
  return {
    plan: writtenPlan(refreshed, task),
    todos: planTodos(
      steps,
      todos.filter(({ status }) => status !== 'pending'),
    ),
    criteria: kept,
  }
}

function withSection(text: string, heading: string, items: readonly string[]): string {
  return items.length === 0 ? text : [text, '', `## ${heading}`, ...bulleted(items)].join('\n').trim()
}

function unique(texts: readonly string[]): string[] {
  return [...new Map(texts.toReversed().map((text) => [normalized(text), text])).values()].toReversed()
}
