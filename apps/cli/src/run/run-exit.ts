import type { RunResult } from '@loader/agent'
import { type EndOptions, exitCodeOfEnd } from '@loader/workflow'
import type { ExitCode } from '../console/exit-codes.ts'
import type { Cause } from './interruption.ts'

/** Reasons of ends that mean: a budget is used up. */
const budgets = new Set([
  'iteration_budget_exhausted',
  'token_budget_exhausted',
  'cost_budget_exhausted',
  'crash_budget_exhausted',
  'context_exhausted',
])

/** Reasons that mean: too many attempts. */
const attempts = new Set([
  'continuation_budget_exhausted',
  'empty_response_retry_exhausted',
  'raw_text_tool_recovery_exhausted',
  'text_loop_bailout',
  'tool_batch_halted',
])

/** Reasons that mean: a failure. */
const failures = new Set([
  'model_failed',
  'retry_budget_exhausted',
  'wait_budget_exhausted',
  'storage_full',
  'out_of_memory',
  'content_filtered',
  'compaction_failed',
  'stopped_by_hook',
])

export interface ExitFacts {
  /** Whether a permission or an answer was needed in a non-interactive run. */
  readonly unanswered: boolean
  readonly cause: Cause | undefined
  /** The requirements of the user beyond the default. */
  readonly turnOptions: EndOptions
}

/** The exit code for an ended turn. */
export function exitOf({ reason, verdict, judgement, end }: RunResult, facts: ExitFacts): ExitCode {
  const { unanswered, cause, turnOptions } = facts
  if (reason === 'interrupted') return codeOfCause(cause)
  if (failures.has(reason)) return 'failure'
  if (budgets.has(reason)) return 'limit'
  // A missing permission comes first: without it the model runs into other limits, and granting it is the remedy.
  if (unanswered) return 'needsDecision'
  if (attempts.has(reason)) return 'limit'
  if (end !== null) return exitCodeOfEnd(end, judgement, turnOptions) === 0 ? 'ok' : 'unverified'
  // Only words were said.
  if (turnOptions.expectsChange) return 'unverified'
  if (verdict === 'verified' || verdict === 'waived') return 'ok'
  if (verdict === null && reason === 'turn_complete') return 'ok'
  return 'unverified'
}

export function codeOfCause(cause: Cause | undefined): ExitCode {
  if (cause === 'output failed') return 'failure'
  return cause === 'SIGTERM' ? 'terminated' : 'interrupted'
}
