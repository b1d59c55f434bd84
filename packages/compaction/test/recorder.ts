import {
  type EventInput,
  List,
  type Message,
  parseEvent,
  reduce,
  type SessionState,
  type StoredEvent,
  unansweredCalls,
} from '@loader/session-core'

/** Folds events as they come, with ids and times that count. What it is told is checked like what a store reads. */
export class Recorder {
  readonly history: StoredEvent[] = []
  #state: SessionState | null = null
  #ids = 0

  constructor() {
    this.record({ type: 'session.opened', format: 1, id: 'ses' })
  }

  get state(): SessionState {
    if (this.#state === null) throw new Error('nothing was recorded')
    return this.#state
  }

  get window(): readonly Message[] {
    return this.state.messages.toArray()
  }

  newId(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${this.#ids}`
  }

  record(...inputs: readonly EventInput[]): void {
    for (const input of inputs) {
      const seq = this.history.length + 1
      const event = parseEvent(JSON.parse(JSON.stringify({ seq, at: timeOf(seq), ...input })))
      this.#state = reduce(this.#state, event)
      this.history.push(event)
    }
  }

  /** Records what another one has recorded. */
  repeat({ history }: Recorder): void {
    for (const event of history.slice(this.history.length)) {
      this.#state = reduce(this.#state, event)
      this.history.push(event)
    }
  }

  import(messages: readonly Message[]): void {
    const event = { type: 'session.imported', source: { kind: 'test' }, messages }
    this.record(JSON.parse(JSON.stringify(event)))
  }

  begin(text: string): void {
    const inputId = this.newId('in')
    this.record({ type: 'input.queued', inputId, text }, { type: 'turn.started', turnId: this.newId('turn'), inputId })
  }

  /** An answer with calls, none of them run. */
  answer(text: string, calls: readonly { readonly name: string; readonly input: object }[] = []): void {
    const requestId = this.newId('req')
    const made = calls.map(({ name, input }) => ({
      type: 'call' as const,
      call: { id: this.newId('call'), name, input: { ...input } },
    }))
    const content = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...made]
    this.record(
      { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
      { type: 'model.answered', requestId, content, finishReason: made.length > 0 ? 'tool-calls' : 'stop' },
    )
  }

  /** Answers the first of the calls that wait. */
  settle(text: string, outcome: 'ok' | 'failed' = 'ok'): void {
    const [open] = unansweredCalls(this.state.turn)
    if (open === undefined) return
    const callId = open.call.id
    this.record({ type: 'tool.started', callId }, { type: 'tool.finished', callId, outcome, text })
  }

  end(): void {
    const { turn } = this.state
    if (turn === null) return
    while (unansweredCalls(this.state.turn).length > 0) this.settle('Cut short.')
    this.record({ type: 'turn.finished', turnId: turn.id, reason: 'turn_complete' })
  }

  /** A whole turn: words, one answer, no calls. */
  say(asked: string, answered: string): void {
    this.begin(asked)
    this.answer(answered)
    this.end()
  }
}

export function timeOf(seq: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString()
}

/** A window as an agent sends it: providers refuse blank texts, so these are left out. */
export function asSent(messages: Iterable<Message>): Message[] {
  return [...messages].flatMap((message) => {
    const content = message.content.filter(
      (part) => part.type !== 'text' || typeof part.text !== 'string' || part.text.trim() !== '',
    )
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

/** A state with this window and nothing else that is new. */
export function withWindow(state: SessionState, messages: readonly Message[]): SessionState {
  return { ...state, messages: List.from(messages) }
}
