import { isStorageRefusal, LoaderError } from '@loader/session-core'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Ends the turn. Every turn ends here. */
export async function finish(step: StepOf<'finish'>, { session }: Stage): Promise<void> {
  const { turn } = session.state
  if (turn === null)
    throw new LoaderError('impossible_event', 'There is no turn to finish. Ask for the next step again.')
  const { reason, summary, responseId, verdict, judgement, end } = step
  const notStored = notStoredAt[reason]
  await session.append({
    type: 'turn.finished',
    turnId: turn.id,
    reason,
    summary,
    responseId,
    verdict,
    judgement,
    end,
    notStored,
  })
  try {
    if (notStored === undefined) await session.save({ snapshot: false })
  } catch (error) {
    // The log is complete; the snapshot is only a cache and stays older.
    if (!isStorageRefusal(error)) throw error
  }
}

const notStoredAt: Readonly<Record<string, string>> = {
  storage_full: 'what came last did not fit on the disk',
  storage_refused: 'what came last was refused by the disk',
}
