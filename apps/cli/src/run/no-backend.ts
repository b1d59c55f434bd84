import { type Backend, LoaderError } from '@loader/session-core'

/** For commands that need an agent but no model. */
export const noBackend: Backend = {
  id: 'none/none',
  stream() {
    throw new LoaderError('unsupported', 'This asks no model, and here was one asked.')
  },
}
