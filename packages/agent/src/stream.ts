import type { AgentEvent } from './stage/agent-event.ts'

/**
 * Yields the events of a run. Leaving the loop early cancels the run, which is settled before the iterator ends. An
 * error of the run is thrown to the consumer.
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
  // Avoids an unhandled rejection: the error is rethrown below.
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
