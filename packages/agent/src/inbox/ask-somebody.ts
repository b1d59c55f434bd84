import type { SessionEvent, Signal } from '@loader/session-core'
import { abortSource, untilAborted } from '../stage/abort.ts'
import type { Stage } from '../stage/stage.ts'
import { isOpenQuestion } from './take-message.ts'

/** The answer to a question. `elsewhere`: it was given to another process, and is in the session. */
export type Given<Answer> =
  | { readonly kind: 'here'; readonly answer: Answer | undefined }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'stopped' }

/**
 * Asks the user of this process, while other programs may answer through the inbox of the session. The first answer that is
 * recorded counts, and ends the question here.
 */
export async function askSomebody<Answer>(
  { session, signal, subscribe }: Pick<Stage, 'session' | 'signal' | 'subscribe'>,
  questionId: string,
  ask: (signal: Signal) => Promise<Answer> | undefined,
): Promise<Given<Answer>> {
  const over = abortSource()
  const stop = () => over.abort()
  const unsubscribe = subscribe?.((event: SessionEvent) => {
    if (event.type === 'question.answered' && event.questionId === questionId) stop()
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const asked = ask(over.signal)
    const answer = asked && (await untilAborted(asked, over.signal))
    if (!isOpenQuestion(session.state, questionId)) return { kind: 'elsewhere' }
    return signal.aborted ? { kind: 'stopped' } : { kind: 'here', answer }
  } finally {
    signal.removeEventListener('abort', stop)
    unsubscribe?.()
  }
}
