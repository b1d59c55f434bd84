import type { Message, ModelRequest } from '@loader/session-core'

/** Adapts a message to a provider, for instance by removing reasoning of other models. Depends on the message alone. */
export type Prepare = (message: Message) => Message

/**
 * Prepares the messages of requests, each of them once: messages never change, so results are cached by the identity
 * of the message.
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
