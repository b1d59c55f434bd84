import * as z from 'zod/mini'
import { LoaderError } from './errors.ts'
import { nonEmpty } from './schema.ts'

const pattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const deviceNames = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

/**
 * A session id is also a file name: no dots (`a.1` would be a segment of `a`), no device name of Windows, and two ids
 * that differ only in case are the same session.
 */
export const SessionId = /* @__PURE__ */ z.string().check(
  /* @__PURE__ */ z.regex(pattern),
  /* @__PURE__ */ z.refine((id) => !deviceNames.test(id), 'is a device name on Windows'),
)
export type SessionId = z.infer<typeof SessionId>

/**
 * Throws `invalid_id` unless the text can be a session id. Stores use ids as file names, so call it on ids from users.
 */
export function assertSessionId(id: string): void {
  if (typeof id === 'string' && pattern.test(id) && !deviceNames.test(id)) return
  throw new LoaderError(
    'invalid_id',
    `${JSON.stringify(id)} cannot be a session id. Use 1 to 64 letters, digits, "_" or "-", beginning with a letter ` +
      'or digit, and no device name such as "con".',
  )
}

/** The id of a message, turn, input, request, call, question, check or entry: made once, never derived from content. */
export const Id = /* @__PURE__ */ nonEmpty.check(/* @__PURE__ */ z.maxLength(256))
