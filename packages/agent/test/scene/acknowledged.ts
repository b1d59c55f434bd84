import type { History, SessionEvent } from '@loader/session-core'
import type { AgentEvent } from '../../src/index.ts'

/** What a run has told its user that it is stored. */
export class Acknowledged {
  readonly events: SessionEvent[] = []

  readonly onEvent = (event: AgentEvent): void => {
    if ('seq' in event) this.events.push(event)
  }

  /** What of it is not in the history, or not as it was told. */
  missingIn(history: History): SessionEvent[] {
    return this.events.filter((event) => JSON.stringify(history[event.seq - 1]) !== JSON.stringify(event))
  }
}
