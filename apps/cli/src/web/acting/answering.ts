import { ActRefused, type ActAnswers, type ActBodies, type Request, type StandingQuestion } from '@loader/web/server'
import type { GivenAnswer } from '@loader/session-core/coding'
import type { Located } from '../sessions/located.ts'
import { choiceFor } from '../standing/choices.ts'
import type { Answered } from '../standing/followed-session.ts'
import { deliver } from './delivery.ts'
import { type Desk, found, from } from './desk.ts'

type Body = ActBodies['answer'] & Request

/** A question takes at least this long to read: a yes that comes sooner was meant for something else. */
const readingMs = 400

/** Answers the question that waits. Of several answers to it, the first that is in the log counts. */
export async function answerQuestion(body: Body, desk: Desk): Promise<ActAnswers['answer']> {
  const session = await found(body.session, desk)
  const known = await outcome(body, session, desk)
  if (known !== undefined) return known
  try {
    return { session: session.id, state: await given(body, session, desk) }
  } catch (error) {
    // If another answer was recorded meanwhile, the refusal names who gave it, and not the step that failed.
    const done = await outcome(body, session, desk)
    if (done === undefined) throw error
    return { session: session.id, state: 'recorded' }
  }
}

/** Records the answer for a worker, or delivers it to the process that has the session. */
async function given(body: Body, session: Located, desk: Desk): Promise<'recorded' | 'delivered'> {
  const { question, holder } = await desk.standings.of(session)
  if (question?.questionId !== body.questionId) throw closed()
  const answer = fitting(body, question)
  const message = { id: body.request, from, kind: 'answer', questionId: body.questionId, answer } as const
  // Also while another process still holds the session: a worker that has just asked, or another answer.
  if (holder?.where !== 'here' && (await desk.line?.answered(session, message))) return 'recorded'
  const delivered = await deliver(message, session, desk)
  if (delivered === 'delivered') return 'delivered'
  if ((await outcome(body, session, desk)) === undefined) throw closed()
  return 'recorded'
}

/** The known result for this question: whether this request has answered it already, or who was first. */
async function outcome(body: Body, session: Located, desk: Desk): Promise<ActAnswers['answer'] | undefined> {
  const followed = desk.standings.followed(session)
  await followed.now()
  const answered = followed.answerTo(body.questionId)
  if (answered === undefined) return undefined
  if (answered.via?.id !== body.request) throw answeredElsewhere(answered)
  return { session: session.id, state: 'recorded', repeated: true }
}

/** The answer, if it is one to what was shown, in its full length. */
function fitting({ answer, shown, rule }: Body, question: StandingQuestion): GivenAnswer {
  if (shown !== question.shown) {
    throw new ActRefused(
      'changed',
      'The question is not the one that was shown. Nothing was recorded. Look at it again.',
    )
  }
  if (question.kind === 'question') {
    if (answer.kind === 'words') return answer
    throw new ActRefused('changed', 'No permission is asked for: answer in words.')
  }
  const choice = choiceFor(answer, question.choices)
  if (answer.kind === 'words' || choice === undefined) {
    throw new ActRefused('changed', 'A permission is asked for: take one of the choices.')
  }
  if (choice.rule !== rule) {
    throw new ActRefused(
      'changed',
      'A yes that lasts names the rule that it adds, as it was shown. Nothing was recorded.',
    )
  }
  if (answer.permit === 'allow' && answer.words !== undefined && !question.isPlan) {
    throw new ActRefused('changed', 'Words go with a no. Nothing was recorded.')
  }
  if (answer.permit === 'allow' && Date.now() - Date.parse(question.askedAt) < readingMs) {
    throw new ActRefused('too_soon', 'The question had just appeared. Nothing was recorded: read it, and answer again.')
  }
  return answer
}

function closed(): ActRefused {
  return new ActRefused('question_closed', 'This question is not open any more. Nothing was recorded.')
}

function answeredElsewhere({ by, via, permit }: Answered): ActRefused {
  const who = by !== 'user' ? 'runtime' : via === undefined ? 'terminal' : 'browser'
  const places = { terminal: 'at the terminal', browser: 'in another window of the browser', runtime: 'by the runtime' }
  const what = permit === undefined ? 'answered' : permit === 'allow' ? 'allowed' : 'denied'
  const message = `It was ${what} ${places[who]} before. Your answer was not recorded.`
  return new ActRefused('answered_elsewhere', message, { by: who, ...(permit !== undefined && { permit }) })
}
