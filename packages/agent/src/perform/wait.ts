import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/**
 * Waits until the recorded time, also across restarts. Never for longer than the whole wait: the time was written by the
 * clock of another machine perhaps, or by this one before it was set.
 */
export async function wait({ until, why, ms = Infinity }: StepOf<'wait'>, stage: Stage): Promise<void> {
  const { session, environment, signal, show } = stage
  await session.durable()
  const left = Math.min(Date.parse(until) - Date.parse(environment.now()), ms)
  show({ type: 'delta.status', message: `Waiting ${Math.ceil(Math.max(0, left) / 1000)} s: ${why}` })
  if (left > 0) await passed(left, stage)
  if (!signal.aborted) session.record({ type: 'wait.finished', outcome: 'elapsed' })
}

function passed(milliseconds: number, { environment, signal }: Stage): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      cancel()
      signal.removeEventListener('abort', go)
      resolve()
    }
    const cancel = environment.after(milliseconds, go)
    if (signal.aborted) go()
    else signal.addEventListener('abort', go)
  })
}
