import type { HooksApart } from './stage/hooks-apart.ts'
import type { WorkingSession } from './stage/stage.ts'

/** Records the ends of background hooks. They can end at any time, so each round of the loop checks. */
export function noteHooksApart(
  session: Pick<WorkingSession, 'state' | 'recordAll'>,
  hooks: Pick<HooksApart, 'take'> | undefined,
): void {
  const ended = hooks?.take() ?? []
  const { hooksApart = [] } = session.state
  const known = ended.filter(({ id }) => hooksApart.some((each) => each.id === id && each.ended === undefined))
  if (known.length > 0) session.recordAll(known)
}
