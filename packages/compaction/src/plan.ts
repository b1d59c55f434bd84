import { callsOf, type Message, type SessionState } from '@loader/session-core'
import { carriedLines, type CarryOptions } from './carried.ts'
import { compactionLimits } from './limits.ts'
import { messagesTokens, messageTokens } from './message-tokens.ts'
import { saidByUser } from './said-by-user.ts'
import { isSummary, summaryMessage, summaryMessageText } from './summary-message.ts'
import type { Tokenizer } from './text-tokens.ts'

/** Which messages are folded and which stay. Calls are never separated from their results. */
export interface CompactionPlan {
  /** The messages to fold, oldest first, including an earlier summary. */
  readonly folded: readonly Message[]
  /** The messages that stay after the summary. */
  readonly kept: readonly Message[]
  /** The first message that stays at the end of the window; null if none does. */
  readonly firstKept: string | null
  /** Earlier messages that also stay: the last message of the user. */
  readonly alsoKept: readonly string[]
}

/** How many messages a compaction keeps, and how much it must gain. */
export interface PlanOptions extends CarryOptions {
  /** How many of the newest messages stay; more if a call would lose its result. */
  readonly keepLast?: number
  /** The fewest messages that may stay if keeping `keepLast` gains too little: after an overflow, 0. */
  readonly keepAtLeast?: number
  /** The share of the window that must become free. If negative, the window may even grow. */
  readonly minimumGain?: number
  readonly tokenizer?: Tokenizer | undefined
}

const usualGain = 0.25

/** Plans which messages to fold so that the window shrinks, or returns null if it cannot shrink enough. */
export function planCompaction(state: SessionState, options: PlanOptions = {}): CompactionPlan | null {
  const {
    keepLast = state.policy?.limits.keepLastMessages ?? compactionLimits.keepLastMessages,
    keepAtLeast = keepLast,
  } = options
  const messages = state.messages.toArray()
  for (let keep = keepLast; keep >= Math.min(keepLast, keepAtLeast); keep -= 1) {
    const plan = planFor(messages, keep)
    if (plan.folded.some((message) => !isSummary(message)) && gains(state, plan, options)) return plan
  }
  return null
}

/** The largest size allowed for a window after a compaction. */
export function largestAfter(tokensBefore: number, minimumGain: number = usualGain): number {
  return minimumGain < 0
    ? Number.POSITIVE_INFINITY
    : Math.min(tokensBefore - 1, Math.floor(tokensBefore * (1 - minimumGain)))
}

function planFor(messages: readonly Message[], keepLast: number): CompactionPlan {
  const cut = namedCut(messages, messages.length - Math.max(0, keepLast))
  const alsoKept = lastWordsBefore(messages, cut)
  return {
    folded: messages.slice(0, cut).filter((message) => !alsoKept.includes(message)),
    kept: [...alsoKept, ...messages.slice(cut)],
    firstKept: messages[cut]?.id ?? null,
    alsoKept: [...new Set(alsoKept.map(({ id }) => id))],
  }
}

/** The last message of the user, if it would be folded. A reducer keeps every message with its id. */
function lastWordsBefore(messages: readonly Message[], cut: number): readonly Message[] {
  const place = messages.findLastIndex(saidByUser)
  if (place >= cut) return []
  const namesakes = messages.slice(0, cut).filter(({ id }) => id === messages[place]?.id)
  return namesakes.every(saidByUser) ? namesakes : []
}

/**
 * Moves the cut to a message with a unique id, since the event names it by id. Conversations imported twice have
 * duplicate ids.
 */
function namedCut(messages: readonly Message[], latest: number): number {
  const cut = lastCut(messages, Math.max(0, latest))
  const id = messages[cut]?.id
  const isLast = id === undefined || messages.findLastIndex((message) => message.id === id) === cut
  return isLast || cut === 0 ? cut : namedCut(messages, cut - 1)
}

/** Whether the window would shrink enough with an empty summary. */
function gains(state: SessionState, plan: CompactionPlan, { minimumGain, tokenizer, ...carry }: PlanOptions): boolean {
  const before = messagesTokens(state.messages, tokenizer)
  const kept = messagesTokens(plan.kept, tokenizer)
  const largest = largestAfter(before, minimumGain)
  if (kept > largest) return false
  const least = summaryMessage(state, '', summaryMessageText('', carriedLines(state, plan, carry)))
  return kept + messageTokens(least, tokenizer) <= largest
}

/**
 * The last place up to `latest` where the window can be cut without separating a call from its result, or from the wait
 * for it.
 */
function lastCut(messages: readonly Message[], latest: number): number {
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
