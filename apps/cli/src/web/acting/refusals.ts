import { LoaderError } from '@loader/session-core'
import { ActRefused } from '@loader/web/server'

/** An error that the user can do something about becomes a refusal with words; all others stay failures. */
export function asRefusal(error: unknown): never {
  if (error instanceof ActRefused || !LoaderError.is(error)) throw error
  switch (error.code) {
    case 'session_busy':
    case 'writer_fenced':
      throw new ActRefused('busy', error.message)
    case 'session_not_found':
      throw new ActRefused('not_found', error.message)
    case 'unsupported':
    case 'invalid_config':
    case 'session_damaged':
    case 'storage_full':
    case 'workspace_differs':
      throw new ActRefused(error.code, error.message)
    default:
      throw error
  }
}
