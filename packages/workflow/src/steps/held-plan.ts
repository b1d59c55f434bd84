import { type SessionState, shownText, textOf, type Turn } from '@loader/session-core'
import type { Plan } from '@loader/session-core/coding'
import { seedLedger } from '../ledger/seed-ledger.ts'
import { planApproved, planDeclined } from '../planning/plan-approval.ts'
import { parsePlan, type PlanReading } from '../planning/parse-plan.ts'
import { planTodos } from '../planning/plan-todos.ts'
import { writtenPlan } from '../planning/written-plan.ts'
import { decide, type Step } from '../words/step.ts'
import { askStep, steeringStep } from './ask.ts'
import { bridgeText } from './bridge-text.ts'

/** What the permission for a plan is called, where that for a call has the name of its tool. */
const planTitle = 'plan'

/**
 * After an answer in words while a plan is held: the answer is the plan. It is recorded, and the user is asked. If
 * no user can be asked, the turn ends with the plan.
 */
export function heldPlanStep(state: SessionState, turn: Turn): Step {
  const steering = steeringStep(state, turn)
  if (steering !== undefined) return steering
  const last = state.messages.at(-1)
  if (last === undefined || last.id !== turn.request?.id) return askStep(state, turn)
  const text = textOf(last.content)
  const task = shownText(state.task ?? '')
  const reading = parsePlan(text, task)
  const plan = writtenPlan(reading, task)
  if (!isSame(plan, state.plan)) return decide({ type: 'plan.written', plan })
  if (state.policy?.audience !== 'user') return ended(last.id, awaits)
  return byAnswer(state, turn, { text, plan, reading, responseId: last.id })
}

interface Presented {
  readonly text: string
  readonly plan: Plan
  readonly reading: PlanReading
  readonly responseId: string
}

function byAnswer(state: SessionState, { question }: Turn, { text, plan, reading, responseId }: Presented): Step {
  const mine = question?.kind === 'permit' && question.callId === undefined ? question : null
  if (mine?.answer === undefined) {
    return {
      type: 'ask_user',
      kind: 'permit',
      question: { text, title: planTitle },
      reason: 'nothing changes before you approve the plan',
      ...(mine && { questionId: mine.id }),
    }
  }
  const { outcome, permit, answer } = mine.answer
  const words = answer === undefined ? '' : shownText(answer).trim()
  if (outcome === 'unanswered' || permit === undefined) return ended(responseId, awaits)
  if (permit === 'allow') return approved({ ...state, plan }, reading, words)
  if (words === '') return ended(responseId, 'The plan was not approved, and nothing was changed.')
  const note = `[PLAN NOT APPROVED] The user says: ${words}\nChange the plan accordingly, and answer with all of it. Nothing may change yet.`
  return decide({ type: 'workflow.decided', entry: planDeclined(), note })
}

function approved(state: SessionState, { steps, criteria }: PlanReading, words: string): Step {
  const todos = planTodos(steps)
  const turnOptions = words === '' ? [] : [`With these changes, which come before the plan: ${words}`]
  const note = [
    '[PLAN APPROVED] The user approved your plan. Carry it out now.',
    ...turnOptions,
    ...[bridgeText({ ...state, todos, mode: 'execute' }) ?? []].flat(),
  ].join('\n\n')
  return decide(
    { type: 'todos.updated', todos },
    { type: 'ledger.updated', ledger: seedLedger(state.ledger, { acceptanceAnchors: criteria }, 'plan') },
    { type: 'workflow.decided', entry: planApproved(), note },
  )
}

const awaits = 'The plan is written, and nothing was changed. It waits for approval.'

function ended(responseId: string, summary: string): Step {
  return { type: 'finish', reason: 'turn_complete', summary, responseId }
}

function isSame(plan: Plan, known: Plan | null): boolean {
  return known !== null && JSON.stringify(plan) === JSON.stringify(known)
}
