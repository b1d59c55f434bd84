import type { SessionState } from '../state/state.ts'
import type { Spent } from '../state/turn.ts'
import type { Evidence, Goal } from '../words/goal.ts'
import type { Judgement, TurnEnd } from '../words/judgement.ts'
import { textOf } from '../words/message.ts'
import type { Transition } from '../words/phase.ts'
import type { TimelineEntry } from '../words/timeline.ts'
import type { Totals } from '../words/usage.ts'
import type { Verdict } from '../words/verdict.ts'
import type { WorkflowMode } from '../words/workflow-mode.ts'

/** The result of the last ended turn. */
export interface TurnSummary {
  readonly sessionId: string
  readonly turnId: string
  readonly startedAt: string
  readonly finishedAt: string
  /** The answer to the user; empty when there is none. */
  readonly response: string
  readonly reason: string
  readonly verdict: Verdict | null
  /** The judgement in more detail than the verdict; null when there was nothing to judge. */
  readonly judgement: Judgement | null
  /** How it ended, by facts; null in older histories, and for a turn that was interrupted. */
  readonly end: TurnEnd | null
  readonly mode: WorkflowMode
  readonly goal: Goal | null
  readonly evidence: readonly Evidence[]
  readonly route: TimelineEntry | null
  readonly completion: TimelineEntry | null
  readonly timeline: readonly TimelineEntry[]
  readonly lastTransition: Transition | null
  readonly spent: Spent
  readonly usage: Totals
  readonly cumulativeUsage: Totals
}

/** Computed from the state, so it is available after a restart too; null before the first turn has ended. */
export function turnSummary(state: SessionState): TurnSummary | null {
  const { lastTurn } = state
  if (lastTurn === null) return null
  return {
    sessionId: state.id,
    turnId: lastTurn.id,
    startedAt: lastTurn.startedAt,
    finishedAt: lastTurn.finishedAt,
    // A model that ends with only a call has put its summary there.
    response: responseText(state, lastTurn.responseId) || (lastTurn.end?.summary ?? ''),
    reason: lastTurn.reason,
    verdict: lastTurn.verdict ?? null,
    judgement: lastTurn.judgement ?? null,
    end: lastTurn.end ?? null,
    mode: state.mode,
    goal: state.goal,
    evidence: state.evidence,
    route: state.route,
    completion: state.completion,
    timeline: state.timeline.toArray(),
    lastTransition: state.lastTransition,
    spent: lastTurn.spent,
    usage: lastTurn.usage,
    cumulativeUsage: state.usage,
  }
}

function responseText({ messages }: SessionState, responseId: string | undefined): string {
  if (responseId === undefined) return ''
  const message = messages.at(messages.findLastIndex(({ id }) => id === responseId))
  return message?.id === responseId ? withoutLabel(textOf(message.content)) : ''
}

/** Removes the label that models without native calls write before their final answer, after their reasoning. */
function withoutLabel(text: string): string {
  const label = /^[ \t]*(?:\*\*)?Final Answer:(?:\*\*)?/im.exec(text)
  if (label === null) return text
  const before = text.slice(0, label.index).trim()
  const isLabel = before === '' || /^(?:\*\*)?Thought:/i.test(before)
  return isLabel ? text.slice(label.index + label[0].length).trim() : text
}
