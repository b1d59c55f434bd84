import { LoaderError } from '@loader/session-core'
import type { VerificationGround } from '@loader/session-core/coding'
import { standingsKept } from '@loader/workflow'
import { groundFor } from '../files/ground-for.ts'
import { untilAborted } from '../stage/abort.ts'
import type { Stage } from '../stage/stage.ts'

/** Records what the checks of the goal run on, and what they are compared with. */
export async function beginVerification(stage: Stage): Promise<void> {
  const { session, signal } = stage
  session.send()
  const ground = await untilAborted(groundOf(stage), signal)
  const { turn } = session.state
  if (ground === undefined || turn === null) return
  const kept = standingsKept(session.state, ground)
  session.record({ type: 'verification.started', turnId: turn.id, ground, ...(kept.length > 0 && { kept }) })
}

async function groundOf({ session, workspace }: Stage): Promise<VerificationGround> {
  const { trials } = workspace
  const { workspace: seen } = session.state
  if (trials === undefined) return { noRooms: 'this workspace has no rooms for checks' }
  if (seen?.tree == null) return { noRooms: seen?.noTree ?? 'no tree of the files was taken' }
  try {
    return await groundFor(trials, seen.tree, session)
  } catch (error) {
    // The tree from before the work was pruned, so there is nothing to compare with.
    if (LoaderError.is(error, 'blob_missing')) return { noRooms: error.message }
    throw error
  }
}
