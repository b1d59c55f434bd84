import { type SessionState, turnSummary } from '@loader/session-core'
import type { ChildSession, MergedFile, SettledResult } from '@loader/session-core/coding'

const mostPaths = 40

/** The result of a call that had a child: its answer, and what became of its files, with what they can be found by. */
export function childResult(
  child: ChildSession,
  state: SessionState | null,
  files: readonly MergedFile[],
): SettledResult {
  const { id, finished, merged } = child
  const outcome = finished?.outcome ?? 'unknown'
  const summary = state === null ? null : turnSummary(state)
  const conflicts = files.filter((file) => file.outcome === 'conflict')
  const taken = files.filter((file) => file.outcome === 'merged')
  const lines = [
    summary?.response.trim() || withoutAnswer(outcome, summary?.reason),
    '',
    `[session ${id}; ${verdictWords(finished?.verdict)}]`,
    ...((state?.usage.turns ?? 0) > 1 ? [ofAnotherTask] : []),
    ...(taken.length > 0 ? [`Taken over into the workspace: ${listed(taken)}.`] : []),
    ...(conflicts.length > 0 ? conflictLines(id, conflicts) : []),
    ...(child.place === 'copy' && outcome !== 'ok' && finished?.tree !== undefined
      ? [`Nothing of its copy was taken over. What it had changed: loader diff ${id}`]
      : []),
  ]
  return {
    outcome,
    text: lines.join('\n').trim(),
    metadata: {
      summary: summaryOf(outcome, taken.length, conflicts.length),
      child: id,
      ...(finished?.verdict !== undefined && { verdict: finished.verdict }),
      ...(merged && { files: merged.files, conflicts: [...merged.conflicts] }),
    },
  }
}

/** Its session is one like every other: the user can go on with it, also while the one that began it is gone. */
const ofAnotherTask = 'The user has given it another task since: what it says may be about that one alone.'

function withoutAnswer(outcome: string, reason: string | undefined): string {
  switch (outcome) {
    case 'interrupted':
      return 'The agent was stopped before it had an answer.'
    case 'unknown':
      return 'It is unknown what the agent has done. Look before going on.'
    case 'ok':
      return 'The agent ended without an answer.'
    default:
      return `The agent has no answer${reason === undefined ? '' : ` (${reason})`}.`
  }
}

function verdictWords(verdict: string | undefined): string {
  return verdict === undefined
    ? 'no check ran on its work'
    : `its work is ${verdict}, by the checks that ran in its copy`
}

function conflictLines(id: string, conflicts: readonly MergedFile[]): string[] {
  return [
    `Not taken over, because the workspace has another version: ${listed(conflicts)}.`,
    `The workspace keeps its own. The version of the agent: loader diff ${id}. Bring both together yourself.`,
  ]
}

function listed(files: readonly MergedFile[]): string {
  const more = files.length > mostPaths ? ` and ${files.length - mostPaths} more` : ''
  return `${files
    .slice(0, mostPaths)
    .map(({ path }) => path)
    .join(', ')}${more}`
}

function summaryOf(outcome: string, taken: number, conflicts: number): string {
  const files = [
    ...(taken > 0 ? [`${taken} ${taken === 1 ? 'file' : 'files'}`] : []),
    ...(conflicts > 0 ? [`${conflicts} ${conflicts === 1 ? 'conflict' : 'conflicts'}`] : []),
  ]
  return [outcome === 'ok' ? 'done' : outcome, ...files].join(', ')
}
