import { type PermitQuestion, requirePermitAnswer, requireWords } from '@loader/session-core/coding'
import { untilAborted } from '../stage/abort.ts'
import type { Stage } from '../stage/stage.ts'
import type { MoveOf } from '../stage/move-of.ts'
import { openCall } from './open-call.ts'

/** Asks the user a question, once it is durable. In a non-interactive run, the missing answer is recorded at once. */
export async function askUser(move: MoveOf<'ask_user'>, stage: Stage): Promise<void> {
  const { session, environment } = stage
  const questionId = move.questionId ?? environment.newId('q')
  if (move.questionId === undefined) {
    const { kind, callId, question } = move
    if (kind === 'question' && !hasStarted(stage, callId)) session.record({ type: 'tool.started', callId })
    session.record({ type: 'question.asked', questionId, kind, callId, ...question })
  }
  await session.durable()
  if (move.kind === 'permit') return askPermit(move, questionId, stage)
  return askQuestion(move, questionId, stage)
}

async function askPermit(move: MoveOf<'ask_user'>, questionId: string, stage: Stage): Promise<void> {
  const { session, approver, signal } = stage
  const { callId, question, reason = 'a permit is needed', proposal: rule } = move
  const tool = question.title ?? callId
  const title = stage.tools.find(({ name }) => name === tool)?.title
  const about = { ...(title !== undefined && { title }), ...neededFor(callId, stage), ...(rule && { rule }) }
  const asked = approver?.decide({ questionId, callId, tool, preview: question.text, reason, ...about }, { signal })
  const answer: unknown = asked && (await untilAborted(asked, signal))
  if (signal.aborted) return
  if (approver === undefined) {
    session.record({ type: 'question.answered', questionId, outcome: 'unanswered', by: 'runtime' })
    return
  }
  requirePermitAnswer(answer)
  const { permit, scope } = answer
  session.record({
    type: 'question.answered',
    questionId,
    outcome: 'answered',
    by: 'user',
    permit,
    scope,
    answer: answer.reason,
  })
}

/** How far the call needs to reach, and why. */
function neededFor(callId: string, { session }: Stage): Pick<PermitQuestion, 'reach' | 'why'> {
  const { reach, why } = openCall(session, callId).examined ?? {}
  return { ...(reach && { reach }), ...(why !== undefined && { why }) }
}

async function askQuestion({ question }: MoveOf<'ask_user'>, questionId: string, stage: Stage): Promise<void> {
  const { session, signal } = stage
  const { title, options } = question
  const text = await session.readText(question.text)
  const asked = stage.askUser?.(
    { questionId, text, ...(title !== undefined && { title }), ...(options && { options: options.map(asOption) }) },
    { signal },
  )
  const answer: unknown = asked && (await untilAborted(asked, signal))
  requireWords(answer)
  if (answer === undefined) {
    if (!signal.aborted) session.record({ type: 'question.answered', questionId, outcome: 'unanswered', by: 'runtime' })
    return
  }
  const words = await session.storeText(answer)
  session.record({ type: 'question.answered', questionId, outcome: 'answered', by: 'user', answer: words })
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
