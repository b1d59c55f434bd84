import { type Message, type Part, type ResultPart, shownText } from '@loader/session-core'

/**
 * The window for a model without tool calls: calls and results as plain text. The session keeps the originals.
 */
export function inWords(window: readonly Message[]): Message[] {
  return window.map((message) => {
    const known = told.get(message)
    if (known !== undefined) return known
    const words = messageInWords(message)
    told.set(message, words)
    return words
  })
}

/** Cached by message: messages never change, and backends recognize sent messages by identity. */
const told = new WeakMap<Message, Message>()

function messageInWords(message: Message): Message {
  if (!message.content.some(({ type }) => type === 'call' || type === 'result')) return message
  const role = message.role === 'tool' ? 'user' : message.role
  return { ...message, role, content: message.content.flatMap(partInWords) }
}

function partInWords(part: Part): Part[] {
  switch (part.type) {
    case 'call': {
      const { name, input, recovered } = part.call
      // A call that was recovered from the text is already in the text.
      if (recovered) return []
      return [{ type: 'text', text: `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>` }]
    }
    case 'result':
      return [{ type: 'text', text: observation(part) }, ...(part.files ?? [])]
    case 'text':
    case 'reasoning':
    case 'file':
      return [part]
    default:
      return part satisfies never
  }
}

function observation({ name, outcome, text }: ResultPart): string {
  return `Observation [${name}]: ${outcome === 'ok' ? 'Result' : `Error (${outcome})`}: ${shownText(text)}`
}
