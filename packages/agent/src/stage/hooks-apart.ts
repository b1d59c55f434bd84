import type { EventInput, Signal } from '@loader/session-core'
import { abortSource } from './abort.ts'
import type { BegunHook } from './hooks.ts'

/** So many go on at the same time: a hook after each call must not fill the machine. */
const mostAtOnce = 16

type Ended = Extract<EventInput, { readonly type: 'hook.ended' }>

/** Hooks that a session does not wait for, as long as its process has it. None of them outlives the session. */
export class HooksApart {
  readonly #going = new Map<string, { readonly stop: () => void; readonly over: Promise<void> }>()
  #ended: Ended[] = []

  /** Runs what the session has recorded as begun, and keeps how it ended until that is taken. */
  begin(id: string, hook: string, begun: BegunHook): void {
    const source = abortSource()
    const over = this.#result(begun, source.signal).then((result) => {
      this.#going.delete(id)
      this.#ended.push({ type: 'hook.ended', id, hook, ...result })
    })
    this.#going.set(id, { stop: () => source.abort('the session is left'), over })
  }

  /** What has ended since the last time. */
  take(): readonly Ended[] {
    const ended = this.#ended
    this.#ended = []
    return ended
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const going = [...this.#going.values()]
    for (const { stop } of going) stop()
    await Promise.all(going.map(({ over }) => over))
  }

  async #result(begun: BegunHook, signal: Signal): Promise<Omit<Ended, 'type' | 'id' | 'hook'>> {
    const notStarted = (note: string) => ({
      note,
      ran: { ...begun.runs, ended: 'not_started' as const, durationMs: 0 },
    })
    if (this.#going.size >= mostAtOnce) return notStarted(`it did not start: ${mostAtOnce} such hooks go on already`)
    try {
      return await begun.run(signal)
    } catch (error) {
      return notStarted(`it failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
