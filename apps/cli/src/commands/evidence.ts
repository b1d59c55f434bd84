import { shownText } from '@loader/session-core'
import { standing } from '@loader/workflow'
import { type EvidenceOutput, judgedCriteria } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { paintFor } from '../screen/paint.ts'
import { chooseSession, fullText } from '../sessions/chosen-session.ts'
import { evidenceLines } from '../views/evidence-lines.ts'
import { sessionHead } from '../views/session-head.ts'

/** What has to hold for the task to be done, and what checks have shown of it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { row, state } = chosen
  const { goal, runningCheck } = state
  const judged = goal === null ? undefined : standing(state)
  const runs = given.has('full')
    ? await Promise.all(state.evidence.map(async (run) => ({ ...run, output: await fullText(chosen, run.output) })))
    : state.evidence
  const output: EvidenceOutput = {
    session: { id: row.id, title: row.title, seq: state.seq },
    task: goal === null ? null : shownText(goal.task),
    verdict: judged?.verdict ?? (goal === null ? null : 'unverified'),
    reasons: judged?.reasons ?? [],
    criteria: judgedCriteria(state),
    checks: goal?.checks ?? [],
    evidence: runs,
    running: runningCheck === null ? null : { checkId: runningCheck.checkId, command: runningCheck.command },
  }
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  const extent = given.has('full') ? 'full' : 'short'
  printLines(console, [...sessionHead(row, options), '', ...evidenceLines(output, { ...options, extent })])
  return 'ok'
}
