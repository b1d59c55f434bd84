import { type Message, type Part, shownText } from '@loader/session-core'

/**
 * The messages for a request without tools. Some providers then refuse calls in the history, so calls and results are
 * described as text.
 */
export function withCallsInWords(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (!message.content.some(({ type }) => type === 'call' || type === 'result')) return message
    const role = message.role === 'tool' ? 'user' : message.role
    return { ...message, role, content: message.content.flatMap(inWords) }
  })
}

function inWords(part: Part): Part[] {
  switch (part.type) {
    case 'call': {
      const { name, input, malformed, recovered } = part.call
      // Calls that were read out of the text are already in it.
      if (recovered) return []
      return [{ type: 'text', text: `[Called ${name}: ${malformed ?? JSON.stringify(input)}]` }]
    }
    case 'result': {
      const outcome = part.outcome === 'ok' ? '' : ` (${part.outcome})`
      return [
        { type: 'text', text: `[Result of ${part.name}${outcome}: ${shownText(part.text)}]` },
        ...(part.files ?? []),
      ]
    }
    case 'text':
    case 'reasoning':
    case 'file':
      return [part]
    default:
      return part satisfies never
  }
}
