import type { Approver, AskUser } from '@loader/session-core/coding'
import type { ChildRun } from './child-agent.ts'

/**
 * Questions of a child, asked through its parent: with the name of the task, and one after the other, since several children
 * can ask while one user answers.
 */
export function askedThrough(
  title: string,
  { approver, askUser }: { readonly approver?: Approver; readonly askUser?: AskUser },
): Pick<ChildRun, 'approver' | 'askUser'> {
  const by = `for the agent "${title}"`
  return {
    ...(approver && {
      approver: {
        decide: (question, options) =>
          inTurn(approver, () => approver.decide({ ...question, reason: `${by}: ${question.reason}` }, options)),
      },
    }),
    ...(askUser && {
      askUser: (question, options) =>
        inTurn(askUser, () => askUser({ ...question, title: question.title ?? `Agent: ${title}` }, options)),
    }),
  }
}

/** The last question to each approver or user. */
const asked = new WeakMap<object, Promise<unknown>>()

async function inTurn<Answer>(whom: object, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = (asked.get(whom) ?? Promise.resolve()).then(ask)
  asked.set(
    whom,
    answer.catch(() => undefined),
  )
  return answer
}
