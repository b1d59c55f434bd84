import type { Message } from '@loader/session-core'
import { CallIds } from './call-ids.ts'

/** What has come before an exchange, as far as its words depend on it. */
export interface Before {
  readonly ids: CallIds
  /** Whether anything but instructions was said. */
  readonly hasBegun: boolean
}

/** Puts one exchange into the words of a provider. */
export type Speak<Said> = (exchange: readonly Message[], before: Before) => readonly Said[]

interface Spoken<Said> {
  readonly exchange: readonly Message[]
  readonly said: readonly Said[]
  /** The ids that its calls were given, by the session's own. */
  readonly given: CallIds['latest']
}

interface Conversation<Said> {
  readonly spoken: Spoken<Said>[]
  ids: CallIds
}

/**
 * Conversations in the words of a provider.
 *
 * Invariants:
 * 1. An exchange, which is a message with the results behind it, is put into these words once. Messages never change, so
 *    the next request finds it by their identity, and costs what has come since.
 * 2. The words of an exchange depend on what stands before it alone: while the window only grows, a prompt begins with
 *    the one before it, byte for byte, as the caches of providers want it.
 * 3. A conversation is known by its first message, and forgotten with it.
 *
 * What is returned is shared by all requests: whoever may change it gets a copy.
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

  /** Forgets what the window does not begin with any more, and says how many messages stay. */
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

/** Whether this very exchange is there, and has not grown. It is asked of all of them for each request. */
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
