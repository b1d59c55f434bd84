import type { ModelFailure } from '@loader/session-core'
import type { Policy, WorkflowMode } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { repairEntry } from './repair-entry.ts'

interface FallbackReason {
  readonly mode: WorkflowMode
  readonly fallback: NonNullable<Policy['fallback']>
  /** How long the model was waited for. */
  readonly waitedMs: number
  /** How long the next wait would be. */
  readonly wait: number
  readonly error: ModelFailure | undefined
}

/** The entry for a turn that goes on with another model, because its own cannot be waited for any longer. */
export function fallbackEntry({ mode, fallback, waitedMs, wait, error }: FallbackReason): Decided {
  const { model, of, afterMs } = fallback
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
  return repairEntry({
    mode,
    stage: 'model_failure',
    outcome: 'retry',
    code: 'fallback_model',
    summary: `${model} takes over from ${of} for the rest of this turn`,
    evidenceSummary: [
      `${of} cannot answer now (${error?.kind ?? 'other'}): ${error?.message ?? 'no reason given'}`,
      `waited ${seconds(waitedMs)}; the next wait would be ${seconds(wait)}, and ${seconds(afterMs)} are allowed`,
    ],
  })
}
