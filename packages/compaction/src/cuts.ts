import { callsOf, type Message } from '@loader/session-core'

/**
 * The last place, not behind `latest`, before which the window can be cut: no call stands on one side and its result,
 * or the wait for it, on the other.
 */
export function lastCut(messages: readonly Message[], latest: number): number {
  let cut = 0
  const waiting = new Set<string>()
  for (let index = 0; index < messages.length && index <= latest; index += 1) {
    if (waiting.size === 0) cut = index
    const { content } = messages[index] as Message
    for (const part of content) if (part.type === 'result') waiting.delete(part.callId)
    for (const { id } of callsOf(content)) waiting.add(id)
  }
  return latest >= messages.length && waiting.size === 0 ? messages.length : cut
}
