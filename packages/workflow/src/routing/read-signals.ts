import { ambiguityOf } from './ambiguity.ts'
import { complexityOf } from './complexity.ts'
import { signalSummary } from './signal-summary.ts'
import { nothingRecent, type RoutingContext, type Signals } from './signals.ts'

const pressures = { verification: 0.18, mutation: 0.12, reuse: 0.2, stale: 0.45 } as const

/** Computes the routing signals from the words of a task and from what else is known about it. */
export function readSignals(task: string, context: RoutingContext = {}): Signals {
  const { requestedMode = null, brief = 'none', plan = 'none' } = context
  const { openQuestions = [], pressure = [], recent = nothingRecent } = context
  const signals = {
    ambiguity: ambiguityOf(task),
    complexity: complexityOf(task),
    requestedMode,
    brief,
    plan,
    openQuestions,
    verificationPressure: pressure.includes('verification') ? pressures.verification : 0,
    mutationPressure: pressure.includes('mutation') ? pressures.mutation : 0,
    artifactReuse: plan === 'available' ? pressures.reuse : 0,
    staleArtifact: plan === 'stale' ? pressures.stale : 0,
    recent,
  }
  return { ...signals, summary: signalSummary(signals) }
}
