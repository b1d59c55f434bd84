import type { EventInput, JsonValue } from '@loader/session-core'
import { untilAborted } from '../stage/abort.ts'
import { type Hook, type HookOccasion, HookVerdict } from '../stage/hooks.ts'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'
import { openCall } from './open-call.ts'

/**
 * Runs the hooks of one moment in order, until one of them objects. All are recorded together: if the process ends
 * before that, all of them run again, so none is left out.
 */
export async function runHook({ on, callId }: MoveOf<'run_hook'>, stage: Stage): Promise<void> {
  const { session, signal } = stage
  // A hook may have any effect, so the events before it must be durable.
  await session.durable()
  const finished: EventInput[] = []
  let changed: JsonValue | undefined
  for (const hook of stage.hooks.filter((one) => one.on === on)) {
    const occasion = occasionFor({ type: 'run_hook', on, ...(callId !== undefined && { callId }) }, changed, stage)
    const verdict = await untilAborted(verdictOf(hook, occasion), signal)
    if (verdict === undefined) break
    const { decision = 'continue', message } = verdict
    // Only a hook before a call can permit the call or change its input.
    const { permit, input } = on === 'pre_tool' ? verdict : {}
    changed = input ?? changed
    finished.push({ type: 'hook.finished', hook: hook.name, on, decision, callId, permit, input, message })
    if (decision !== 'continue') break
  }
  session.recordAll(finished)
}

function occasionFor(
  { on, callId }: MoveOf<'run_hook'>,
  changed: JsonValue | undefined,
  { session, signal }: Stage,
): HookOccasion {
  const { state } = session
  if (callId === undefined) return { on, state, signal }
  const { call, outcome } = openCall(session, callId)
  const { id, name, input } = call
  return { on, state, signal, call: { id, name, input: changed ?? input, ...(outcome !== undefined && { outcome }) } }
}

/** A hook that throws or returns an invalid verdict does not permit. */
async function verdictOf(hook: Hook, occasion: HookOccasion): Promise<HookVerdict> {
  try {
    const said = HookVerdict.safeParse((await hook.run(occasion)) ?? {})
    if (said.success) return said.data
    const [issue] = said.error.issues
    const message = `it said what is no verdict${issue === undefined ? '' : ` (${issue.path.join('.')} ${issue.message})`}`
    return { decision: 'fail', message: `${message}. It must return nothing, or { decision, permit, input, message }` }
  } catch (error) {
    return { decision: 'fail', message: `it threw: ${error instanceof Error ? error.message : String(error)}` }
  }
}
