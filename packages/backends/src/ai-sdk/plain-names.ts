import type { Message, Part } from '@loader/session-core'

/** The tool names that every provider accepts. Google requires a letter or _ first. */
const accepted = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const longest = 64

/**
 * Replaces tool names that a provider would refuse. A model can call a tool by any name, even a whole command, and so
 * can the program that a session was imported from; unchanged, one such name makes every later request fail.
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
