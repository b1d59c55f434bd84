import { readSession, type SessionRow, type SessionStore, withCapability } from '@loader/session-core'
import { Dispatch } from '@loader/session-postgres/dispatch'
import { inText } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { answerQuestion, type GivenAnswer, nothingAsked } from '../fleet/answer-question.ts'
import { type OpenQuestion, openQuestion } from '../fleet/open-question.ts'
import { offered } from '../fleet/queue-task.ts'
import { requiredStore } from '../fleet/required-store.ts'
import { fullText } from '../sessions/chosen-session.ts'
import { placesOf } from '../places/places.ts'
import type { AnswerOutput } from '../schemas/answer.ts'
import { databaseStore } from '../sessions/database-store.ts'
import { requireSession } from '../sessions/find-session.ts'

/** Shows the question that a session waits with, or answers it. A worker goes on from there. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const address = await requiredStore(given, console)
  const store = databaseStore(address, { root: placesOf(given, console).root })
  try {
    const row = await requireSession(store, given.words[0])
    const answer = answerIn(given)
    const output = answer === undefined ? await asked(store, row) : await answered(store, row, answer)
    if (given.has('json')) printJson(console, output)
    else printLines(console, linesOf(output))
    return 'ok'
  } finally {
    await store.close()
  }
}

function answerIn(given: Given): GivenAnswer | undefined {
  const words = given.words.slice(1).join(' ').trim()
  const [allow, deny, scope] = [
    given.has('allow'),
    given.has('deny'),
    given.has('session') ? 'session' : 'once',
  ] as const
  if (allow && deny) throw new UsageError('--allow and --deny are both given.', 'answer')
  if (given.has('session') && !allow && !deny) throw new UsageError('--session goes with --allow or --deny.', 'answer')
  if (!allow && !deny) return words === '' ? undefined : { kind: 'words', words }
  return { kind: 'permit', permit: allow ? 'allow' : 'deny', scope, ...(words !== '' && { words }) }
}

async function asked(store: SessionStore, row: SessionRow): Promise<AnswerOutput> {
  const { state } = await readSession(store, row.id, { gaps: 'mark' })
  const question = openQuestion(state)
  if (question === undefined) throw nothingAsked(row.id)
  return outputOf(question, store, row, false)
}

async function answered(
  store: ReturnType<typeof databaseStore>,
  row: SessionRow,
  answer: GivenAnswer,
): Promise<AnswerOutput> {
  const dispatch = new Dispatch(store)
  await untilLeft(store, row.id)
  const question = await answerQuestion(store, row.id, answer, (session) => offered(session, dispatch))
  return outputOf(question, store, row, true)
}

async function outputOf(
  { kind, title, text, options, reason }: OpenQuestion,
  store: SessionStore,
  row: SessionRow,
  isAnswered: boolean,
): Promise<AnswerOutput> {
  const whole = await fullText({ store, row }, text)
  const about = { title: title ?? null, text: whole, options, reason: reason ?? null }
  return { session: row.id, kind, ...about, answered: isAnswered }
}

/** A worker that asked gives the session free a moment later. */
async function untilLeft(store: SessionStore, id: string): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if ((await withCapability(store, 'holder').holder(id)) === null) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const mostTries = 30

function linesOf({ session, kind, title, text, options, reason, answered: isAnswered }: AnswerOutput): string[] {
  if (isAnswered) return [`Recorded. A worker goes on with ${session}; to follow: loader run -r ${session}`]
  const head = kind === 'permit' ? `May ${title ?? 'this'} run?` : (title ?? 'A question:')
  const ways =
    kind === 'permit'
      ? [`loader answer ${session} --allow`, `loader answer ${session} --deny "why"`]
      : [`loader answer ${session} "words"`]
  return [
    head,
    ...inText(text)
      .split('\n')
      .map((line) => `  ${line}`),
    ...options.map((option) => `  - ${inText(option)}`),
    ...(reason === null ? [] : [`Asked because: ${inText(reason)}`]),
    ...ways,
  ]
}
