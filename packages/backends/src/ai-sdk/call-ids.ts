import type { CallPart, Message, Part, ResultPart } from '@loader/session-core'

/** The ids that every provider accepts: OpenAI at most 40 characters, Anthropic only these characters. */
const accepted = /^[a-zA-Z0-9_-]{1,40}$/

/**
 * The call ids of a conversation. The provider's own ids are kept if they are unique, so that the provider gets its
 * answers back word for word. A repeated id, or one that some provider would refuse, is replaced by the session's own.
 *
 * A call keeps its id when messages are added after it: a prompt that changes at its beginning misses the cache.
 */
export class CallIds {
  readonly #isAccepted: (id: string) => boolean
  readonly #used = new Set<string>()
  readonly #given = new Map<string, string>()
  #latest: readonly (readonly [own: string, given: string])[] = []

  constructor(isAccepted: (id: string) => boolean = (id) => accepted.test(id)) {
    this.#isAccepted = isAccepted
  }

  /** The ids given to the most recent messages. */
  get latest(): readonly (readonly [own: string, given: string])[] {
    return this.#latest
  }

  /** The next messages of the conversation, with the ids assigned to their calls. */
  put(messages: readonly Message[]): readonly Message[] {
    const latest: (readonly [string, string])[] = []
    for (const { content } of messages) {
      for (const part of content) {
        if (part.type !== 'call') continue
        const each = [part.call.id, this.#freeId(part)] as const
        latest.push(each)
        this.take([each])
      }
    }
    this.#latest = latest
    return messages.map((message) => {
      if (!message.content.some(({ type }) => type === 'call' || type === 'result')) return message
      return { ...message, content: message.content.map((part) => this.#renamed(part)) }
    })
  }

  /** Marks ids as used. */
  take(given: CallIds['latest']): void {
    for (const [own, id] of given) {
      this.#used.add(id)
      this.#given.set(own, id)
    }
  }

  #freeId({ call }: CallPart): string {
    for (const id of [call.providerId, call.id]) {
      if (id !== undefined && this.#isAccepted(id) && !this.#used.has(id)) return id
    }
    for (let number = this.#used.size + 1; ; number += 1) {
      const id = [`call_${number}`, `call${String(number).padStart(5, '0')}`].find(this.#isAccepted)
      if (id === undefined) throw new Error('A provider takes none of the ids that are made for calls.')
      if (!this.#used.has(id)) return id
    }
  }

  #renamed(part: Part): Part {
    if (part.type === 'call') return withCallId(part, this.#given.get(part.call.id))
    return part.type === 'result' ? withResultId(part, this.#given.get(part.callId)) : part
  }
}

function withCallId(part: CallPart, id: string | undefined): CallPart {
  return id === undefined || id === part.call.id ? part : { ...part, call: { ...part.call, id } }
}

function withResultId(part: ResultPart, callId: string | undefined): ResultPart {
  return callId === undefined || callId === part.callId ? part : { ...part, callId }
}
