import { createHash } from 'node:crypto'

/** The session that a request begins or copies: the same one however often it is sent, also to another server. */
export function sessionIdOf(request: string): string {
  return `ses_web${createHash('sha256').update(request).digest('hex').slice(0, 24)}`
}
