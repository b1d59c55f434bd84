import { excerptOf, type SessionState, shownText } from '@loader/session-core'
import type { Evidence, Goal, Todo } from '@loader/session-core/coding'
import { evidenceOf } from '../goal/evidence-of.ts'
import { outcomeOf } from '../goal/verdict-of.ts'
import { errorCategory } from '../recovery/error-category.ts'
import { recoveryAdvice } from '../recovery/recovery-advice.ts'
import { neededChecks } from './attempt.ts'

const longestOutput = 1_500
const mostListed = 8

/** What the model is told when checks have failed: how they ended, what is still open, and what helps. */
export function checkFailedNote(
  state: SessionState,
  goal: Goal,
  { attempt, budget }: { readonly attempt: number; readonly budget: number },
): string {
  return [
    '[DEFINITION OF DONE CHECK FAILED]',
    `Attempt ${attempt}, with at most ${budget} ${budget === 1 ? 'retry' : 'retries'}. The runtime ran the checks itself:`,
    ...resultLines(state, goal),
    ...pendingLines(state.todos),
    'Mend the work, not the checks: one that was there before and is altered does not count. Then say so again.',
  ].join('\n')
}

/** What it is told when it says the same again without having changed anything. */
export function stillFailingNote(state: SessionState, goal: Goal): string {
  return [
    '[DEFINITION OF DONE CHECK STILL FAILING]',
    'Nothing has changed since the checks failed, so they were not run again:',
    ...resultLines(state, goal),
    'Change something, or say plainly what cannot be done.',
  ].join('\n')
}

/** What stays in the conversation when the work has ended unverified and the answer said otherwise. */
export function endedUnverifiedNote(state: SessionState, goal: Goal): string {
  return [
    '[DEFINITION OF DONE CHECK FAILED]',
    'The turn ended here without being verified; an answer that claimed more was taken out. What the checks have shown:',
    ...resultLines(state, goal),
    ...pendingLines(state.todos),
  ].join('\n')
}

export function pendingWorkNote(todos: readonly Todo[]): string {
  return ['[PENDING WORK REMAINS]', ...pendingLines(todos), 'Do it, or mark what is done or no longer needed.'].join(
    '\n',
  )
}

export function artifactsMissingNote(paths: readonly string[]): string {
  const shown = paths.slice(0, mostListed).map((path) => `- ${path}`)
  const rest = paths.length > mostListed ? [`- and ${paths.length - mostListed} more`] : []
  return [
    '[PLANNED ARTIFACTS STILL MISSING]',
    ...shown,
    ...rest,
    'The plan says that they will be there. Make them.',
  ].join('\n')
}

function resultLines(state: SessionState, goal: Goal): string[] {
  return neededChecks(goal).flatMap((check) => {
    const evidence = evidenceOf(state, check)
    if (evidence === undefined) return [`- NOT RUN \`${check.command}\``]
    const outcome = outcomeOf(check, evidence)
    switch (outcome) {
      case 'passed':
        return [`- PASS \`${check.command}\``]
      case 'skipped':
        return [`- SKIP \`${check.command}\``]
      case 'interrupted':
        return [`- CUT OFF \`${check.command}\` did not end`, ...outputLines(evidence)]
      case 'failed':
        return [`- FAIL \`${check.command}\`${codeOf(evidence)}`, ...outputLines(evidence), ...adviceLines(evidence)]
      default:
        return outcome satisfies never
    }
  })
}

function outputLines({ output }: Evidence): string[] {
  const text = shownText(output).trim()
  if (text === '') return ['  (it printed nothing)']
  // Runners put what matters last.
  const shown = text.length <= longestOutput ? text : `…${text.slice(-longestOutput)}`
  return shown.split('\n').map((line) => `  ${line}`)
}

function adviceLines({ output }: Evidence): string[] {
  const category = errorCategory(shownText(output))
  return category === 'UNKNOWN' ? [] : [`  Advice: ${recoveryAdvice(category)}`]
}

function pendingLines(todos: readonly Todo[]): string[] {
  const open = todos.filter(({ status }) => status !== 'completed')
  if (open.length === 0) return []
  const shown = open.slice(0, mostListed).map(({ status, text }) => `- [${status}] ${excerptOf(text)}`)
  const rest = open.length > mostListed ? [`- and ${open.length - mostListed} more`] : []
  return ['Still open:', ...shown, ...rest]
}

function codeOf({ exitCode, signal }: Evidence): string {
  if (signal !== undefined) return ` (${signal})`
  return exitCode === null ? '' : ` (exit code ${exitCode})`
}
