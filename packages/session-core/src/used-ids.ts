import type { SessionEvent } from './events/event.ts'
import { type Use, usesOf } from './reduce/used.ts'
import type { SessionState } from './state/state.ts'
import { LoaderError } from './words/errors.ts'
import { digestOf, listed } from './words/id-digests.ts'
import { callsOf } from './words/message.ts'

/**
 * The ids that a session has used, each with what became of it as far as that is still known. A program that retries
 * after a crash with the same id gets an error instead of doing the thing twice.
 *
 * Checked before history only: `reduce` still accepts repeated ids in old histories.
 */
export class UsedIds {
  readonly #outcomes = new Map<string, string>()
  readonly #turnOfInput = new Map<string, string>()
  /** Of all that were used before this writer. */
  readonly #before: () => Set<string>

  constructor({ messages, queue, turn, lastTurn, used = '' }: SessionState) {
    let before: Set<string> | undefined
    this.#before = () => (before ??= new Set(listed(used)))
    for (const { id, origin, content } of messages) {
      if (origin === 'input' || origin === 'steering') this.#set(['input', id], 'it is in the conversation')
      if (origin === 'model') this.#set(['request', id], 'it was answered')
      for (const { id: callId } of callsOf(content)) this.#set(['call', callId], 'it was made')
      for (const part of content) if (part.type === 'result') this.#set(['call', part.callId], ended(part.outcome))
    }
    for (const { inputId } of queue) this.#set(['input', inputId], 'it is waiting')
    if (lastTurn !== null) this.#setTurn(lastTurn.id, lastTurn.inputId, ended(lastTurn.reason))
    if (turn === null) return
    this.#setTurn(turn.id, turn.inputId, 'it is open')
    if (turn.request !== null) this.#set(['request', turn.request.id], `it was ${turn.request.status}`)
  }

  /** Refuses an event that gives a new thing an id that is already used, or is used by an event still being written. */
  requireUnused(event: SessionEvent, onTheWay: Iterable<SessionEvent>): void {
    const uses = usesOf(event)
    if (uses.length === 0) return
    const sent = new Set([...onTheWay].flatMap((other) => usesOf(other).map(keyOf)))
    for (const use of uses) {
      const outcome = this.#outcomeOf(use) ?? (sent.has(keyOf(use)) ? 'it is being stored' : undefined)
      if (outcome !== undefined) throw used(event, use, outcome)
    }
  }

  /** Adds the ids of an event, once it is durable. */
  add(event: SessionEvent): void {
    if (event.type === 'input.withdrawn') this.#forget(['input', event.inputId])
    for (const use of usesOf(event)) this.#set(use, outcomeAtFirst[use[0]])
    if (event.type === 'turn.started') this.#setTurn(event.turnId, event.inputId, 'it is open')
    if (event.type === 'turn.finished') this.#set(['turn', event.turnId], ended(event.reason))
    if (event.type === 'model.answered') this.#set(['request', event.requestId], 'it was answered')
    if (event.type === 'tool.finished') this.#set(['call', event.callId], ended(event.outcome))
  }

  #outcomeOf(use: Use): string | undefined {
    const [kind, id] = use
    const turnId = kind === 'input' ? this.#turnOfInput.get(id) : undefined
    if (turnId === undefined) return this.#outcomes.get(keyOf(use)) ?? this.#longAgo(use)
    return `turn ${turnId} was begun for it, and ${this.#outcomes.get(keyOf(['turn', turnId]))}`
  }

  #longAgo(use: Use): string | undefined {
    return this.#before().has(digestOf(...use)) ? 'it is further back in this session' : undefined
  }

  #forget(use: Use): void {
    this.#outcomes.delete(keyOf(use))
    this.#before().delete(digestOf(...use))
  }

  #set(use: Use, outcome: string): void {
    this.#outcomes.set(keyOf(use), outcome)
  }

  #setTurn(turnId: string, inputId: string, outcome: string): void {
    this.#set(['turn', turnId], outcome)
    this.#turnOfInput.set(inputId, turnId)
  }
}

const outcomeAtFirst: Readonly<Record<Use[0], string>> = {
  input: 'it is waiting',
  turn: 'it is open',
  request: 'it was asked',
  call: 'it was made',
}

function keyOf([kind, id]: Use): string {
  return `${kind} ${id}`
}

function ended(how: string): string {
  return `it ended: ${how}`
}

function used({ type, seq }: SessionEvent, use: Use, outcome: string): LoaderError {
  return new LoaderError(
    'id_used',
    `${type} (seq ${seq}) cannot be recorded: there is ${use.join(' ')} already; ${outcome}. ` +
      'If this is another try, go on from there; if it is something new, give it an id of its own.',
  )
}
