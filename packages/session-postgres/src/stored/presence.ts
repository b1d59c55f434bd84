import { LoaderError } from '@loader/session-core'

export function notFound(id: string): LoaderError {
  return new LoaderError(
    'session_not_found',
    `There is no session ${id} in this database. List the sessions to see which there are.`,
  )
}
