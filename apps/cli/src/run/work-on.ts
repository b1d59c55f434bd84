import type { AgentEvent, RunResult } from '@loader/agent'
import type { SessionState } from '@loader/session-core'
import { WorkflowMode } from '@loader/session-core/coding'
import { verdictOf } from '@loader/workflow'
import * as z from 'zod'
import { UsageError } from '../arguments/usage-error.ts'
import type { RunEnd } from '../output/printer.ts'
import type { Begun } from './begin.ts'
import type { Interruption } from './interruption.ts'
import { nothingOpen } from './require-sense.ts'
import { exitOf } from './run-exit.ts'
import { UnansweredWatch } from './unanswered.ts'

/** Runs the agent until it rests or is stopped, and returns the end. */
export async function workOn(
  begun: Begun,
  interruption: Interruption,
  see: (event: AgentEvent) => void,
): Promise<RunEnd> {
  const { agent } = begun
  interruption.onFirst((cause) => agent.cancel(cause, cause.startsWith('output') ? 'runtime' : 'signal'))
  const watch = new UnansweredWatch(begun.places.root, agent.session.state)
  const result = await asked(begun, (event) => {
    watch.see(event)
    see(event)
  })
  const { state } = agent.session
  const wishes = { strict: begun.given.has('strict'), expectsChange: begun.given.value('expect') === 'change' }
  const code = exitOf(result, { unanswered: watch.seen, cause: interruption.cause, wishes })
  const why = state?.lastTurn?.summary
  return { kind: 'finished', result, code, criteria: criteriaOf(result, state), ...(why !== undefined && { why }) }
}

async function asked({ agent, given, task }: Begun, onEvent: (event: AgentEvent) => void): Promise<RunResult> {
  const mode = z.optional(WorkflowMode).parse(given.value('mode'))
  const doneWhen = given.values('check').map((command) => ({ command }))
  if (task !== '') return agent.run(task, { onEvent, ...(mode && { mode }), ...(doneWhen.length > 0 && { doneWhen }) })
  const result = await agent.continue({ onEvent })
  if (result !== null) return result
  throw new UsageError(nothingOpen(agent.session.id), '')
}

/** The criteria with their verdicts; empty if there was nothing to verify. */
function criteriaOf({ verdict, goal }: RunResult, state: SessionState | null) {
  if (verdict === null || state === null) return []
  return goal?.criteria.map((one) => ({ id: one.id, text: one.text, verdict: verdictOf(one, state).verdict })) ?? []
}
