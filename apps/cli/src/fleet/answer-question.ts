import { type EventInput, LoaderError, readSession, Session, type SessionStore, type Via } from '@loader/session-core'
import type { GivenAnswer } from '@loader/session-core/coding'
import { localEnvironment } from '@loader/agent/local'
import { commandOwner } from '../sessions/owner.ts'
import { onceFree } from '../sessions/once-free.ts'
import { type OpenQuestion, openQuestion } from './open-question.ts'

export type { GivenAnswer } from '@loader/session-core/coding'

/**
 * Records the answer to the question that waits in a session. `onHeld` is called while the session is held, before the
 * answer is stored. The answer is durable when this resolves; another answer to the same question is refused.
 */
export async function answerQuestion(
  store: SessionStore,
  id: string,
  answer: GivenAnswer,
  onHeld: (session: Session) => Promise<void>,
  via?: Via,
): Promise<OpenQuestion> {
  const session = await loadedForAnswer(store, id)
  try {
    const question = openQuestion(session.state)
    if (question === undefined) throw nothingAsked(id)
    requireFitting(question, answer)
    await onHeld(session)
    await session.append({ ...(await eventOf(question, answer, session)), ...(via && { via }) })
    return question
  } finally {
    await session.close()
  }
}

/** The process that asked holds the session until it has stored that it waits. Readers may see the question before that. */
function loadedForAnswer(store: SessionStore, id: string): Promise<Session> {
  const load = () => Session.load(store, id, { environment: localEnvironment(), owner: commandOwner })
  const isOpen = async () => openQuestion((await readSession(store, id, { gaps: 'mark' })).state) !== undefined
  return onceFree(load, { mostTries: 50, makesSense: isOpen })
}

export function nothingAsked(id: string): LoaderError {
  return new LoaderError('unsupported', `No question waits for an answer in session ${id}. Nothing was recorded.`)
}

function requireFitting({ kind }: OpenQuestion, answer: GivenAnswer): void {
  if (kind === 'permit' && answer.kind === 'words') {
    throw new LoaderError(
      'invalid_config',
      'A permission is asked for: answer with --allow or --deny, and words if you like.',
    )
  }
  if (kind === 'question' && answer.kind === 'permit') {
    throw new LoaderError('invalid_config', 'No permission is asked for: answer in words.')
  }
}

type Answered = Extract<EventInput, { type: 'question.answered' }>

async function eventOf({ questionId }: OpenQuestion, answer: GivenAnswer, session: Session): Promise<Answered> {
  const about = { type: 'question.answered', questionId, outcome: 'answered', by: 'user' } as const
  const { words } = answer
  const said = words === undefined ? {} : { answer: await session.storeText(words) }
  return answer.kind === 'words'
    ? { ...about, ...said }
    : { ...about, permit: answer.permit, scope: answer.scope, ...(answer.extent && { extent: answer.extent }), ...said }
}
