import { LoaderError } from '@loader/session-core'

/** A write that was refused as a whole: nothing of it is stored, memory and disk agree, and one may go on. */
export function isRefusal(error: unknown): error is LoaderError {
  return LoaderError.is(error, 'storage_full') || LoaderError.is(error, 'storage_refused')
}
