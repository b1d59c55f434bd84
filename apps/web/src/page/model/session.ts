import { computed, type ReadonlySignal, signal } from '@preact/signals'
import {
  type History,
  isSessionEvent,
  LoaderError,
  reduce,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import type { Texts } from '@loader/readings'
import type { Standing } from '../../protocol.ts'
import type { Connection } from '../connection/connection.ts'
import { Pieces } from './pieces.ts'

/** The part of the time that readings of a growing session may take. */
const share = 0.1
const longestPause = 2000

/**
 * The events of one session as they arrive, and what is read from them.
 *
 * Invariants:
 * 1. `history` holds each event once, in order; an event that is there already is passed over.
 * 2. The state is the fold of `history`, and of the words that are on their way, by the reducer of session-core.
 * 3. Readings of the whole history take at most a tenth of the time.
 */
export class OpenSession {
  readonly id: string
  /** Long texts by name, as far as they are here. */
  readonly texts = new Map<string, string>()
  readonly state = signal<SessionState | null>(null)
  /** How the page is connected to it; null while there is nothing to say, and in an export. */
  readonly connection = signal<Connection | null>(null)
  /** What can be done with it, and what it asks; null until the server has said so, and in an export. */
  readonly standing = signal<Standing | null>(null)
  /** Whether everything has arrived that there was when the page began to read. */
  readonly isWhole = signal(false)
  /** Counts what readings depend on. It does not move while an answer arrives piece by piece. */
  readonly revision = signal(0)
  /** An event that could not be applied: what follows it cannot be shown. */
  readonly fault = signal<string | null>(null)
  readonly #events: StoredEvent[] = []
  readonly #pieces = new Pieces()
  readonly #readings = new Map<unknown, ReadonlySignal<unknown>>()
  #folded: SessionState | null = null
  #partial: readonly StoredEvent[] = []
  #isRead = true
  #cost = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string) {
    this.id = id
  }

  get history(): History {
    return this.#events
  }

  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0
  }

  /** Adds events that follow the known ones. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (this.fault.value !== null || event.seq <= this.lastSeq) continue
      try {
        this.#folded = reduce(this.#folded, event)
      } catch (error) {
        if (!LoaderError.is(error)) throw error
        this.fault.value = error.message
        break
      }
      this.#events.push(this.#pieces.kept(event))
      if (this.#isRead && changesReadings(event, this.#events)) this.#isRead = false
    }
    this.#timer ??= setTimeout(() => this.#publish(), this.#pause())
  }

  /** Words of the current answer. They are not durable yet: the state shows them, the history does not have them. */
  addPartial(events: readonly StoredEvent[]): void {
    this.#partial = events
    this.#timer ??= setTimeout(() => this.#publish(), this.#pause())
  }

  /** Takes a long text over, of which the events have only the beginning. */
  addText(name: string, text: string): void {
    this.texts.set(name, text)
    this.#isRead = false
    this.#timer ??= setTimeout(() => this.#publish(), this.#pause())
  }

  /** Whether more can come by itself. */
  get isFollowed(): boolean {
    return this.connection.value?.isLive === true
  }

  /** What is read at once, for what has loaded whole. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#publish()
  }

  /** A reading of the whole history, kept until the history changes. */
  reading<Value>(read: (history: History, texts: Texts) => Value): ReadonlySignal<Value> {
    const known = this.#readings.get(read)
    if (known !== undefined) return known as ReadonlySignal<Value>
    const reading = computed(() => {
      void this.revision.value
      const start = performance.now()
      const value = read(this.#events, this.texts)
      this.#cost += performance.now() - start
      return value
    })
    this.#readings.set(read, reading)
    return reading
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #publish(): void {
    this.#timer = undefined
    this.state.value = this.#withPartial()
    if (this.#isRead) return
    this.#isRead = true
    this.#cost = 0
    this.revision.value += 1
  }

  #withPartial(): SessionState | null {
    const next = this.#partial.filter(({ seq }) => seq > this.lastSeq)
    try {
      return next.reduce((state, event) => reduce(state, event), this.#folded)
    } catch (error) {
      // They may be of a history that was taken back.
      if (!LoaderError.is(error)) throw error
      return this.#folded
    }
  }

  #pause(): number {
    return Math.min(longestPause, Math.max(16, this.#cost / share))
  }
}

/** Pieces of an answer change nothing but the answer that arrives; the first one tells when it began. */
function changesReadings(event: StoredEvent, events: readonly StoredEvent[]): boolean {
  return !isSessionEvent(event) || event.type !== 'answer.progressed' || events.at(-2)?.type !== 'answer.progressed'
}
