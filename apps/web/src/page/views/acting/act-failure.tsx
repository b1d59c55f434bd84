import { inOneLine } from '@loader/readings'
import type { RequestError } from '../../connection/login.ts'

/** Why something was not done, where it was asked for, and what to do. */
export function ActFailure({ failure, what }: { failure: RequestError | null; what: string }) {
  return (
    <p class="act-failure" role="alert">
      {failure !== null && wordsFor(failure, what)}
    </p>
  )
}

function wordsFor({ code, message, first: { by, permit } }: RequestError, what: string): string {
  switch (code) {
    case 'no_answer':
      return `The server has not answered, so it is not known whether it has this. ${what} is kept here; do it again, and it is done once.`
    case 'answered_elsewhere':
      return `${firstWords(by)} was first${permit === undefined ? '' : permit === 'allow' ? ' and allowed it' : ' and denied it'}. Your answer was not used.`
    default:
      return inOneLine(message)
  }
}

function firstWords(by: string | undefined): string {
  switch (by) {
    case 'terminal':
      return 'A terminal'
    case 'browser':
      return 'Another browser window'
    default:
      return 'Something else'
  }
}
