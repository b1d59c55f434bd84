import { isStorageRefusal } from '@loader/session-core'
import type { SessionState } from '@loader/session-core'
import { nextMove } from '@loader/workflow'
import { perform } from './perform.ts'
import type { Stage } from './stage/stage.ts'

/** A running turn, for code that may stop it. */
export interface RunningTurn {
  /** The input that the run was started for, once it is durable. */
  inputId: string | undefined
  /** Set when the turn is asked to stop. */
  stopped: { readonly by: string; readonly reason?: string } | undefined
  ended: Promise<void>
  stop(by: string, reason?: string): void
}

/**
 * Performs moves until there is none. Streaming, headless, resumed and replayed runs are this same loop with other
 * ports, and a crash is a pause between two rounds.
 *
 * An error stops the turn, which is settled and ended like any other. Then the error is thrown, unless the disk refused
 * a write: the end of the turn reports that. A second error ends the run at once.
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

/** Whether the input that began the run is still queued. It is taken even when stopping, to be part of the conversation. */
function isWaiting({ queue }: SessionState, inputId: string | undefined): boolean {
  return queue.some((input) => input.inputId === inputId)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
