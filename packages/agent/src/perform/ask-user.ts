import { type PermissionQuestion, requirePermissionAnswer, requireWords } from '@loader/session-core/coding'
import { askSomebody } from '../inbox/ask-somebody.ts'
import type { Stage } from '../stage/stage.ts'
import type { StepOf } from '../stage/step-of.ts'
import { openCall } from './open-call.ts'

/**
 * Asks the user a question, once it is durable. In a non-interactive run, the missing answer is recorded at once; in a
 * shift the question stays open, and can be answered in the store.
 */
export async function askUser(step: StepOf<'ask_user'>, stage: Stage): Promise<void> {
  const { session, environment } = stage
  const questionId = step.questionId ?? environment.newId('q')
  if (step.questionId === undefined) {
    const { kind, callId, question } = step
    if (kind === 'question' && callId !== undefined && !hasStarted(stage, callId))
      session.record({ type: 'tool.started', callId })
    session.record({ type: 'question.asked', questionId, kind, callId, ...question })
  }
  await session.durable()
  if (stage.shift) return
  if (step.kind === 'permit') return askPermission(step, questionId, stage)
  await askQuestion(step, questionId, stage)
}

async function askPermission(step: StepOf<'ask_user'>, questionId: string, stage: Stage): Promise<void> {
  const { session, approver } = stage
  const { callId, question, reason = 'a permission is needed', proposal: rule, exactProposal: exactRule } = step
  const tool = question.title ?? callId ?? ''
  const title = stage.tools.find(({ name }) => name === tool)?.title
  const rules = { ...(rule && { rule }), ...(exactRule && { exactRule }) }
  const about = { ...(title !== undefined && { title }), ...neededFor(callId, stage), ...rules }
  const call = callId === undefined ? {} : { callId }
  const asked = { questionId, ...call, tool, preview: question.text, reason, ...about }
  const given = await askSomebody(stage, questionId, (over) => approver?.decide(asked, { signal: over }))
  if (given.kind !== 'here') return
  if (approver === undefined) {
    session.record({ type: 'question.answered', questionId, outcome: 'unanswered', by: 'runtime' })
    return
  }
  const answer: unknown = given.answer
  requirePermissionAnswer(answer)
  const { permit, scope, extent } = answer
  session.record({
    type: 'question.answered',
    questionId,
    outcome: 'answered',
    by: 'user',
    permit,
    scope,
    extent,
    answer: answer.reason,
  })
}

/** How far the call needs to reach, and why. */
function neededFor(callId: string | undefined, { session }: Stage): Pick<PermissionQuestion, 'reach' | 'why'> {
  if (callId === undefined) return {}
  const { reach, why } = openCall(session, callId).examined ?? {}
  return { ...(reach && { reach }), ...(why !== undefined && { why }) }
}

/** Asks a question of the model, or of a running call. Undefined if it was not answered. */
export async function askQuestion(
  { question }: Pick<StepOf<'ask_user'>, 'question'>,
  questionId: string,
  stage: Pick<Stage, 'session' | 'signal' | 'askUser' | 'subscribe'>,
): Promise<string | undefined> {
  const { session } = stage
  const { title, options } = question
  const text = await session.readText(question.text)
  const asked = {
    questionId,
    text,
    ...(title !== undefined && { title }),
    ...(options && { options: options.map(asOption) }),
  }
  const given = await askSomebody(stage, questionId, (over) => stage.askUser?.(asked, { signal: over }))
  if (given.kind === 'elsewhere') return answerInSession(session)
  if (given.kind === 'stopped') return undefined
  const answer: unknown = given.answer
  requireWords(answer)
  if (answer === undefined) {
    session.record({ type: 'question.answered', questionId, outcome: 'unanswered', by: 'runtime' })
    return undefined
  }
  const words = await session.storeText(answer)
  session.record({ type: 'question.answered', questionId, outcome: 'answered', by: 'user', answer: words })
  return answer
}

/** What was answered elsewhere, to the question that was asked last. */
async function answerInSession(session: Stage['session']): Promise<string | undefined> {
  const words = session.state.turn?.question?.answer?.answer
  return words === undefined ? undefined : session.readText(words)
}

function asOption({ label, description }: { readonly label: string; readonly description?: string | undefined }) {
  return description === undefined ? { label } : { label, description }
}

function hasStarted({ session }: Stage, callId: string): boolean {
  return (
    session.state.turn?.calls.some(({ call, startedEpoch }) => call.id === callId && startedEpoch !== undefined) ??
    false
  )
}
