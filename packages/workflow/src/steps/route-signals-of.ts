import { type SessionState, shownText } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { lastVerification } from '../goal/last-verification.ts'
import { isClarification } from '../timeline/accountability.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { readSignals } from '../routing/read-signals.ts'
import type { RecentDecisions, RoutingContext, Signals } from '../routing/signals.ts'

const recentEntries = 6

/** The routing signals of the current task. Given values win; without one, a plan never counts as stale. */
export function routeSignalsOf(state: SessionState, given: RoutingContext = {}): Signals {
  const { brief, plan } = artifactsOf(state)
  return readSignals(shownText(state.task ?? ''), {
    requestedMode: state.turn?.requestedMode,
    brief: brief === null ? 'none' : 'available',
    plan: plan === null ? 'none' : 'available',
    openQuestions: openQuestionsOf(state),
    pressure: pressureOf(state),
    recent: recentDecisions(state.timeline.slice(-recentEntries)),
    ...given,
  })
}

function openQuestionsOf(state: SessionState): readonly string[] {
  return decisionsOfTurn(state).findLast(({ kind }) => isClarification(kind))?.unresolvedQuestions ?? []
}

function pressureOf(state: SessionState): NonNullable<RoutingContext['pressure']> {
  const failed = lastVerification(state) === 'failed'
  const changed = (state.turn?.work.changes ?? 0) > 0
  return [...(failed ? ['verification' as const] : []), ...(changed ? ['mutation' as const] : [])]
}

function recentDecisions(entries: readonly TimelineEntry[]): RecentDecisions {
  const count = (matches: (entry: TimelineEntry) => boolean) => entries.filter(matches).length
  return {
    clarify: count(({ mode, kind }) => mode === 'clarify' || isClarification(kind)),
    reentry: count(({ kind, decisionKind }) => kind === 'reentry' || decisionKind === 'reentry'),
    planRefresh: count(({ kind, reasonCode }) => kind === 'plan_refresh' || reasonCode.includes('plan_refresh')),
    verifySkip: count(({ kind }) => kind === 'verify_skip'),
  }
}
