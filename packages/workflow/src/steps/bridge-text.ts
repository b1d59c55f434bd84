import { excerptOf, type SessionState, shownText, textOf } from '@loader/session-core'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { clarifyProgress } from '../planning/clarify-progress.ts'
import { readBrief } from '../planning/parse-brief.ts'
import { readPlan } from '../planning/parse-plan.ts'

export const bridgeMarker = '[WORKFLOW BRIDGE]'

const mostItems = 8
const longestItem = 240
const lastMessages = 4

/** The result of clarification and planning as a note to the model; null if there is none. */
export function bridgeText(state: SessionState): string | null {
  const { brief, plan } = artifactsOf(state)
  if (brief === null && plan === null) return null
  const task = shownText(state.task ?? '')
  const wanted = brief === null ? null : readBrief(brief, task)
  const planned = plan === null ? null : readPlan(plan, task)
  const said = wanted?.sections
  const criteria =
    goalOfTurn(state)?.criteria.map(({ text }) => text) ?? planned?.criteria ?? said?.acceptance_criteria ?? []
  return [
    bridgeMarker,
    `Mode: ${state.mode}`,
    `Task: ${excerptOf(task, longestItem)}`,
    ...listed('Wanted', said?.desired_outcome),
    ...listed('Out of scope', wanted?.explicit.includes('non_goals') ? said?.non_goals : []),
    ...listed('Ask before', said?.decision_boundaries),
    ...listed('Conditions', said?.constraints),
    ...listed('Assumed', said?.assumptions),
    ...listed('Steps, in order', plan?.steps ?? planned?.steps),
    ...listed('Done when', criteria),
    ...listed('Checked with', planned?.commands),
    ...listed('Still open', clarifyProgress(state)?.openQuestions),
  ].join('\n')
}

/** Whether a note made by `bridgeText` is among the latest messages. */
export function hasRecentBridge({ messages, turn }: SessionState): boolean {
  return [...messages.slice(-lastMessages), ...(turn?.notes ?? [])].some(({ content }) =>
    textOf(content).startsWith(bridgeMarker),
  )
}

function listed(heading: string, items: readonly string[] = []): string[] {
  if (items.length === 0) return []
  const more = items.length - mostItems
  return [
    `${heading}:`,
    ...items.slice(0, mostItems).map((item) => `- ${excerptOf(item, longestItem)}`),
    ...(more > 0 ? [`- (${more} more)`] : []),
  ]
}
