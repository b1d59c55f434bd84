import { callsOf, type Message, type SessionState, textOf, type Turn } from '@loader/session-core'

const mostLookedAt = 200
const mostAnswers = 6

/** The latest answer in words that the window still has, when it is that of the latest request. */
export function latestAnswer({ messages }: SessionState, { request }: Turn): Message | undefined {
  const last = messages.length - 1
  for (let index = last; request !== null && index >= 0 && last - index < mostLookedAt; index -= 1) {
    const message = messages.at(index)
    if (message?.id === request.id) return isInWords(message) ? message : undefined
  }
  return undefined
}

/** The answers in words before that one, oldest first, as far as the loop detection looks back. */
export function earlierAnswers({ messages }: SessionState, turn: Turn, latest: Message): readonly string[] {
  const found: string[] = []
  const last = messages.length - 1
  for (let index = last; index >= 0 && last - index < mostLookedAt && found.length < mostAnswers; index -= 1) {
    const message = messages.at(index)
    if (message === undefined || message.id === turn.inputId) break
    if (message !== latest && isInWords(message)) found.unshift(textOf(message.content))
  }
  return found
}

function isInWords({ origin, content, interrupted }: Message): boolean {
  return origin === 'model' && interrupted === undefined && callsOf(content).length === 0
}
