import type { WorkflowMode } from '@loader/session-core/coding'

/** How often something was decided among the latest entries of the timeline. */
export interface RecentDecisions {
  readonly clarify: number
  readonly reentry: number
  readonly planRefresh: number
  readonly verifySkip: number
}

export const nothingRecent: RecentDecisions = { clarify: 0, reentry: 0, planRefresh: 0, verifySkip: 0 }

/** Facts about a task besides its words. */
export interface RoutingContext {
  /** The mode that the user asked for. */
  readonly requestedMode?: WorkflowMode | undefined
  readonly brief?: 'none' | 'available'
  /** `stale` if the work no longer fits the plan. */
  readonly plan?: 'none' | 'available' | 'stale'
  /** What clarification has left open. */
  readonly openQuestions?: readonly string[]
  /** Reasons for a plan: verification that failed, changes that were made. */
  readonly pressure?: readonly ('verification' | 'mutation')[]
  readonly recent?: RecentDecisions
}

/** The facts about a task that a route is chosen by. Numbers are from 0 to 1. */
export interface Signals {
  readonly ambiguity: number
  readonly complexity: number
  readonly requestedMode: WorkflowMode | null
  readonly brief: 'none' | 'available'
  readonly plan: 'none' | 'available' | 'stale'
  readonly openQuestions: readonly string[]
  readonly verificationPressure: number
  readonly mutationPressure: number
  readonly artifactReuse: number
  readonly staleArtifact: number
  readonly recent: RecentDecisions
  /** All signals as text, such as `ambiguity=0.35`. */
  readonly summary: readonly string[]
}
