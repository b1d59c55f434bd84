import type { VerificationObservation } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { entry, type EntryReason } from './entry.ts'

export interface VerifyReason extends EntryReason {
  /** The first one decides the outcome. */
  readonly verificationObservations: readonly VerificationObservation[]
}

/** The entry for results of checks. */
export function verifyEntry(reason: VerifyReason): Decided {
  return verification('verify_observation', reason, reason.verificationObservations[0]?.status ?? 'missing')
}

/** The entry for a turn without anything to verify. */
export function verifySkipEntry(reason: EntryReason): Decided {
  return verification('verify_skip', reason, 'skipped')
}

function verification(
  kind: 'verify_observation' | 'verify_skip',
  { code, summary, ...details }: EntryReason,
  outcome: VerificationObservation['status'],
): Decided {
  return entry({
    decisionKind: 'forced',
    ...details,
    kind,
    reasonCode: code,
    summary: `verify: ${summary}`,
    policyStage: 'verification',
    policyOutcome: outcome,
  })
}
