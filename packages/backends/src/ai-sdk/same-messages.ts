import type { Message, ModelRequest } from '@loader/session-core'

/** Changes the messages of a request one by one, each by what it says alone, and nothing else of it. */
export type Prepare = (request: ModelRequest) => ModelRequest

/** The same, once for each message: it is the same object each time, and by that it is known what was made of it. */
export function sameMessages(prepare: Prepare): Prepare {
  const known = new WeakMap<Message, Message>()
  return (request) => {
    const fresh = request.messages.filter((message) => !known.has(message))
    const { messages } = prepare({ ...request, messages: fresh })
    for (const [index, message] of fresh.entries()) known.set(message, messages[index] ?? message)
    return { ...request, messages: request.messages.map((message) => known.get(message) ?? message) }
  }
}
