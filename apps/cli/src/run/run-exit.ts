import type { RunResult } from '@loader/agent'
import { type EndWishes, exitCodeOfEnd } from '@loader/workflow'
import type { ExitCode } from '../console/exit-codes.ts'
import type { Cause } from './interruption.ts'

/** Ends of a turn that mean: a budget was spent. */
const budgets = new Set([
  'iteration_budget_exhausted',
  'token_budget_exhausted',
  'crash_budget_exhausted',
  'context_exhausted',
])

/** Ends that mean: it was tried often enough. */
const attempts = new Set([
  'continuation_budget_exhausted',
  'empty_response_retry_exhausted',
  'raw_text_tool_recovery_exhausted',
  'text_loop_bailout',
  'tool_batch_halted',
])

/** Ends that mean: something broke. */
const failures = new Set([
  'model_failed',
  'retry_budget_exhausted',
  'storage_full',
  'out_of_memory',
  'content_filtered',
  'compaction_failed',
  'stopped_by_hook',
])

export interface ExitFacts {
  /** Whether a permit or an answer was needed that nobody was there to give. */
  readonly unanswered: boolean
  readonly cause: Cause | undefined
  /** What the user wants more than usual. */
  readonly wishes: EndWishes
}

/** What a turn that ended means to a script. */
export function exitOf({ reason, verdict, judgement, end }: RunResult, facts: ExitFacts): ExitCode {
  const { unanswered, cause, wishes } = facts
  if (reason === 'interrupted') return codeOfCause(cause)
  if (failures.has(reason)) return 'failure'
  if (budgets.has(reason)) return 'limit'
  // Whoever lacks a permit turns in circles; what would help is the permit.
  if (unanswered) return 'needsDecision'
  if (attempts.has(reason)) return 'limit'
  if (end !== null) return exitCodeOfEnd(end, judgement, wishes) === 0 ? 'ok' : 'unverified'
  if (verdict === 'verified' || verdict === 'waived') return 'ok'
  if (verdict === null && reason === 'turn_complete') return 'ok'
  return 'unverified'
}

export function codeOfCause(cause: Cause | undefined): ExitCode {
  if (cause === 'output failed') return 'failure'
  return cause === 'SIGTERM' ? 'terminated' : 'interrupted'
}
