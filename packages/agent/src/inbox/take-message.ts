import { type EventInput, LoaderError, type Session, type SessionState } from '@loader/session-core'
import type { GivenAnswer, InboxMessage } from '@loader/session-core/coding'

/**
 * What became of a message. `recorded`: it is in the session, durably. `repeated`: it was before. `obsolete`: its question is
 * not open any more, or its turn is over, and nothing was recorded.
 */
export type Taken = 'recorded' | 'repeated' | 'obsolete'

/** What a message does to a run, besides what it records. */
export interface Hearing {
  /** Whether a run is under way. */
  readonly isRunning: boolean
  /** The input of a message, with its text stored. */
  input(text: string, rest: Omit<Input, 'type' | 'inputId' | 'text'>, inputId: string): Promise<Input>
  /** Stops the run for a reason. */
  stop(via: NonNullable<Input['via']>): void
  /** Settles when the run has ended. */
  readonly ended: Promise<void>
}

type Input = Extract<EventInput, { type: 'input.queued' }>

/** The id of the input that a message becomes. No id is longer than 256 characters: the longest ones stay as they are. */
export function inputIdOf(messageId: string): string {
  const id = `in_${messageId}`
  return id.length > 256 ? messageId : id
}

/** Records what a message says. A message that is delivered several times is recorded once. */
export async function takeMessage(message: InboxMessage, session: Session, hearing: Hearing): Promise<Taken> {
  switch (message.kind) {
    case 'task':
    case 'words':
      return takeInput(message, session, hearing)
    case 'answer':
      return takeAnswer(message, session)
    case 'stop':
      return takeStop(message, session, hearing)
    default:
      return message satisfies never
  }
}

async function takeInput(
  message: Extract<InboxMessage, { kind: 'task' | 'words' }>,
  session: Session,
  hearing: Hearing,
): Promise<Taken> {
  const inputId = inputIdOf(message.id)
  const { turn } = session.state
  const joins = turn !== null && (message.kind === 'words' || hearing.isRunning)
  const wishes = message.kind === 'words' || joins ? {} : { mode: message.mode, doneWhen: message.doneWhen?.slice() }
  const rest = { ...wishes, ...(joins && { source: 'steering' }), via: viaOf(message) }
  const input = await hearing.input(message.text, rest, inputId)
  const open = session.state.turn
  const stops = message.kind === 'task' && !hearing.isRunning && open !== null && open.stop === null
  const stop = { type: 'stop.requested', turnId: open?.id ?? '', by: 'user', reason: 'a new task came' } as const
  try {
    await session.append(stops ? [stop, input] : [input])
  } catch (error) {
    // It was recorded before: by a process that died before it removed it, or it was delivered twice at once.
    if (LoaderError.is(error, 'id_used')) return 'repeated'
    throw error
  }
  return 'recorded'
}

async function takeAnswer(message: Extract<InboxMessage, { kind: 'answer' }>, session: Session): Promise<Taken> {
  const answered = answeredBy(message.questionId, message.answer, await wordsOf(message.answer, session))
  if (!isOpenQuestion(session.state, message.questionId)) return 'obsolete'
  await session.append({ ...answered, via: viaOf(message) })
  return 'recorded'
}

/** Whether this question waits for its answer. */
export function isOpenQuestion({ turn }: Pick<SessionState, 'turn'>, questionId: string): boolean {
  return turn?.question?.id === questionId && turn.question.answer === undefined
}

type Answered = Extract<EventInput, { type: 'question.answered' }>

async function wordsOf({ words }: GivenAnswer, session: Pick<Session, 'storeText'>): Promise<Answered['answer']> {
  return words === undefined ? undefined : session.storeText(words)
}

/** The event of an answer. */
function answeredBy(questionId: string, given: GivenAnswer, words: Answered['answer']): Answered {
  const about = { type: 'question.answered', questionId, outcome: 'answered', by: 'user' } as const
  const said = words === undefined ? {} : { answer: words }
  if (given.kind === 'words') return { ...about, ...said }
  const { permit, scope, extent } = given
  return { ...about, permit, scope, ...(extent !== undefined && { extent }), ...said }
}

async function takeStop(
  message: Extract<InboxMessage, { kind: 'stop' }>,
  session: Session,
  hearing: Hearing,
): Promise<Taken> {
  const { turn } = session.state
  if (turn === null || turn.id !== message.turnId || turn.stop !== null) return 'obsolete'
  const via = viaOf(message)
  if (!hearing.isRunning) {
    await session.append({ type: 'stop.requested', turnId: turn.id, by: 'user', via })
    return 'recorded'
  }
  const stopped = untilStopped(session, turn.id)
  hearing.stop(via)
  const by = await Promise.race([stopped.by, hearing.ended])
  stopped.forget()
  return by === message.id ? 'recorded' : 'obsolete'
}

/** The message that stopped a turn; undefined if it ended in another way. The loop records it between two steps. */
function untilStopped(session: Session, turnId: string) {
  let unsubscribe = () => {}
  const by = new Promise<string | undefined>((resolve) => {
    unsubscribe = session.subscribe((event) => {
      if (event.type === 'stop.requested' && event.turnId === turnId) resolve(event.via?.id)
      if (event.type === 'turn.finished' && event.turnId === turnId) resolve(undefined)
    })
  })
  return { by, forget: () => unsubscribe() }
}

function viaOf({ id, from }: InboxMessage): { readonly id: string; readonly from: string } {
  return { id, from }
}
