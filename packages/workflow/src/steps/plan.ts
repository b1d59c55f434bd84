import { excerptOf, type Request, type SessionState, shownText, textOf, type Turn } from '@loader/session-core'
import type { Todo } from '@loader/session-core/coding'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { bridgeText } from './bridge-text.ts'
import { fallbackPlan, parsePlan, type PlanReading } from '../planning/parse-plan.ts'
import { planTodos } from '../planning/plan-todos.ts'
import { recoveryEntry, type RecoveryCode } from '../planning/recovery-entry.ts'
import { saidCriteria } from '../planning/said-criteria.ts'
import { touchedInProject } from '../planning/touched-in-project.ts'
import { type RefreshedPlan, refreshPlan } from '../planning/refresh-plan.ts'
import { writtenPlan } from '../planning/written-plan.ts'
import { seedLedger } from '../ledger/seed-ledger.ts'
import type { Step } from '../words/step.ts'

/** Has the model write a plan, records it with its todos, and continues by it. */
export function planStep(state: SessionState, { request }: Turn): Step {
  if (request?.purpose !== 'plan' || request.status === 'interrupted') {
    return { type: 'ask_model', purpose: 'plan', attempt: 1 }
  }
  return record(state, request)
}

function record(state: SessionState, request: Request): Step {
  const task = shownText(state.task ?? '')
  const text = textOf(request.answer ?? [])
  const reading = text.trim() === '' ? fallbackPlan(task) : parsePlan(text, task)
  const { plan, todos, criteria } = planned(state, reading, task)
  const after: SessionState = { ...state, plan, todos, mode: 'execute' }
  const next = artifactsOf(state).plan === null ? null : nextItemNote(todos)
  const note = [bridgeText(after), next].filter((part) => part !== null).join('\n\n')
  return {
    type: 'decide',
    events: [
      { type: 'plan.written', plan },
      { type: 'todos.updated', todos },
      { type: 'ledger.updated', ledger: seedLedger(state.ledger, { acceptanceAnchors: criteria }, 'plan') },
      { type: 'workflow.decided', entry: recoveryEntry(codeFor(state)), ...(note !== '' && { note }) },
    ],
  }
}

/** The first plan of a task is kept as written; a later one takes over what still holds from the plan before it. */
function planned(state: SessionState, reading: PlanReading, task: string): RefreshedPlan {
  if (artifactsOf(state).plan === null) {
    return { plan: writtenPlan(reading, task), todos: planTodos(reading.steps), criteria: reading.criteria }
  }
  return refreshPlan({
    reading,
    task,
    todos: state.todos,
    criteria: saidCriteria(state),
    touchedFiles: touchedInProject(state),
  })
}

/** Names the next todo to the model; null if none is left. */
export function nextItemNote(todos: readonly Todo[]): string | null {
  const next = todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending')
  return next === undefined ? null : `The plan was brought up to date. Next: ${excerptOf(next.text)}`
}

/** The reason code for this plan, by the decision that required it. */
function codeFor({ route }: SessionState): RecoveryCode {
  const asked = route?.reasonCode ?? ''
  if (asked === 'stale_plan_artifacts') return 'plan_refresh_completed'
  if (asked === 'full_replan_required') return 'full_replan_completed'
  return asked.startsWith('post_drift_') ? 'clarify_reentry_plan_created' : 'plan_artifacts_created'
}
