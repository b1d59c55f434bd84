import type { Message, ModelRequest } from '@loader/session-core'

/** Changes the messages of a request one by one, each by what it says alone. */
export type Prepare = (request: ModelRequest) => ModelRequest

/** The same, with the same object for the same message each time: by that it is known what was made of it. */
export function sameMessages(prepare: Prepare): Prepare {
  const known = new WeakMap<Message, Message>()
  return (request) => {
    const prepared = prepare(request)
    const messages = prepared.messages.map((message, at) => {
      const before = request.messages[at]
      if (before === undefined || message === before) return message
      const same = known.get(before) ?? message
      known.set(before, same)
      return same
    })
    return { ...prepared, messages }
  }
}
