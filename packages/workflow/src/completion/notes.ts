import { excerptOf, type SessionState, shownText } from '@loader/session-core'
import type { Goal, Todo } from '@loader/session-core/coding'
import { neededChecks } from '../goal/define-goal.ts'
import { evidenceOf, type RunOfCheck } from '../goal/evidence-of.ts'
import { judgementFrom } from '../judging/judgement-from.ts'
import { judgementWords } from '../judging/judgement-words.ts'
import { errorCategory } from '../recovery/error-category.ts'
import { recoveryAdvice } from '../recovery/recovery-advice.ts'

const longestOutput = 1_500
const mostListed = 8

/** The note to the model after failed checks: how they ended, what is still open, and how to proceed. */
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
    'Fix the code, not the checks: they are also run as they were before. Then say so again. What failed before as well and',
    'has nothing to do with the task can stay: say the same again.',
  ].join('\n')
}

/** The note to the model when it repeats its answer without having changed a file. */
export function stillFailingNote(state: SessionState, goal: Goal): string {
  return [
    '[DEFINITION OF DONE CHECK STILL FAILING]',
    'Nothing has changed since the checks failed, so they were not run again:',
    ...resultLines(state, goal),
    'Change something, or say plainly what cannot be done.',
  ].join('\n')
}

/** The note that stays in the conversation when a turn ends with failing checks. */
export function endedUnverifiedNote(state: SessionState, goal: Goal): string {
  return [
    '[DEFINITION OF DONE CHECK FAILED]',
    'The turn ended here with failing checks. What they have shown:',
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
    const run = evidenceOf(state, check)
    if (run?.judgement === undefined) return [`- NOT RUN \`${check.command}\``]
    const judgement = judgementFrom(run.judgement)
    if (run.outcome === 'passed') return [`- PASS \`${check.command}\``]
    return [
      `- FAIL \`${check.command}\`${codeOf(run)}`,
      `  ${judgementWords(judgement).said}`,
      ...outputLines(run),
      ...adviceLines(run),
    ]
  })
}

function outputLines({ output }: RunOfCheck): string[] {
  const text = shownText(output).trim()
  if (text === '') return ['  (it printed nothing)']
  // Test runners print the summary last, so the end of the output is kept.
  const shown = text.length <= longestOutput ? text : `…${text.slice(-longestOutput)}`
  return shown.split('\n').map((line) => `  ${line}`)
}

function adviceLines({ output }: RunOfCheck): string[] {
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

function codeOf({ exitCode, signal }: RunOfCheck): string {
  if (signal !== undefined) return ` (${signal})`
  return exitCode === null ? '' : ` (exit code ${exitCode})`
}
