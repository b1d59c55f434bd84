import type { AgentEvent } from '@loader/agent'
import type { EventOf, JsonValue, ModelFailure, ToolOutcome } from '@loader/session-core'

export interface SeenCall {
  readonly name: string
  readonly input: JsonValue
}

/** The facts from earlier events of a run that printing later ones needs. */
export class RunRecord {
  readonly outcomes: Record<ToolOutcome, number> = { ok: 0, failed: 0, denied: 0, interrupted: 0, unknown: 0 }
  readonly denials: { readonly callId: string; readonly call: SeenCall | undefined }[] = []
  readonly #requests = new Map<string, EventOf<'model.asked'>>()
  readonly #calls = new Map<string, SeenCall>()
  #lastFailure: ModelFailure | undefined
  #windows = new Map<string, number>()
  #maxAttempts = 0
  #askedMs = 0
  #lastSeq = 0

  /** The record of the next task; what is known of models stays. */
  next(): RunRecord {
    const record = new RunRecord()
    record.#windows = new Map(this.#windows)
    record.#maxAttempts = this.#maxAttempts
    record.#lastSeq = this.#lastSeq
    return record
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** The total time of requests to the model. */
  get askedMs(): number {
    return this.#askedMs
  }

  /** The limit of retries for a request, according to the policy. */
  get maxRetries(): number {
    return Math.max(0, this.#maxAttempts - 1)
  }

  get lastFailure(): ModelFailure | undefined {
    return this.#lastFailure
  }

  see(event: AgentEvent): void {
    if ('seq' in event) this.#lastSeq = event.seq
    switch (event.type) {
      case 'policy.applied':
        this.#maxAttempts = event.limits.maxAttempts ?? 0
        if (event.model?.contextWindow !== undefined) this.#windows.set(event.model.model, event.model.contextWindow)
        return
      case 'model.asked':
        this.#requests.set(event.requestId, event)
        return
      case 'model.answered':
        this.#ended(event)
        for (const part of event.content) if (part.type === 'call') this.#calls.set(part.call.id, part.call)
        return
      case 'model.failed':
        this.#lastFailure = event.error
        this.#ended(event)
        return
      case 'model.interrupted':
        this.#ended(event)
        return
      case 'calls.recovered':
        for (const call of event.calls) this.#calls.set(call.id, call)
        return
      case 'tool.finished':
        this.outcomes[event.outcome] += 1
        if (event.outcome === 'denied') this.denials.push({ callId: event.callId, call: this.call(event.callId) })
        return
      default:
    }
  }

  request(id: string): EventOf<'model.asked'> | undefined {
    return this.#requests.get(id)
  }

  call(id: string): SeenCall | undefined {
    return this.#calls.get(id)
  }

  windowOf(model: string): number {
    return this.#windows.get(model) ?? 0
  }

  /** Whether the answer to a request is for the user, and not a brief, a plan or a summary. */
  isForUser(requestId: string): boolean {
    const purpose = this.request(requestId)?.purpose
    return purpose === 'answer' || purpose === 'clarify'
  }

  #ended({ requestId, at }: { readonly requestId: string; readonly at: string }): void {
    const asked = this.request(requestId)?.at
    if (asked !== undefined) this.#askedMs += Math.max(0, Date.parse(at) - Date.parse(asked))
  }
}
