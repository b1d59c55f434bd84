import type { SessionState } from '@loader/session-core'
import { evidenceOf } from './evidence-of.ts'
import { goalOfTurn } from './goal-of-turn.ts'

/**
 * The machine on which checks of the goal were judged, where the session has gone on from it and this one may show
 * something else: its environment has another digest, or none was taken. Undefined where the judgement holds here.
 */
export function judgedElsewhere(state: SessionState): string | undefined {
  const { place } = state
  if (place?.since === undefined) return undefined
  const runs = goalOfTurn(state)?.checks.map((check) => evidenceOf(state, check)) ?? []
  const other = runs.find(
    (run) =>
      run?.judgement !== undefined &&
      run.place !== undefined &&
      run.place.id !== place.id &&
      (run.environment === undefined || run.environment !== place.environment),
  )
  return other?.place?.machine
}
