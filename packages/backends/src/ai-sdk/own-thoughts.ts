import type { Message, ModelRequest, Part } from '@loader/session-core'

/** The message without the reasoning of other models, which this model cannot read and would refuse. */
export function ownThoughts(message: Message, isOwn: (part: Part, message: Message) => boolean): Message {
  const isForeign = (part: Part) => part.type === 'reasoning' && !isOwn(part, message)
  if (!message.content.some(isForeign)) return message
  return { ...message, content: message.content.filter((part) => !isForeign(part)) }
}

/** A note on what was left out, in the first request after another model's answer; later requests do not repeat it. */
export function thoughtsLeftOut(before: ModelRequest, after: ModelRequest): string | undefined {
  const at = before.messages.findLastIndex(({ role }) => role === 'assistant')
  const [message, prepared] = [before.messages[at], after.messages[at]]
  // A thought that was cut off has no seal of its own either.
  if (message === undefined || message === prepared || message.interrupted) return undefined
  const isLess = thoughtsIn(message) > thoughtsIn(prepared)
  return isLess ? 'What another model thought is left out: this one cannot read it.' : undefined
}

function thoughtsIn(message: Message | undefined): number {
  return message?.content.filter(({ type }) => type === 'reasoning').length ?? 0
}
