import { createHash } from 'node:crypto'

/** The id of the session that a request makes. A request that is sent again, even to another server, gives the same id. */
export function sessionIdOf(request: string): string {
  return `ses_web${createHash('sha256').update(request).digest('hex').slice(0, 24)}`
}
