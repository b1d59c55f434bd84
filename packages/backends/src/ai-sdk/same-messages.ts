import type { Message, ModelRequest } from '@loader/session-core'

/** Adapts a message to a provider, for instance by removing reasoning of other models. Depends on the message alone. */
export type Prepare = (message: Message) => Message

/** Messages never change, so results are cached by the identity of the message. */
export function oncePerMessage(prepare: Prepare): Prepare {
  const known = new WeakMap<Message, Message>()
  return (message) => {
    const before = known.get(message)
    if (before !== undefined) return before
    const made = prepare(message)
    known.set(message, made)
    return made
  }
}

/** Prepares the messages of requests, each of them once. */
export function eachOnce(prepare: Prepare): (request: ModelRequest) => ModelRequest {
  const prepared = oncePerMessage(prepare)
  return (request) => ({ ...request, messages: request.messages.map(prepared) })
}
