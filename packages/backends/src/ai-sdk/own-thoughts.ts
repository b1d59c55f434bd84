import type { Message, ModelRequest, Part } from '@loader/session-core'

type IsOwn = (part: Part, message: Message) => boolean

/** The request without what other models have thought, which this one cannot read, and would refuse. */
export function ownThoughts(request: ModelRequest, isOwn: IsOwn): ModelRequest {
  const isForeign = foreignBy(isOwn)
  const messages = request.messages.map((message) =>
    message.content.some((part) => isForeign(part, message))
      ? { ...message, content: message.content.filter((part) => !isForeign(part, message)) }
      : message,
  )
  return { ...request, messages }
}

/**
 * A note on what was left out, in the first request behind another model's answer: told every time, it would be told for
 * ever.
 */
export function thoughtsLeftOut(before: ModelRequest, after: ModelRequest): string | undefined {
  const at = before.messages.findLastIndex(({ role }) => role === 'assistant')
  const lost = thoughtsIn(before.messages[at]) - thoughtsIn(after.messages[at])
  // A thought that was cut off has no seal of its own either.
  return lost > 0 && before.messages[at]?.interrupted === undefined
    ? 'What another model thought is left out: this one cannot read it.'
    : undefined
}

function foreignBy(isOwn: IsOwn): IsOwn {
  return (part, message) => part.type === 'reasoning' && !isOwn(part, message)
}

function thoughtsIn(message: Message | undefined): number {
  return message?.content.filter(({ type }) => type === 'reasoning').length ?? 0
}
