import type { Owner, SessionRow } from '@loader/session-core'
import type { Activity } from './schemas/sessions.ts'

/**
 * What goes on in a session: `row` as it is now, and what `holder` of its store says. Undefined where the store cannot tell
 * who holds a session, unless its row says enough.
 */
export function activityOf(
  { status }: Pick<SessionRow, 'status'>,
  holder: Owner | null | undefined,
): Activity | undefined {
  if (status === 'damaged') return 'damaged'
  if (holder === undefined) return undefined
  if (status === 'open') return holder === null ? 'cut_off' : 'running'
  return holder === null ? 'resting' : 'open'
}
