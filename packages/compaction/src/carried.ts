import {
  excerptOf,
  type Message,
  type SessionState,
  shownText,
  type StoredText,
  textOf,
  unansweredCalls,
} from '@loader/session-core'
import type { Ledger } from '@loader/session-core/coding'
import { type CarryBudget, carryBudget } from './carry-budget.ts'
import { constraintsIn, withinBudget } from './constraints.ts'
import { criterionStanding, type Verdicts } from './criterion-standing.ts'
import { earlierSummaries } from './earlier-summaries.ts'
import { saidByUser } from './said-by-user.ts'
import type { EarlierSummary } from './summary-message.ts'

/** The texts carried along with a summary, and their limits. */
export interface CarryOptions {
  /** The verdicts of the goal's criteria; without them, the results of their checks are used. */
  readonly verdicts?: Verdicts | undefined
  /** The limits of each kind of text; by default, they depend on the context window. */
  readonly budget?: CarryBudget | undefined
}

const constraintsHeading = 'What the user required or forbade, word for word, oldest first:'
const longestInput = 400
/** A task up to this length is repeated even if its message stays in the window. */
const shortTask = 600

/**
 * The facts that every summary must keep. They are read from the state, never from the text of a model. Only
 * requirements of the user are not in the state; they are collected from the folded messages, including earlier
 * summaries.
 *
 * Invariant: no line of a value can be read as a heading, because every one is indented or begins with a dash.
 */
export function carriedLines(
  state: SessionState,
  { folded, kept }: { readonly folded: readonly Message[]; readonly kept: readonly Message[] },
  { verdicts, budget = carryBudget(state.policy?.model?.contextWindow) }: CarryOptions = {},
): string[] {
  const { goal, todos, plan, policy, mode, touchedFiles } = state
  const openTodos = todos.filter(({ status }) => status !== 'completed')
  const done = todos.length - openTodos.length
  const constraints = [...earlierSummaries(folded).flatMap(constraintsOf), ...constraintsIn(folded)]
  return [
    ...section('Task:', taskLines(state, kept, budget)),
    ...section('Goal, with what is known of each criterion:', [
      ...(goal && shownText(goal.task) !== shownText(state.task ?? '') ? block(goal.task, budget.task) : []),
      ...(goal?.criteria ?? []).map(
        (criterion) => `- [${criterionStanding(state, criterion, verdicts)}] ${indented(criterion.text)}`,
      ),
    ]),
    ...section('Plan:', (plan?.steps ?? []).map(item)),
    ...section(
      done === 0 ? 'Open todos:' : `Open todos (${done} more are completed):`,
      openTodos.map(({ status, text }) => `- [${status}] ${indented(text)}`),
    ),
    ...section('Ledger:', ledgerLines(state.ledger)),
    ...section('Calls that wait for their result:', callLines(state)),
    ...section('Files changed so far:', fileLines(touchedFiles, budget)),
    ...section(constraintsHeading, withinBudget(constraints, budget.constraints).map(item)),
    `Workflow mode: ${mode}`,
    ...(policy === null ? [] : [`Permission mode: ${policy.permission.mode}`]),
  ]
}

function constraintsOf({ carried }: EarlierSummary): string[] {
  const start = carried.lastIndexOf(constraintsHeading)
  if (start < 0) return []
  const lines = carried.slice(start + 1)
  const end = lines.findIndex((line) => !line.startsWith('- '))
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(2))
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines]
}

function item(text: string): string {
  return `- ${indented(text)}`
}

function indented(text: string): string {
  return text.trim().replace(/\r?\n/g, '\n  ')
}

function taskLines({ task }: SessionState, kept: readonly Message[], budget: CarryBudget): string[] {
  if (task === null) return []
  const text = shownText(task)
  const stays =
    text.length > shortTask && kept.some((message) => saidByUser(message) && textOf(message.content) === text)
  return stays
    ? [`  ${excerptOf(text)}`, '  [the whole of it is in the message of the user below]']
    : block(task, budget.task)
}

function block(text: StoredText, longest: number): string[] {
  const shown = shownText(text).trim()
  const whole = shown.length <= longest ? shown : `${shown.slice(0, longest)}\n[the rest is in the history]`
  return whole === '' ? [] : [`  ${indented(whole)}`]
}

function ledgerLines({ assumptions, acceptanceAnchors, decisionBoundaries }: Ledger): string[] {
  return [
    ...assumptions.map(({ status, text }) => `- assumption [${status}]: ${indented(text)}`),
    ...acceptanceAnchors.map(({ status, text }) => `- acceptance anchor [${status}]: ${indented(text)}`),
    ...decisionBoundaries.map(({ status, text }) => `- decision of the user [${status}]: ${indented(text)}`),
  ]
}

function callLines({ turn }: SessionState): string[] {
  return unansweredCalls(turn).map(
    ({ call }) =>
      `- ${call.name} (${call.id}): ${excerptOf(call.malformed ?? JSON.stringify(call.input), longestInput)}`,
  )
}

/** The newest files that fit. */
function fileLines(paths: readonly string[], { files }: CarryBudget): string[] {
  let left = files
  const first = paths.findLastIndex((path) => (left -= path.length + 3) < 0) + 1
  const shown = paths.slice(first).map(item)
  return first > 0 ? [`- (${first} earlier ones are left out)`, ...shown] : shown
}
