import type { AgentEvent, RunResult } from '@loader/agent'
import type { SessionState } from '@loader/session-core'
import { isPlanHeld, verdictOf } from '@loader/workflow'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { RunEnd } from '../output/printer.ts'
import type { Begun } from './beginning.ts'
import { hearing } from './hearing.ts'
import { inSchema } from './in-schema.ts'
import type { Cause, Interruption } from './interruption.ts'
import { modeOfRun } from './mode-of-run.ts'
import { nothingOpen } from './require-sense.ts'
import { exitOf } from './run-exit.ts'
import { UnansweredWatch } from './unanswered.ts'

type Finished = Extract<RunEnd, { kind: 'finished' }>

/** Runs the agent until it rests or is stopped, and returns the end. */
export async function workOn(
  begun: Begun,
  interruption: Interruption,
  see: (event: AgentEvent) => void,
): Promise<RunEnd> {
  const { agent } = begun
  interruption.onFirst((cause) => agent.cancel(cause, cause.startsWith('output') ? 'runtime' : 'signal'))
  const watch = new UnansweredWatch(begun.places.root, agent.session.state)
  const onEvent = (event: AgentEvent) => {
    watch.see(event)
    see(event)
  }
  const heard = hearing(agent)
  try {
    return await answered(begun, { watch, interruption }, onEvent)
  } finally {
    heard.stop()
  }
}

async function answered(
  begun: Begun,
  { watch, interruption }: Watched,
  onEvent: (event: AgentEvent) => void,
): Promise<RunEnd> {
  const { agent } = begun
  const endOf = (result: RunResult) => endAfter(result, begun, { watch, interruption })
  const end = endOf(await asked(begun, onEvent))
  const { answerSchema } = begun
  if (answerSchema === undefined) return end
  return inSchema(end, answerSchema, async (question) => endOf(await agent.explore(question, { onEvent })))
}

interface Watched {
  readonly watch: UnansweredWatch
  readonly interruption: Interruption
}

function endAfter(result: RunResult, { agent, given }: Begun, { watch, interruption }: Watched): Finished {
  return finishedEnd(result, agent.session.state, given, { unanswered: watch.seen, cause: interruption.cause })
}

/** The end of a turn, wherever it was worked on. */
export function finishedEnd(
  result: RunResult,
  state: SessionState | null,
  given: Given,
  { unanswered: seen, cause }: { readonly unanswered: boolean; readonly cause: Cause | undefined },
): Finished {
  const turnOptions = { strict: given.has('strict'), expectsChange: given.value('expect') === 'change' }
  // A call that was refused for the sake of the plan needs no permission.
  const unanswered = seen && !(state !== null && isPlanHeld(state))
  const code = exitOf(result, { unanswered, cause, turnOptions })
  const why = state?.lastTurn?.summary
  return { kind: 'finished', result, code, criteria: criteriaOf(result, state), ...(why !== undefined && { why }) }
}

async function asked(
  { agent, given, task, files, quote }: Begun,
  onEvent: (event: AgentEvent) => void,
): Promise<RunResult> {
  const mode = modeOfRun(given)
  const doneWhen = given.values('check').map((command) => ({ command }))
  const shown = files.length === 0 ? {} : { files }
  const wanted = { ...(mode && { mode }), ...(doneWhen.length > 0 && { doneWhen }) }
  if (task !== '') return agent.run(task, { onEvent, ...shown, quote, ...wanted })
  const result = await agent.continue({ onEvent })
  if (result !== null) return result
  throw new UsageError(nothingOpen(agent.session.id), '')
}

/** The criteria with their verdicts; empty if there was nothing to verify. */
function criteriaOf({ verdict, goal }: RunResult, state: SessionState | null) {
  if (verdict === null || state === null) return []
  return goal?.criteria.map((one) => ({ id: one.id, text: one.text, verdict: verdictOf(one, state).verdict })) ?? []
}
