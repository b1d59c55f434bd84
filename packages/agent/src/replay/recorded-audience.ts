import type { EventOf, SessionEvent } from '@loader/session-core'
import type { Approver, AskUser } from '@loader/session-core/coding'
import type { Hook } from '../stage/hooks.ts'
import type { ReplayDesk } from './replay-desk.ts'

/** A user who gives the recorded answers. */
export function recordedApprover({ session, answer }: ReplayDesk): Approver | undefined {
  const { upcoming } = session
  if (upcoming !== 'end' && isAnswer(upcoming) && upcoming.permit === undefined) return undefined
  return {
    decide: ({ questionId }) =>
      answer(() => {
        const { permit = 'deny', scope = 'once', extent, answer: reason } = answerTo(questionId, session) ?? {}
        return {
          permit,
          scope,
          ...(extent && { extent }),
          ...(reason !== undefined && { reason: session.text(reason) }),
        }
      }),
  }
}

export function recordedUser({ session, answer }: ReplayDesk): AskUser {
  return ({ questionId }) =>
    answer(() => {
      const words = answerTo(questionId, session)?.answer
      return words === undefined ? undefined : session.text(words)
    })
}

/** The hooks that ran next in the history, with their recorded verdicts. */
export function recordedHooks({ session }: ReplayDesk): readonly Hook[] {
  const next = session.nextHooks()
  return next.map(({ hook, on, decision, permit, input, message, context, answers, note, ran }) => ({
    name: hook,
    on: on as Hook['on'],
    run: () => ({
      decision,
      ...(permit && { permit }),
      ...(input !== undefined && { input }),
      ...(message !== undefined && { message }),
      ...(context !== undefined && { context }),
      ...(answers && { answers }),
      ...(note !== undefined && { note }),
      ...(ran && { ran }),
    }),
  }))
}

type Answer = EventOf<'question.answered'>

function isAnswer(event: SessionEvent): event is Answer {
  return event.type === 'question.answered'
}

function answerTo(questionId: string, session: ReplayDesk['session']): Answer | undefined {
  return session.find((event): event is Answer => isAnswer(event) && event.questionId === questionId)
}
