import type { Message, Part } from '@loader/session-core'

/** What every provider takes for the name of a tool. Google wants a letter or _ in front. */
const accepted = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const longest = 64

/**
 * The messages with names that no provider refuses. A model may call a tool by any name, a whole command even, and so
 * may the program that a session was imported from; left as it is, one such name fails every request from then on.
 */
export function withPlainNames(messages: readonly Message[]): readonly Message[] {
  if (messages.every(({ content }) => content.every(isPlain))) return messages
  return messages.map((message) => ({ ...message, content: message.content.map(renamed) }))
}

function isPlain(part: Part): boolean {
  if (part.type === 'call') return accepted.test(part.call.name)
  return part.type !== 'result' || accepted.test(part.name)
}

function renamed(part: Part): Part {
  if (part.type === 'call') return { ...part, call: { ...part.call, name: plain(part.call.name) } }
  return part.type === 'result' ? { ...part, name: plain(part.name) } : part
}

function plain(name: string): string {
  if (accepted.test(name)) return name
  const spelled = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
  return (/^[a-zA-Z_]/.test(spelled) ? spelled : `_${spelled}`).slice(0, longest)
}
