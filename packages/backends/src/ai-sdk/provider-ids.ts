import type { CallPart, Message, Part, ResultPart } from '@loader/session-core'

/** What every provider takes for an id. OpenAI takes 40 characters, Anthropic nothing but these. */
const accepted = /^[a-zA-Z0-9_-]{1,40}$/

/**
 * The messages with the ids that the provider gave to its calls, as far as they tell them apart: it finds its own
 * answers again, word for word. An id that is taken, or that some provider would refuse, gives way to the session's own.
 *
 * A call keeps its id when messages are added behind it: a prompt that changes at its beginning is not cached.
 */
export function withProviderIds(
  messages: readonly Message[],
  isAccepted = (id: string) => accepted.test(id),
): Message[] {
  const used = new Set<string>()
  const ids = new Map<string, string>()
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type !== 'call') continue
      const id = freeId(part, used, isAccepted)
      used.add(id)
      ids.set(part.call.id, id)
    }
  }
  return messages.map((message) => ({ ...message, content: message.content.map((part) => renamed(part, ids)) }))
}

function freeId({ call }: CallPart, used: ReadonlySet<string>, isAccepted: (id: string) => boolean): string {
  for (const id of [call.providerId, call.id]) {
    if (id !== undefined && isAccepted(id) && !used.has(id)) return id
  }
  let number = used.size + 1
  while (used.has(`call_${number}`)) number += 1
  return `call_${number}`
}

function renamed(part: Part, ids: ReadonlyMap<string, string>): Part {
  if (part.type === 'call') return withCallId(part, ids)
  return part.type === 'result' ? withResultId(part, ids) : part
}

function withCallId(part: CallPart, ids: ReadonlyMap<string, string>): CallPart {
  const id = ids.get(part.call.id)
  return id === undefined || id === part.call.id ? part : { ...part, call: { ...part.call, id } }
}

function withResultId(part: ResultPart, ids: ReadonlyMap<string, string>): ResultPart {
  const callId = ids.get(part.callId)
  return callId === undefined || callId === part.callId ? part : { ...part, callId }
}
