import { excerptOf, type SessionState, shownText, type Turn } from '@loader/session-core'
import type { EvidenceProvenance, VerificationObservation } from '@loader/session-core/coding'
import { looksLikeCheck } from '../goal/checks-already-run.ts'
import { hasChanged } from '../goal/needs-verification.ts'
import { narratesInsteadOfActing } from '../recovery/narrates-instead-of-acting.ts'
import { findsNothingToDo, handsBack } from './answer-words.ts'
import { openTodos } from './open-todos.ts'
import { type TaskWishes, taskWishes } from './task-wishes.ts'

/** Whether an answer in words can end the work on a task, by what was done and what the answer says. */
export interface FollowThrough {
  readonly originalTask: string
  readonly isComplete: boolean
  readonly accomplished: readonly string[]
  readonly requiredEvidence: readonly string[]
  readonly missingEvidence: readonly string[]
  readonly remaining: readonly string[]
  readonly suggestedNextSteps: readonly string[]
  readonly continuationPrompt: string
  readonly provenance: readonly EvidenceProvenance[]
  readonly observations: readonly VerificationObservation[]
}

interface Gap {
  readonly missing: string
  readonly remaining: string
  readonly step: string
  readonly provenance: EvidenceProvenance
}

const actionEvidence = 'showing the requested work was actually carried out'
const verificationEvidence = 'showing the result was run or verified'
const installEvidence = 'showing the dependencies were installed'
const fewActions = 3

/**
 * What is missing before the answer can stand. When something was changed, its checks are run by the runtime and need
 * no words; what is left to ask about is what those checks cannot see.
 */
export function followThrough(state: SessionState, turn: Turn, answer: string): FollowThrough {
  const task = shownText(state.task ?? '')
  const wishes = taskWishes(task)
  const gaps = wishes.informational ? gapsOfWords(answer) : gapsOfWork(state, turn, { answer, wishes })
  const requiredEvidence = required(wishes, turn)
  return {
    originalTask: task,
    isComplete: gaps.length === 0,
    accomplished: accomplished(turn),
    requiredEvidence,
    missingEvidence: gaps.map(({ missing }) => missing),
    remaining: gaps.map(({ remaining }) => remaining),
    suggestedNextSteps: [...new Set(gaps.map(({ step }) => step))],
    continuationPrompt: promptFor(task, gaps, answer),
    provenance: gaps.length > 0 ? gaps.map(({ provenance }) => provenance) : [answered(wishes, turn)],
    observations: checksInCommands(turn),
  }
}

/** A question is answered in words, but not by the announcement of a look at something. */
function gapsOfWords(answer: string): readonly Gap[] {
  if (answer.trim() !== '' && !narratesInsteadOfActing(answer)) return []
  return [
    {
      missing: 'an answer to the question',
      remaining: 'Answer the question',
      step: 'Make the call that you announced, then answer',
      provenance: reason('response', 'assistant_response', 'missing', 'the answer only announces what it will do'),
    },
  ]
}

interface Said {
  readonly answer: string
  readonly wishes: TaskWishes
}

function gapsOfWork(state: SessionState, turn: Turn, said: Said): readonly Gap[] {
  const gaps = [trackedWork(state, said), install(turn, said), deflection(state, turn, said)]
  const unseen = hasChanged(state, turn)
    ? []
    : [action(turn, said), verificationFailed(turn, said), verificationMissing(turn, said), scope(state, turn, said)]
  return [...gaps, ...unseen].filter((gap) => gap !== undefined)
}

function trackedWork(state: SessionState, { answer }: Said): Gap | undefined {
  const [first, ...others] = openTodos(state, answer)
  if (first === undefined) return undefined
  const rest = others.length === 0 ? '' : `, and ${others.length} more`
  return {
    missing: 'the tracked work being finished',
    remaining: `Finish "${excerptOf(first.text)}"${rest}`,
    step: `Go on with "${excerptOf(first.text)}", or mark it as done`,
    provenance: reason(
      'tracked_work',
      'todos',
      'missing',
      `"${excerptOf(first.text)}"${rest} is still open`,
      first.text,
    ),
  }
}

function action(turn: Turn, { answer, wishes }: Said): Gap | undefined {
  const { calls, changes, commands } = turn.work
  if (wishes.action === 'none' || changes > 0 || (wishes.action === 'run' && commands.length > 0)) return undefined
  const looked = calls > 0 || (turn.doneWhen ?? []).length > 0
  if (looked && findsNothingToDo(answer)) return undefined
  return {
    missing: actionEvidence,
    remaining: 'Carry out the requested work',
    step: narratesInsteadOfActing(answer)
      ? 'Call the tools instead of describing what you will do'
      : 'Do the work with the tools you have',
    provenance: reason('action', 'actions_taken', 'missing', 'no call has changed anything yet'),
  }
}

function install({ work }: Turn, { wishes }: Said): Gap | undefined {
  if (!wishes.install || work.commands.some(({ command, outcome }) => outcome === 'ok' && installs(command))) {
    return undefined
  }
  return {
    missing: installEvidence,
    remaining: 'Install what was asked for',
    step: 'Run the command that installs it',
    provenance: reason('install', 'actions_taken', 'missing', 'no command has installed anything'),
  }
}

function verificationFailed(turn: Turn, { wishes }: Said): Gap | undefined {
  const last = checksRun(turn).at(-1)
  if (!wishes.verification || last === undefined || last.outcome === 'ok') return undefined
  return {
    missing: `a passing verification result from \`${last.command}\``,
    remaining: 'Mend what the check has shown',
    step: `Mend it, and run \`${last.command}\` again`,
    provenance: reason('verification', 'actions_taken', 'contradicts', `\`${last.command}\` failed`, last.command),
  }
}

function verificationMissing(turn: Turn, { wishes }: Said): Gap | undefined {
  if (!wishes.verification || checksRun(turn).length > 0) return undefined
  const known = turn.doneWhen?.[0]?.command
  return {
    missing: known === undefined ? verificationEvidence : `a passing verification result from \`${known}\``,
    remaining: 'Verify the result',
    step: known === undefined ? 'Run the checks of the project' : `Run \`${known}\``,
    provenance: reason('verification', 'actions_taken', 'missing', 'no check was run'),
  }
}

function scope(state: SessionState, { work }: Turn, { wishes }: Said): Gap | undefined {
  if (!wishes.complex || work.calls >= fewActions || state.todos.some(({ status }) => status !== 'completed')) {
    return undefined
  }
  return {
    missing: 'showing that the whole task was worked on',
    remaining: 'Work on the rest of the task',
    step: 'List the steps of the task, and take them one by one',
    provenance: reason('task_scope', 'task_statement', 'missing', `the task takes more than ${work.calls} calls`),
  }
}

/** The answer leaves to the user what was asked of the model. */
function deflection(state: SessionState, turn: Turn, { answer, wishes }: Said): Gap | undefined {
  const worked = hasChanged(state, turn) || turn.work.changes > 0 || checksRun(turn).length > 0
  if (worked || wishes.action === 'none' || !handsBack(answer)) return undefined
  return {
    missing: actionEvidence,
    remaining: 'Do the step that was handed back',
    step: 'Do it yourself instead of telling the user how',
    provenance: reason('response', 'assistant_response', 'contradicts', 'the answer hands the step back to the user'),
  }
}

function required(
  { informational, action: acts, install: installing, verification }: TaskWishes,
  turn: Turn,
): string[] {
  if (informational) return []
  const known = turn.doneWhen?.[0]?.command
  const checked = known === undefined ? verificationEvidence : `a passing verification result from \`${known}\``
  return [
    ...(acts === 'none' ? [] : [actionEvidence]),
    ...(installing ? [installEvidence] : []),
    ...(verification ? [checked] : []),
  ]
}

function accomplished({ work }: Turn): string[] {
  const commands = work.commands
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ command }) => `ran \`${excerptOf(command)}\``)
  return [...work.files.map((path) => `changed ${path}`), ...commands]
}

function answered({ informational }: TaskWishes, { work }: Turn): EvidenceProvenance {
  if (informational) return reason('response', 'assistant_response', 'supports', 'the question is answered in words')
  return work.calls > 0
    ? reason('action', 'actions_taken', 'supports', `${work.calls} ${work.calls === 1 ? 'call' : 'calls'} ended well`)
    : reason('response', 'assistant_response', 'context', 'the task asks for nothing to be done')
}

function promptFor(task: string, gaps: readonly Gap[], answer: string): string {
  if (gaps.length === 0) return ''
  const steps = [...new Set(gaps.map(({ step }) => step))]
  return [
    '[NOT DONE YET]',
    `Task: ${excerptOf(task, 300)}`,
    `Missing: ${[...new Set(gaps.map(({ missing }) => missing))].slice(0, 2).join('; ')}`,
    ...steps.slice(0, 3).map((step) => `- ${step}`),
    ...(narratesInsteadOfActing(answer) ? ['Nothing happens by being announced: make the call.'] : []),
  ].join('\n')
}

/** Commands of the turn that were checks; any other command verifies nothing. */
function checksRun({ work }: Turn): Turn['work']['commands'] {
  return work.commands.filter(({ command }) => looksLikeCheck(command))
}

function checksInCommands(turn: Turn): readonly VerificationObservation[] {
  const latest = new Map(checksRun(turn).map(({ command, outcome }) => [command, outcome]))
  return [...latest].map(([command, outcome]) => ({
    status: outcome === 'ok' ? 'passed' : 'failed',
    summary: `the model ran \`${excerptOf(command)}\`, which ${outcome === 'ok' ? 'ended well' : `ended with ${outcome}`}`,
    command,
  }))
}

function installs(command: string): boolean {
  return /(?:^|[\s;&|])(?:npm (?:i|install|ci|add)|pnpm (?:i|install|add)|yarn(?: install| add|$)|bun (?:i|install|add)|pip3? install|uv (?:sync|add|pip install)|poetry (?:install|add)|pipenv install|cargo (?:add|fetch|install)|go (?:get|install|mod (?:download|tidy))|bundle install|gem install|composer (?:install|require)|(?:apt|apt-get|dnf|yum|brew|apk) (?:-\S+ )*(?:install|add))\b/.test(
    command.trim(),
  )
}

function reason(
  category: string,
  source: string,
  status: EvidenceProvenance['status'],
  summary: string,
  subject?: string,
): EvidenceProvenance {
  return { category, source, summary, status, ...(subject !== undefined && { subject: excerptOf(subject) }) }
}
