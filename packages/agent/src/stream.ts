import type { AgentEvent } from './stage/agent-event.ts'

/**
 * The events of a run as they come. Whoever leaves the loop early calls the run off; it is settled before the iterator
 * has ended. An error of the run is thrown to whoever reads.
 */
export async function* streamOf<Result>(
  run: (onEvent: (event: AgentEvent) => void) => Promise<Result>,
  cancel: () => void,
): AsyncGenerator<AgentEvent, Result, undefined> {
  const waiting: AgentEvent[] = []
  let wake = () => {}
  let ended = false
  const running = run((event) => {
    waiting.push(event)
    wake()
  }).finally(() => {
    ended = true
    wake()
  })
  // Whether it failed is said below; until somebody asks, nothing is wrong.
  running.catch(() => undefined)
  try {
    while (!ended || waiting.length > 0) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (ended || waiting.length > 0) resolve()
        })
      }
    }
    return await running
  } finally {
    if (!ended) {
      cancel()
      await running.catch(() => undefined)
    }
  }
}
