import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Waits until the recorded time, also across restarts. */
export async function wait({ until, why }: MoveOf<'wait'>, stage: Stage): Promise<void> {
  const { session, environment, signal, show } = stage
  await session.durable()
  const left = Date.parse(until) - Date.parse(environment.now())
  show({ type: 'delta.status', message: `Waiting ${Math.ceil(Math.max(0, left) / 1000)} s: ${why}` })
  if (left > 0) await passed(left, stage)
  if (!signal.aborted) session.record({ type: 'wait.finished', outcome: 'elapsed' })
}

function passed(milliseconds: number, { environment, signal }: Stage): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      callOff()
      signal.removeEventListener('abort', go)
      resolve()
    }
    const callOff = environment.after(milliseconds, go)
    if (signal.aborted) go()
    else signal.addEventListener('abort', go)
  })
}
