import { type History, reduce, type SessionState } from '@loader/session-core'

/** A state is kept after so many events, so that any other is near to one. */
const every = 200

/** The states of a session at each of its events, made when they are asked for. */
export class StatesAt {
  readonly #history: History
  /** The state after event n × `every`, as far as they were needed. */
  readonly #kept: (SessionState | null)[] = [null]

  constructor(history: History) {
    this.#history = history
  }

  /** The state after the event at this place, counted from 1; null before the first. */
  at(seq: number): SessionState | null {
    const end = Math.min(seq, this.#history.length)
    const nearest = Math.min(Math.floor(end / every), this.#kept.length - 1)
    let state = this.#kept[nearest] ?? null
    for (let index = nearest * every; index < end; index += 1) {
      state = reduce(state, this.#history[index] as History[number])
      if ((index + 1) % every === 0 && this.#kept.length === (index + 1) / every) this.#kept.push(state)
    }
    return state
  }
}
