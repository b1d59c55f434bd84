import { Keys } from './keys.ts'

/**
 * What is behind the `#` of an address that shows one session, read-only, in every server that has this token. It tells nothing
 * of the token.
 */
export function linkToSession(token: string, id: string): string {
  return `#token=${encodeURIComponent(new Keys(token).linkTo(id))}`
}
