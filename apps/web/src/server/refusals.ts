import { LoaderError } from '@loader/session-core'
import type { Refusal } from '../protocol.ts'

/** An answer that is no success, as every route gives it. */
export function refused(status: number, code: string, message: string): Response {
  const body: Refusal = { error: { code, message } }
  return Response.json(body, { status })
}

/** What a failure is for the page. What the store did not expect is not described: it may name anything. */
export function failed(error: unknown): Response {
  if (!LoaderError.is(error))
    return refused(500, 'failed', 'The server failed. What it says of this is where it was started.')
  switch (error.code) {
    case 'session_not_found':
    case 'blob_missing':
      return refused(404, error.code, error.message)
    case 'invalid_id':
      return refused(400, error.code, error.message)
    default:
      return refused(500, error.code, error.message)
  }
}
