import type { WorkflowMode } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { routeEntry } from '../timeline/route-entry.ts'
import { type Clarification, type ModeScores, scoreModes, type Scorer } from './score-modes.ts'
import { score } from './score.ts'
import type { Signals } from './signals.ts'

/** The input of the router: signals, whether clarification is over, and a scorer. */
export interface RouteInput {
  readonly signals: Signals
  /** `over` after clarification has taken place: it cannot be chosen again, not even if the user asked for it. */
  readonly clarification?: Clarification
  readonly scorer?: Scorer
}

type Choice = Parameters<typeof routeEntry>[0]

const thresholds = { clarify: 0.55, plan: 0.45 } as const

/**
 * Chooses the mode for a task: the one that the user asked for, else what plan and brief require, else the best score.
 */
export function routeTask({ signals, clarification = 'allowed', scorer = scoreModes }: RouteInput): Decided {
  const { ambiguity, complexity, openQuestions, summary } = signals
  const choice = requested(signals, clarification) ?? byArtifacts(signals) ?? byScore(signals, clarification, scorer)
  return routeEntry({
    ...choice,
    ambiguityScore: ambiguity,
    complexityScore: complexity,
    unresolvedQuestions: openQuestions,
    pressureSummary: pressureOf(signals),
    signalSummary: summary,
  })
}

/** A route chosen again after clarification or drift: it becomes a handoff whose code names the cause. */
export function rerouted(route: Decided, after: 'clarify' | 'drift'): Decided {
  return { ...route, kind: 'handoff', decisionKind: 'handoff', reasonCode: `post_${after}_${route.reasonCode}` }
}

function requested({ requestedMode }: Signals, clarification: Clarification): Choice | undefined {
  if (requestedMode === null || (requestedMode === 'clarify' && clarification === 'over')) return undefined
  return {
    mode: requestedMode,
    code: 'explicit_request',
    summary: `${requestedMode} was asked for`,
    decisionKind: 'requested',
    routeScore: 1,
    ...(requestedMode === 'clarify' || requestedMode === 'plan' ? { scheduledNextMode: 'execute' } : {}),
  }
}

function byArtifacts({ plan, staleArtifact }: Signals): Choice | undefined {
  if (staleArtifact > 0) {
    return {
      mode: 'plan',
      code: 'stale_plan_artifacts',
      summary: 'the work has gone beyond the plan, which is written anew',
      decisionKind: 'reentry',
      routeScore: 0.95,
      runnerUpMode: 'execute',
      runnerUpScore: 0.6,
      scheduledNextMode: 'execute',
    }
  }
  if (plan === 'none') return undefined
  return {
    mode: 'execute',
    code: 'existing_plan_artifacts',
    summary: 'there is a plan for this task already',
    decisionKind: 'artifact_reuse',
    routeScore: 0.9,
    runnerUpMode: 'plan',
    runnerUpScore: 0.45,
  }
}

function byScore(signals: Signals, clarification: Clarification, scorer: Scorer): Choice {
  const ranked = rank(scorer(signals, clarification))
  const [winner] = ranked
  if (winner?.mode === 'clarify' && winner.score >= thresholds.clarify && clarification === 'allowed') {
    return scored(ranked, 'clarify', 'task_is_ambiguous', 'the task leaves open what is wanted')
  }
  if (winner?.mode === 'plan' && winner.score >= thresholds.plan) {
    return signals.verificationPressure > 0
      ? scored(ranked, 'plan', 'verification_pressure_requires_plan', 'verification presses for a plan')
      : scored(ranked, 'plan', 'task_is_complex', 'the task is complex enough for a written plan')
  }
  return scored(ranked, 'execute', 'task_is_concrete', 'the task is concrete enough to begin')
}

interface Ranked {
  readonly mode: Extract<WorkflowMode, keyof ModeScores>
  readonly score: number
}

/** The best first. In a tie, clarify comes before plan, and plan before execute. */
function rank(scores: ModeScores): Ranked[] {
  const modes = ['clarify', 'plan', 'execute'] as const
  return modes.map((mode) => ({ mode, score: score(scores[mode]) })).toSorted((one, other) => other.score - one.score)
}

function scored(ranked: readonly Ranked[], mode: Ranked['mode'], code: string, summary: string): Choice {
  const runnerUp = ranked.find((other) => other.mode !== mode)
  return {
    mode,
    code,
    summary,
    decisionKind: 'initial_route',
    routeScore: ranked.find((own) => own.mode === mode)?.score,
    ...(runnerUp && { runnerUpMode: runnerUp.mode, runnerUpScore: runnerUp.score }),
    ...(mode === 'execute' ? {} : { scheduledNextMode: 'execute' as const }),
  }
}

function pressureOf({ verificationPressure, mutationPressure, artifactReuse, staleArtifact }: Signals): string[] {
  const pressures = Object.entries({
    verification: verificationPressure,
    mutation: mutationPressure,
    artifact_reuse: artifactReuse,
    stale_artifact: staleArtifact,
  })
  return pressures.filter(([, value]) => value > 0).map(([name, value]) => `${name}=${value.toFixed(2)}`)
}
