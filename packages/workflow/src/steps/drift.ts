import { type SessionState, shownText } from '@loader/session-core'
import { lastVerification } from '../goal/last-verification.ts'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { asClause, assessFreshness, type Freshness, nothingStale } from '../planning/assess-freshness.ts'
import { saidCriteria } from '../planning/said-criteria.ts'
import { touchedInProject } from '../planning/touched-in-project.ts'
import { recoveryEntry, staleEntry } from '../planning/recovery-entry.ts'
import { updateLedger } from '../ledger/update-ledger.ts'
import type { Decided, Step, Recorded } from '../words/step.ts'
import { routeSignalsOf } from './route-signals-of.ts'
import { routeTask } from '../routing/route-task.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'

/** How often plan and brief are refreshed in one turn; later drift is ignored. */
const mostRecoveries = 2

/** When the work no longer fits plan or brief: returns to the mode that refreshes them. */
export function driftStep(state: SessionState): Step | undefined {
  const recoveries = decisionsOfTurn(state).filter(({ kind }) => kind === 'plan_refresh').length
  if (recoveries >= mostRecoveries) return undefined
  const freshness = freshnessOf(state)
  const stale = staleEntry(freshness)
  const back = wayBack(state, freshness)
  if (stale === undefined || back === undefined) return undefined
  const events: Recorded[] = [
    { type: 'ledger.updated', ledger: updateLedger(state.ledger, freshness.evidence) },
    { type: 'workflow.decided', entry: stale },
    { type: 'workflow.decided', entry: back },
  ]
  return { type: 'decide', events }
}

function wayBack(state: SessionState, { strategy, lines }: Freshness): Decided | undefined {
  switch (strategy) {
    case 'none':
      return undefined
    case 'plan_refresh': {
      const entry = routeTask({ signals: routeSignalsOf(state, { plan: 'stale', requestedMode: undefined }) })
      return { ...entry, evidenceSummary: lines }
    }
    case 'clarify_reentry':
      return recoveryEntry('clarify_reentry_required', { evidenceSummary: lines })
    case 'full_replan':
      return recoveryEntry('full_replan_requires_clarify', { evidenceSummary: lines })
    default:
      return strategy satisfies never
  }
}

/**
 * Whether plan and brief of the current task still fit. Checked only in the mode `execute`, and only for a plan with
 * both halves.
 */
export function freshnessOf(state: SessionState): Freshness {
  const { brief, plan } = artifactsOf(state)
  if (state.mode !== 'execute' || plan === null || plan.verification === undefined) return nothingStale
  return assessFreshness({
    plan,
    brief,
    touchedFiles: touchedInProject(state),
    criteria: saidCriteria(state).filter((criterion) => !isKnownAsChanged(criterion, state)),
    task: shownText(state.task ?? ''),
    lastVerification: lastVerification(state),
  })
}

/** A criterion that the ledger already marks as changed must not cause a second new plan. */
function isKnownAsChanged(criterion: string, { ledger }: SessionState): boolean {
  const clause = asClause(criterion)
  return ledger.acceptanceAnchors.some(({ evidence = [] }) => evidence.some((seen) => seen.startsWith(`${clause}: `)))
}
