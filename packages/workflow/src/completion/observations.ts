import { excerptOf, type SessionState, shownText } from '@loader/session-core'
import type { Check, Evidence, EvidenceProvenance, VerificationObservation } from '@loader/session-core/coding'
import { passedBefore } from '../goal/evidence-of.ts'
import { outcomeOf } from '../goal/verdict-of.ts'
import { attemptId, sourceOf } from './attempt.ts'

const longestLine = 120

type Status = VerificationObservation['status']

/** What is known of a check that has not run in an attempt yet. */
export function awaited(check: Check, status: 'planned' | 'pending', attempt: number): VerificationObservation {
  return {
    status,
    summary: `\`${check.command}\` is ${status}`,
    command: check.command,
    kind: check.kind,
    attemptId: attemptId(attempt),
    attemptNumber: attempt,
  }
}

/** What a run of an earlier attempt has shown, and that it counts no more. */
export function outdated(check: Check, attempt: number): VerificationObservation {
  return {
    status: 'stale',
    summary: `\`${check.command}\` passed before the workspace changed`,
    command: check.command,
    kind: check.kind,
    attemptId: attemptId(attempt),
    attemptNumber: attempt,
    supersedesAttemptId: attemptId(attempt + 1),
  }
}

/** What a run has shown. */
export function observed(
  state: SessionState,
  check: Check,
  evidence: Evidence,
  attempt: number,
): VerificationObservation {
  const status = statusOf(check, evidence)
  const detail = [firstLine(evidence), ...(passedBefore(state, check) ? [notDiscriminating] : [])].filter(Boolean)
  return {
    status,
    summary: `\`${check.command}\` ${said[status]}`,
    command: check.command,
    kind: check.kind,
    ...(evidence.exitCode !== null && { exitCode: evidence.exitCode }),
    ...(detail.length > 0 && { detail: detail.join('; ') }),
    attemptId: attemptId(attempt),
    attemptNumber: attempt,
  }
}

/** The same as a reason for or against being done. */
export function provenanceOf(check: Check, evidence: Evidence): EvidenceProvenance {
  const status = statusOf(check, evidence)
  const detail = firstLine(evidence)
  return {
    category: 'verification',
    source: sourceOf(evidence.runId),
    summary: `\`${check.command}\` ${said[status]}`,
    status: status === 'passed' ? 'supports' : status === 'failed' ? 'contradicts' : 'missing',
    subject: check.command,
    ...(detail !== '' && { detail }),
  }
}

/** A check that passes without the work says nothing about it. */
const notDiscriminating = 'not discriminating: it passed before the work as well'

const said = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'could not be run here',
} as const satisfies Partial<Record<Status, string>>

function statusOf(check: Check, evidence: Evidence): keyof typeof said {
  const outcome = outcomeOf(check, evidence)
  // A check that was cut off has shown nothing in its favour.
  return outcome === 'interrupted' ? 'failed' : outcome
}

/** The line of the output that tells most: the first with something in it. */
function firstLine({ output }: Evidence): string {
  const line = shownText(output)
    .split('\n')
    .find((each) => each.trim() !== '')
  return excerptOf(line ?? '', longestLine)
}
