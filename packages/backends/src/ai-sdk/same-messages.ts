import type { Message, ModelRequest } from '@loader/session-core'

/** What a provider takes of a message, such as its own thoughts alone; by what the message says, and nothing else. */
export type Prepare = (message: Message) => Message

/**
 * Prepares the messages of requests, each of them once: messages never change, and it is by its identity that is known
 * what was made of one.
 */
export function eachOnce(prepare: Prepare): (request: ModelRequest) => ModelRequest {
  const known = new WeakMap<Message, Message>()
  const prepared = (message: Message): Message => {
    const before = known.get(message)
    if (before !== undefined) return before
    const made = prepare(message)
    known.set(message, made)
    return made
  }
  return (request) => ({ ...request, messages: request.messages.map(prepared) })
}
