import { type SessionState, shownText } from '@loader/session-core'
import { artifactsOf } from './artifacts-of.ts'
import { asClause, assessFreshness, type Freshness, nothingStale } from './assess-freshness.ts'
import { lastVerification } from './last-verification.ts'
import { saidCriteria } from './said-criteria.ts'
import { touchedInProject } from './touched-in-project.ts'

/** Whether the artifacts of the task at hand still fit. Only work can leave them behind, and only a whole plan. */
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

/** A criterion whose change the ledger has noted was a reason to plan anew already, and is none a second time. */
function isKnownAsChanged(criterion: string, { ledger }: SessionState): boolean {
  const clause = asClause(criterion)
  return ledger.acceptanceAnchors.some(({ evidence = [] }) => evidence.some((seen) => seen.startsWith(`${clause}: `)))
}
