import type { Signals } from './signals.ts'

const mostQuestions = 9

/** Signals as text, in a fixed order. Absent ones are left out, except ambiguity and complexity. */
export function signalSummary(signals: Omit<Signals, 'summary'>): string[] {
  const { requestedMode, brief, plan, openQuestions, verificationPressure, mutationPressure, recent } = signals
  return [
    `ambiguity=${signals.ambiguity.toFixed(2)}`,
    `complexity=${signals.complexity.toFixed(2)}`,
    ...(requestedMode === null ? [] : [`requested_mode=${requestedMode}`]),
    ...(brief === 'none' ? [] : [`clarify_brief=${brief}`]),
    ...(plan === 'none' ? [] : [`plan_artifacts=${plan}`]),
    ...counted('open_questions', Math.min(mostQuestions, openQuestions.length)),
    ...(verificationPressure > 0 ? ['verification_pressure=active'] : []),
    ...(mutationPressure > 0 ? ['mutation_pressure=active'] : []),
    ...counted('recent_clarify', recent.clarify),
    ...counted('recent_reentry', recent.reentry),
    ...counted('recent_plan_refresh', recent.planRefresh),
    ...counted('recent_verify_skip', recent.verifySkip),
  ]
}

function counted(name: string, count: number): string[] {
  return count > 0 ? [`${name}=${count}`] : []
}
