import { excerptOf, shownText } from '@loader/session-core'
import type { Check, EvidenceProvenance, VerificationObservation } from '@loader/session-core/coding'
import type { RunOfCheck } from '../goal/evidence-of.ts'
import { judgementFrom } from '../judging/judgement-from.ts'
import { judgementWords } from '../judging/judgement-words.ts'

const longestLine = 120

/** The observation of a check that has not run yet in this attempt. */
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

/** The observation of a check that ran: the result of the run, and the judgement over all of its rooms. */
export function observed(check: Check, run: RunOfCheck, attempt: number): VerificationObservation {
  const status = statusOf(run)
  const detail = [firstLine(run), ...(run.judgement === undefined ? [] : [wordsOf(run.judgement)])].filter(Boolean)
  return {
    status,
    summary: `\`${check.command}\` ${said[status]}`,
    command: check.command,
    kind: check.kind,
    ...(run.exitCode !== null && { exitCode: run.exitCode }),
    ...(detail.length > 0 && { detail: detail.join('; ') }),
    attemptId: attemptId(attempt),
    attemptNumber: attempt,
  }
}

/** The same run, as a reason for or against being done. */
export function provenanceOf(check: Check, run: RunOfCheck): EvidenceProvenance {
  const status = statusOf(run)
  const detail = run.judgement === undefined ? firstLine(run) : wordsOf(run.judgement)
  return {
    category: 'verification',
    source: `check.finished ${run.runId}`,
    summary: `\`${check.command}\` ${said[status]}`,
    status: status === 'passed' ? 'supports' : status === 'failed' ? 'contradicts' : 'missing',
    subject: check.command,
    ...(detail !== '' && { detail }),
  }
}

function attemptId(number: number): string {
  return `verification-attempt-${number}`
}

const said = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'could not be run here',
} as const

function statusOf({ outcome, notShown }: RunOfCheck): keyof typeof said {
  if (notShown !== undefined) return 'skipped'
  // An interrupted check counts as failed, never as passed.
  return outcome === 'interrupted' ? 'failed' : outcome
}

function wordsOf(judgement: NonNullable<RunOfCheck['judgement']>): string {
  return judgementWords(judgementFrom(judgement)).said
}

/** The first line of the output that is not blank. */
function firstLine({ output }: RunOfCheck): string {
  const line = shownText(output)
    .split('\n')
    .find((each) => each.trim() !== '')
  return excerptOf(line ?? '', longestLine)
}
