import type { ToolContext } from '@loader/session-core/coding'
import type { Stage } from '../stage/stage.ts'
import { abortSource, untilAborted } from '../stage/abort.ts'
import { askQuestion } from './ask-user.ts'

type Ask = NonNullable<ToolContext['ask']>

/** The questions of one running call. A session has one open question at a time, so they are asked one after the other. */
export interface AskDuringCall {
  readonly ask: Ask
  /** The call is over: a question that is still open is closed, and no other is asked. */
  close(): void
}

export function askDuringCall(stage: Stage, callId: string): AskDuringCall {
  const { session, environment, askUser, subscribe } = stage
  const over = abortSource()
  const stop = () => over.abort()
  stage.signal.addEventListener('abort', stop)
  let open: string | undefined
  const one: Ask = async (question) => {
    if (over.signal.aborted) return undefined
    const questionId = environment.newId('q')
    session.record({ type: 'question.asked', questionId, kind: 'question', callId, ...question })
    open = questionId
    await session.durable()
    const answer = await askQuestion({ question }, questionId, { session, signal: over.signal, askUser, subscribe })
    if (!over.signal.aborted) open = undefined
    return answer
  }
  return {
    async ask(question) {
      const before = turns.get(session) ?? Promise.resolve()
      const asked = before.then(() => one(question))
      turns.set(
        session,
        asked.catch(() => undefined),
      )
      return untilAborted(asked, over.signal)
    },
    close() {
      stage.signal.removeEventListener('abort', stop)
      over.abort()
      if (open === undefined) return
      const { question } = session.state.turn ?? {}
      if (question?.id === open && question.answer === undefined) {
        session.record({ type: 'question.answered', questionId: open, outcome: 'unanswered', by: 'runtime' })
      }
    },
  }
}

const turns = new WeakMap<Stage['session'], Promise<unknown>>()
