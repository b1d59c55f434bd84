import { callsOf, type Message, type SessionState, textOf, type Turn } from '@loader/session-core'
import { finishToolName } from '../words/tools.ts'

const mostLookedAt = 200
const mostAnswers = 6

/** The latest text answer in the window, if it belongs to the latest request. */
export function latestAnswer({ messages }: SessionState, { request }: Turn): Message | undefined {
  const last = messages.length - 1
  for (let index = last; request !== null && index >= 0 && last - index < mostLookedAt; index -= 1) {
    const message = messages.at(index)
    if (message?.id === request.id) return isInWords(message) ? message : undefined
  }
  return undefined
}

/**
 * The answer that the turn ends with. A reply to the runtime's question of how the turn ended does not replace the
 * answer before it.
 */
export function answerOfTurn(state: SessionState, turn: Turn): Message | undefined {
  const { messages } = state
  const last = messages.length - 1
  let wasAsked = false
  let fallback: Message | undefined
  for (let index = last; index >= 0 && last - index < mostLookedAt; index -= 1) {
    const message = messages.at(index)
    if (message === undefined || message.id === turn.inputId) break
    if (message.id === turn.asked) {
      wasAsked = true
      continue
    }
    if (message.origin !== 'model' || message.interrupted !== undefined) continue
    const calls = callsOf(message.content)
    const isAnswer = calls.every(({ name }) => name === finishToolName)
    if (!isAnswer) break
    const hasWords = textOf(message.content).trim() !== ''
    if (hasWords && (wasAsked || turn.asked === undefined)) return message
    if (hasWords) fallback ??= message
  }
  return fallback
}

/** Earlier text answers of the turn, oldest first, as many as loop detection compares. */
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
