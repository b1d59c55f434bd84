import type { EventInput, JsonValue } from '@loader/session-core'
import { untilAborted } from '../stage/abort.ts'
import { type Hook, type HookOccasion, HookVerdict } from '../stage/hooks.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'
import { openCall } from './open-call.ts'

/**
 * Runs the hooks of one moment in order, until one of them objects. All are recorded together: if the process ends
 * before that, all of them run again, so none is left out. Background hooks begin after that is recorded: they begin
 * once, or not at all.
 */
export async function runHook({ on, callId }: StepOf<'run_hook'>, stage: Stage): Promise<void> {
  const { session, signal } = stage
  // A hook may have any effect, so the events before it must be durable.
  await session.durable()
  const finished: EventInput[] = []
  let changed: JsonValue | undefined
  const due = stage.hooks.filter((hook) => hook.on === on && isFor(hook, callId, stage))
  const waited = due.filter((hook) => hook.begin === undefined)
  for (const hook of waited) {
    const occasion = await occasionFor(
      { type: 'run_hook', on, ...(callId !== undefined && { callId }) },
      changed,
      stage,
    )
    const verdict = await untilAborted(verdictOf(hook, occasion), signal)
    if (verdict === undefined) break
    finished.push(finishedHook(hook, callId, verdict))
    changed = (on === 'pre_tool' ? verdict.input : undefined) ?? changed
    if ((verdict.decision ?? 'continue') !== 'continue') break
  }
  // The policy wants one, and the tools are others by now: this moment must not come again for ever.
  if (waited.length === 0) finished.push({ type: 'hook.finished', hook: 'none', on, decision: 'continue', callId })
  session.recordAll(finished)
  if (due.length === waited.length || signal.aborted) return
  const { beginHooks } = await import('./begin-hooks.ts')
  const step = { type: 'run_hook', on, ...(callId !== undefined && { callId }) } as const
  await beginHooks(due, await occasionFor(step, changed, stage), stage)
}

function isFor({ tools }: Hook, callId: string | undefined, { session }: Stage): boolean {
  return tools === undefined || callId === undefined || tools(openCall(session, callId).call.name)
}

/** Only a hook before a call can permit the call, answer the question about it, or change its input. */
export function finishedHook(
  { name, on }: Pick<Hook, 'name' | 'on'>,
  callId: string | undefined,
  { decision = 'continue', message, context, note, ran, ...before }: HookVerdict,
): Extract<EventInput, { readonly type: 'hook.finished' }> {
  const { permit, input, answers } = on === 'pre_tool' ? before : {}
  const said = { message, context, note, ran }
  return { type: 'hook.finished', hook: name, on, decision, callId, permit, input, answers, ...said }
}

async function occasionFor(
  { on, callId }: StepOf<'run_hook'>,
  changed: JsonValue | undefined,
  { session, signal }: Stage,
): Promise<HookOccasion> {
  const { state } = session
  if (callId === undefined) return { on, state, signal }
  const { call, outcome } = openCall(session, callId)
  const { id, name, input } = call
  const result = outcome === undefined ? undefined : await resultOf(callId, session)
  const ended = { ...(outcome !== undefined && { outcome }), ...(result !== undefined && { result }) }
  return { on, state, signal, call: { id, name, input: changed ?? input, ...ended } }
}

async function resultOf(callId: string, session: Stage['session']): Promise<string | undefined> {
  for (const message of session.state.messages.toArray().slice(-mostCallsOfAnswer)) {
    for (const part of message.content)
      if (part.type === 'result' && part.callId === callId) return session.readText(part.text)
  }
  return undefined
}

/** The result of a call of the last answer is among the last messages. */
const mostCallsOfAnswer = 200

/** A hook that throws or returns an invalid verdict does not permit. */
export async function verdictOf(hook: Hook, occasion: HookOccasion): Promise<HookVerdict> {
  try {
    const said = HookVerdict.safeParse((await hook.run(occasion)) ?? {})
    if (said.success) return said.data
    const [issue] = said.error.issues
    const message = `it returned something that is not a verdict${issue === undefined ? '' : ` (${[...issue.path, issue.message].join(' ')})`}`
    return { decision: 'fail', message: `${message}. It must return nothing, or { decision, permit, input, message }` }
  } catch (error) {
    return { decision: 'fail', message: `it threw: ${error instanceof Error ? error.message : String(error)}` }
  }
}
