import {
  type EventOf,
  isSessionEvent,
  LoaderError,
  reduce,
  type SessionState,
  type SessionStore,
  type StoredEvent,
} from '@loader/session-core'

/** How a question was answered. */
export interface Answered {
  readonly seq: number
  readonly by: string | undefined
  readonly via: EventOf<'question.answered'>['via']
  readonly permit: 'allow' | 'deny' | undefined
}

/** A session as far as it was read. A later reading reads only new events. */
export class FollowedSession {
  readonly #store: Pick<SessionStore, 'read'>
  readonly #id: string
  #state: SessionState | null = null
  /** The last event that was read. */
  #last: StoredEvent | undefined
  #asked: EventOf<'question.asked'> | undefined
  readonly #answered = new Map<string, Answered>()
  /** By the id of the message that brought them. */
  readonly #vias = new Set<string>()
  readonly #inputs = new Set<string>()
  /** The reading that was begun last. */
  #reading: Promise<unknown> = Promise.resolve()
  /** The reading after that, shared by all calls since the current one began. */
  #next: Promise<SessionState> | undefined

  constructor(store: Pick<SessionStore, 'read'>, id: string) {
    this.#store = store
    this.#id = id
  }

  /** The state with all that was stored before this call, also where an earlier reading is still under way. */
  now(): Promise<SessionState> {
    const begin = () => {
      this.#next = undefined
      const reading = this.#read()
      this.#reading = reading
      return reading
    }
    this.#next ??= this.#reading.then(begin, begin)
    return this.#next
  }

  /** The question that was asked last. */
  get asked(): EventOf<'question.asked'> | undefined {
    return this.#asked
  }

  answerTo(questionId: string): Answered | undefined {
    return this.#answered.get(questionId)
  }

  /** Whether a message has come to this session. */
  hasHeard(messageId: string): boolean {
    return this.#vias.has(messageId)
  }

  hasInput(inputId: string): boolean {
    return this.#inputs.has(inputId)
  }

  async #read(): Promise<SessionState> {
    const known = this.#last
    let isSame = known === undefined
    for await (const event of this.#store.read(this.#id, { fromSeq: known?.seq ?? 1, gaps: 'mark' })) {
      if (isSame) this.#see(event)
      // A backup that was put in the place of the store is another history behind the same name.
      else if (event.type !== 'event.lost' && JSON.stringify(event) !== JSON.stringify(known)) break
      else isSame = true
    }
    if (!isSame) {
      this.#forget()
      return this.#read()
    }
    if (this.#state === null) throw new LoaderError('session_not_found', `There is no session ${this.#id}.`)
    return this.#state
  }

  #forget(): void {
    this.#state = null
    this.#last = undefined
    this.#asked = undefined
    for (const known of [this.#answered, this.#vias, this.#inputs]) known.clear()
  }

  #see(event: StoredEvent): void {
    this.#state = reduce(this.#state, event)
    this.#last = event
    if (!isSessionEvent(event)) return
    if ('via' in event && event.via !== undefined) this.#vias.add(event.via.id)
    if (event.type === 'input.queued') this.#inputs.add(event.inputId)
    if (event.type === 'question.asked') this.#asked = event
    if (event.type === 'question.answered') {
      const { seq, by, via, permit } = event
      this.#answered.set(event.questionId, { seq, by, via, permit })
    }
  }
}
