import { isStorageRefusal } from '@loader/session-core'
import type { SessionState } from '@loader/session-core'
import { nextMove } from '@loader/workflow'
import { perform } from './perform.ts'
import type { Stage } from './stage/stage.ts'

/** A run as those see it who may stop it. */
export interface RunningTurn {
  /** The input that the run was started for, once it is stored. */
  inputId: string | undefined
  /** Set once somebody wants it to stop. */
  stopped: { readonly by: string; readonly reason?: string } | undefined
  ended: Promise<void>
  stop(by: string, reason?: string): void
}

/**
 * Goes on until there is nothing to do. This is all there is: a streaming, a headless, a resumed and a replayed run are
 * this loop with other ports, and a crash is a pause between two of its rounds.
 *
 * Whatever goes wrong stops the turn, which is settled and ends as on every other way; what was no refusal of the disk,
 * which the end of the turn tells of, is thrown then. When something goes wrong once more, there is no way to go on.
 */
export async function runUntilRest(stage: Stage, running: RunningTurn): Promise<void> {
  const { session } = stage
  let mishap: { readonly error: unknown } | undefined
  for (;;) {
    try {
      if ((await oneRound(stage, running)) === 'rest') break
    } catch (error) {
      if (mishap !== undefined) throw isStorageRefusal(mishap.error) ? error : mishap.error
      if (session.state.turn === null) throw error
      mishap = { error }
      running.stop('runtime', isStorageRefusal(error) ? error.code : `something went wrong: ${messageOf(error)}`)
    }
  }
  if (mishap !== undefined && !isStorageRefusal(mishap.error)) throw mishap.error
}

async function oneRound(stage: Stage, running: RunningTurn): Promise<'rest' | 'goes on'> {
  const { session } = stage
  const { turn } = session.state
  if (running.stopped !== undefined) {
    if (turn?.stop === null) {
      session.record({ type: 'stop.requested', turnId: turn.id, ...running.stopped })
      return 'goes on'
    }
    if (turn === null && !isWaiting(session.state, running.inputId)) return 'rest'
  }
  const move = nextMove(session.state)
  if (move.type === 'rest') return 'rest'
  await perform(move, stage)
  return 'goes on'
}

/** The words that began the run are said before it stops, so that they stand in the conversation. */
function isWaiting({ queue }: SessionState, inputId: string | undefined): boolean {
  return queue.some((input) => input.inputId === inputId)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
