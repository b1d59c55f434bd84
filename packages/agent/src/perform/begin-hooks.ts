import type { Hook, HookOccasion } from '../stage/hooks.ts'
import { HooksApart } from '../stage/hooks-apart.ts'
import type { Stage } from '../stage/stage.ts'

/** Begins the background hooks of a moment, once it is durable that they begin. */
export async function beginHooks(due: readonly Hook[], occasion: HookOccasion, stage: Stage): Promise<void> {
  const { session, hooksApart, environment } = stage
  if (hooksApart === undefined) return
  const begun = due.flatMap((hook) => {
    const one = hook.begin?.(occasion)
    return one === undefined ? [] : [{ id: environment.newId('hook'), hook: hook.name, one }]
  })
  const { on, call } = occasion
  session.recordAll(
    begun.map(({ id, hook, one }) => ({ type: 'hook.started', id, hook, on, callId: call?.id, runs: one.runs })),
  )
  await session.durable()
  const going = (hooksApart.going ??= new HooksApart())
  for (const { id, hook, one } of begun) going.begin(id, hook, one)
}
