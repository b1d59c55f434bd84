import type { Message } from '@loader/session-core'
import { CallIds } from './call-ids.ts'

/** What came before an exchange, as far as its conversion depends on it. */
export interface Before {
  readonly ids: CallIds
  /** Whether any message but instructions came before. */
  readonly hasBegun: boolean
}

/** Converts one exchange to the provider's form. */
export type Speak<Said> = (exchange: readonly Message[], before: Before) => readonly Said[]

interface Spoken<Said> {
  readonly exchange: readonly Message[]
  readonly said: readonly Said[]
  /** The ids given to its calls, by the session's own ids. */
  readonly given: CallIds['latest']
}

interface Conversation<Said> {
  readonly spoken: Spoken<Said>[]
  ids: CallIds
}

/**
 * Conversations in a provider's form.
 *
 * Invariants:
 * 1. An exchange, which is a message with the results after it, is converted once. Messages never change, so the next
 *    request finds it by identity, and its cost depends only on what is new.
 * 2. The form of an exchange depends only on what comes before it: while the window only grows, each prompt begins with
 *    the previous one, byte for byte, as provider caches require.
 * 3. A conversation is identified by its first message, and dropped with it.
 *
 * Results are shared by all requests: a caller that may change them gets a copy.
 */
export class SpokenPrompts<Said extends { readonly role: string }> {
  readonly #speak: Speak<Said>
  readonly #isAccepted: ((id: string) => boolean) | undefined
  readonly #known = new WeakMap<Message, Conversation<Said>>()

  constructor(speak: Speak<Said>, isAccepted?: (id: string) => boolean) {
    this.#speak = speak
    this.#isAccepted = isAccepted
  }

  of(messages: readonly Message[]): Said[] {
    const [first] = messages
    if (first === undefined) return []
    const conversation = this.#conversation(first)
    const { spoken } = conversation
    let at = this.#keepWhatStands(conversation, messages)
    while (at < messages.length) {
      const exchange = exchangeAt(messages, at)
      const hasBegun = spoken.some(({ said }) => said.some(({ role }) => role !== 'system'))
      const said = this.#speak(exchange, { ids: conversation.ids, hasBegun })
      spoken.push({ exchange, said, given: conversation.ids.latest })
      at += exchange.length
    }
    return spoken.flatMap(({ said }) => said)
  }

  #conversation(first: Message): Conversation<Said> {
    const known = this.#known.get(first)
    if (known !== undefined) return known
    const begun = { spoken: [], ids: new CallIds(this.#isAccepted) }
    this.#known.set(first, begun)
    return begun
  }

  /** Drops exchanges that are no longer at the start of the window, and returns how many messages stay. */
  #keepWhatStands(conversation: Conversation<Said>, messages: readonly Message[]): number {
    const { spoken } = conversation
    let at = 0
    let kept = 0
    for (const { exchange } of spoken) {
      if (!standsAt(messages, at, exchange)) break
      at += exchange.length
      kept += 1
    }
    if (kept === spoken.length) return at
    spoken.length = kept
    conversation.ids = new CallIds(this.#isAccepted)
    for (const { given } of spoken) conversation.ids.take(given)
    return at
  }
}

/** Whether this exchange is at this position and has not grown. Called often, so it must be cheap. */
function standsAt(messages: readonly Message[], at: number, exchange: readonly Message[]): boolean {
  for (let index = 0; index < exchange.length; index += 1) {
    if (messages[at + index] !== exchange[index]) return false
  }
  return messages[at + exchange.length]?.role !== 'tool'
}

function exchangeAt(messages: readonly Message[], at: number): readonly Message[] {
  let end = at + 1
  while (messages[end]?.role === 'tool') end += 1
  return messages.slice(at, end)
}
