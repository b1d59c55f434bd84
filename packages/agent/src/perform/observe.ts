import type { EventInput } from '@loader/session-core'
import { unlessAborted } from '../stage/abort.ts'
import { listing } from '../stage/baseline.ts'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Looks at the workspace, without any effect on it. */
export async function observe({ look, why }: MoveOf<'observe'>, stage: Stage): Promise<void> {
  const { session, workspace, signal, baseline } = stage
  if (look.fingerprint || look.baseline) session.send()
  const looking = Promise.all([
    look.facts && workspace.facts(),
    look.paths && workspace.look(look.paths),
    look.grounding === undefined ? undefined : workspace.ground(look.grounding),
    look.fingerprint || look.baseline ? workspace.snapshot({ signal }) : undefined,
  ])
  const seen = await unlessAborted(looking, signal)
  if (seen === undefined) return
  const [facts, paths, grounding, snapshot] = seen
  const { turn } = session.state
  const event: Extract<EventInput, { type: 'workspace.observed' }> = {
    type: 'workspace.observed',
    why,
    facts: facts === undefined ? undefined : { ...facts },
    paths: paths && [...paths],
    grounding,
    fingerprint: snapshot?.fingerprint,
  }
  if (snapshot === undefined || turn === null) {
    session.record(event)
    return
  }
  if (look.baseline) {
    baseline.remember(turn, snapshot)
    session.record({ ...event, baseline: await session.storeText(listing(snapshot)) })
    return
  }
  session.record({ ...event, changed: await baseline.changesTo(snapshot, session) })
}
