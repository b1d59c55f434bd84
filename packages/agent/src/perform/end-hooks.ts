import type { Session } from '@loader/session-core'
import type { Hook } from '../stage/hooks.ts'
import { abortSource } from '../stage/abort.ts'
import { finishedHook, verdictOf } from './run-hook.ts'

/** Runs the hooks on the end of a session, and records them. Between turns, none of them can refuse anything. */
export async function endHooks(hooks: readonly Hook[], session: Session): Promise<void> {
  if (session.state.turn !== null) return
  const { signal } = abortSource()
  for (const hook of hooks) {
    const verdict = await verdictOf(hook, { on: hook.on, state: session.state, signal })
    const { decision: _decision, context: _context, ...said } = verdict
    session.record(finishedHook(hook, undefined, { ...said, decision: 'continue' }))
  }
  await session.durable()
}
