import type { SessionState } from '@loader/session-core'
import type { JudgedCriterion } from '../schemas/evidence.ts'
import type { CallTrouble } from './troubled-calls.ts'

interface Ended {
  readonly id: string
  readonly reason: string
  readonly state: SessionState
  readonly criteria: readonly JudgedCriterion[]
  readonly troubles: readonly CallTrouble[]
}

const raise = (limit: string) =>
  `Allow more of it with --config limits.${limit}=<number>, or give the task in smaller pieces.`

/** Advice for ends of a turn that are not successful. */
const cures: Readonly<Record<string, string>> = {
  storage_full: 'Make space on the disk.',
  model_failed: 'See whether the model can be reached: loader models',
  retry_budget_exhausted: 'See whether the model can be reached: loader models',
  wait_budget_exhausted: 'Try again later, or name a model that takes over: --fallback-model <provider/id>.',
  cost_budget_exhausted: 'Go on with a larger budget: --max-budget-usd <amount>.',
  iteration_budget_exhausted: 'Allow more answers with --max-turns <number>, or give the task in smaller pieces.',
  token_budget_exhausted: raise('maxTurnTokens'),
  context_exhausted: 'Use a model with a larger window, or begin a new session with less in it.',
  continuation_budget_exhausted: raise('maxNudges'),
  verification_retry_budget_exhausted: raise('verificationRetries'),
  empty_response_retry_exhausted: 'Try another model, or say it in other words.',
  raw_text_tool_recovery_exhausted: 'Use a model that can call tools: loader models',
  tool_batch_halted: 'See what failed with: loader show',
}

/** The steps that are left until the work is done; empty if it is done. */
export function nextSteps({ id, reason, state, criteria, troubles }: Ended): string[] {
  const cure = Object.hasOwn(cures, reason) ? cures[reason] : undefined
  const open = criteria.filter(({ verdict }) => verdict !== 'verified' && verdict !== 'waived')
  const denied = troubles.filter(({ outcome }) => outcome === 'denied')
  const unknown = troubles.filter(({ outcome }) => outcome === 'unknown')
  const steps = [
    ...(cure === undefined ? [] : [cure]),
    ...unknown.map(({ title }) => `Look whether \`${title}\` has taken effect before it is done again.`),
    ...denied.map(({ title }) => `Allow \`${title}\` if you want it: loader permissions explain tells what would.`),
    ...open.flatMap((criterion) => stepFor(criterion)),
    ...(lacksChecks(state, reason)
      ? ['Say how to know that it is done: loader --check "<command>" -c "<what to do>"']
      : []),
  ]
  const ended = reason === 'turn_complete' && steps.length === 0
  return ended ? [] : [...steps, `Go on with: loader -r ${id} "<what to do>"`]
}

function stepFor({ verdict, text, reasons }: JudgedCriterion): string[] {
  const why = reasons.join('; ')
  switch (verdict) {
    case 'failed':
      return [`Mend what fails, so that this holds: ${text} (${why}).`]
    case 'stale':
      return [`Run the checks again on the workspace as it is: ${text}.`]
    case 'unverified':
      return [`Have it shown: ${text} (${why}).`]
    case 'present':
      return [`Add a check that runs it, not only one that looks: ${text}.`]
    case 'verified':
    case 'waived':
      return []
    default:
      return verdict satisfies never
  }
}

/** Whether the work changed something and has no checks. */
function lacksChecks({ goal, lastTurn }: SessionState, reason: string): boolean {
  return reason === 'turn_complete' && lastTurn?.verdict === 'unverified' && (goal?.criteria.length ?? 0) === 0
}
