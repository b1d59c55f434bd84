import { isStorageRefusal } from '@loader/session-core'
import type { SessionState, Via } from '@loader/session-core'
import { nextStep } from '@loader/workflow'
import { noteBackground } from './note-background.ts'
import { noteHooksApart } from './note-hooks-apart.ts'
import { perform } from './perform.ts'
import { abortSource } from './stage/abort.ts'
import type { Stage } from './stage/stage.ts'

/** Who stopped a turn, and why. */
interface Stopped {
  readonly by: string
  readonly reason?: string
  readonly via?: Via
}

/** A running turn, for code that may stop it. */
export interface RunningTurn {
  /** The input that the run was started for, once it is durable. */
  inputId: string | undefined
  /** Set when the turn is asked to stop. */
  stopped: Stopped | undefined
  /** Set when the work is to be left as it is, with the turn open. */
  isPausing: boolean
  ended: Promise<void>
  stop(by: string, reason?: string, via?: Via): void
}

/**
 * Why the loop was left: nothing is to be done, one turn has ended and no more was wanted, a question waits for an answer
 * from elsewhere, or the work was paused.
 */
export type LoopEnd = 'rest' | 'turn_ended' | 'waiting' | 'paused'

/**
 * Performs steps until there is none. Streaming, headless, resumed and replayed runs are this same loop with other
 * ports, and a crash is a pause between two rounds.
 *
 * An error stops the turn, which is settled and ended like any other. Then the error is thrown, unless the disk refused
 * a write: the end of the turn reports that. A second error ends the run at once.
 */
export async function runUntilRest(stage: Stage, running: RunningTurn): Promise<LoopEnd> {
  const { session } = stage
  let firstError: { readonly error: unknown } | undefined
  let end: LoopEnd | 'goes on' = 'goes on'
  while (end === 'goes on') {
    try {
      end = await oneRound(stage, running)
    } catch (error) {
      if (firstError !== undefined) throw isStorageRefusal(firstError.error) ? error : firstError.error
      if (session.state.turn === null) throw error
      firstError = { error }
      running.stop('runtime', isStorageRefusal(error) ? error.code : `something went wrong: ${messageOf(error)}`)
    }
  }
  if (firstError !== undefined && !isStorageRefusal(firstError.error)) throw firstError.error
  return end
}

async function oneRound(stage: Stage, running: RunningTurn): Promise<LoopEnd | 'goes on'> {
  const { session, shift } = stage
  const { turn } = session.state
  if (running.stopped !== undefined) {
    if (turn?.stop === null) {
      session.record({ type: 'stop.requested', turnId: turn.id, ...running.stopped })
      return 'goes on'
    }
    if (turn === null && !isWaiting(session.state, running.inputId)) return 'rest'
  }
  noteBackground(session, stage.background)
  noteHooksApart(session, stage.hooksApart?.going)
  const step = nextStep(session.state)
  if (step.type === 'rest') return 'rest'
  if (running.stopped === undefined && running.isPausing && !isCut(session.state)) {
    // What calls have done to files is looked at before it is left, also where the calls were cut off.
    if (step.type !== 'observe') return 'paused'
    await perform(step, { ...stage, signal: abortSource().signal })
    return 'goes on'
  }
  if (shift && step.type === 'ask_user' && step.questionId !== undefined) return 'waiting'
  await perform(step, stage)
  return shift && step.type === 'finish' ? 'turn_ended' : 'goes on'
}

/** Whether a request was just cut off by this process, which is recorded before it is left: it counts as no crash. */
function isCut({ turn }: SessionState): boolean {
  return turn?.request?.status === 'asked'
}

/** Whether the input that began the run is still queued. It is taken even when stopping, to be part of the conversation. */
function isWaiting({ queue }: SessionState, inputId: string | undefined): boolean {
  return queue.some((input) => input.inputId === inputId)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
