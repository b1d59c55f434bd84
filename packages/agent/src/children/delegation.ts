import type { Delegation } from '@loader/session-core/coding'
import type { Stage } from '../stage/stage.ts'

/** What calls that run together share: the order in which they change the workspace, and how many have no child yet. */
export class Delegations {
  readonly #stage: Stage
  readonly #waiting: Set<string>
  readonly #turns: ReadonlyMap<string, Promise<unknown>>
  readonly #ended: ReadonlyMap<string, () => void>

  constructor(stage: Stage, callIds: readonly string[]) {
    this.#stage = stage
    this.#waiting = new Set(callIds)
    const turns = new Map<string, Promise<unknown>>()
    const ended = new Map<string, () => void>()
    let before: Promise<unknown> = Promise.resolve()
    for (const callId of callIds) {
      turns.set(callId, before)
      const own = new Promise<void>((resolve) => ended.set(callId, resolve))
      before = Promise.all([before, own])
    }
    this.#turns = turns
    this.#ended = ended
  }

  for(callId: string): Delegation {
    const { session, environment, approver, askUser } = this.#stage
    const waiting = this.#waiting
    return {
      get state() {
        return session.state
      },
      get waiting() {
        return waiting.size
      },
      newId: (kind) => environment.newId(kind),
      async record(...events) {
        session.recordAll(events)
        if (events.some(({ type }) => type === 'child.assigned')) waiting.delete(callId)
        await session.durable()
      },
      storeText: (text) => session.storeText(text),
      readText: (text) => session.readText(text),
      inOrder: async (work) => {
        await this.#turns.get(callId)
        return work()
      },
      ...(approver && { approver }),
      ...(askUser && { askUser }),
    }
  }

  /** Called when a call has ended, however it did: those behind it can change the workspace. */
  ended(callId: string): void {
    this.#waiting.delete(callId)
    this.#ended.get(callId)?.()
  }
}
