import type { EventInput, SessionState } from '@loader/session-core'
import { carriedLines, type CarryOptions } from './carried.ts'
import { localSummary } from './local-summary.ts'
import { messagesTokens, messageTokens } from './message-tokens.ts'
import { type CompactionPlan, largestAfter } from './plan.ts'
import type { SummaryReading } from './read-summary.ts'
import { summaryMessage, summaryMessageText } from './summary-message.ts'
import { summaryBudget } from './summary-budget.ts'
import type { Tokenizer } from './text-tokens.ts'

/** Who wrote the summary: the runtime, from what is in the state, or a model. */
export type CompactionMethod = 'local' | 'model'

/** The event that replaces the older messages by a summary. Append it to the session. */
export type CompactedInput = Extract<EventInput, { type: 'context.compacted' }>

/** The event that records why a compaction changed nothing. Append it to the session. */
export type CompactionFailedInput = Extract<EventInput, { type: 'context.compaction_failed' }>

/** What the event of a compaction needs beside the plan. */
export interface CompactionOptions extends CarryOptions {
  /** The id of the message that carries the summary. */
  readonly messageId: string
  readonly why?: string
  /** As in the plan. */
  readonly minimumGain?: number
  readonly tokenizer?: Tokenizer | undefined
}

/**
 * The one event that a compaction with a local summary records. The summary takes the room that there is, so a plan made
 * with the same options never fails here.
 */
export function compactLocally(
  state: SessionState,
  plan: CompactionPlan,
  options: CompactionOptions,
): CompactedInput | CompactionFailedInput {
  const budget = summaryBudget(state.policy?.model?.contextWindow)
  for (const share of [1, 0.5, 0.25]) {
    const summary = localSummary(state, plan, { ...budget, characters: Math.floor(budget.characters * share) })
    const event = compactWith(state, plan, { method: 'local', summary }, options)
    if (event.type === 'context.compacted') return event
  }
  return compactWith(state, plan, { method: 'local', summary: '' }, options)
}

/** The one event that a compaction with an answer of a model records: a summary that is not sound replaces nothing. */
export function compactFromModel(
  state: SessionState,
  plan: CompactionPlan,
  reading: SummaryReading,
  options: CompactionOptions,
): CompactedInput | CompactionFailedInput {
  if (reading.outcome === 'refused') return compactionFailed('model', reading.reason)
  return compactWith(state, plan, { method: 'model', summary: reading.summary }, options)
}

/** The one event that says why nothing was compacted. */
export function compactionFailed(method: CompactionMethod, reason: string): CompactionFailedInput {
  return { type: 'context.compaction_failed', method, reason }
}

function compactWith(
  state: SessionState,
  plan: CompactionPlan,
  { method, summary }: { readonly method: CompactionMethod; readonly summary: string },
  { messageId, why, minimumGain, tokenizer, ...carry }: CompactionOptions,
): CompactedInput | CompactionFailedInput {
  const text = summaryMessageText(summary, carriedLines(state, plan, carry))
  const tokensBefore = messagesTokens(state.messages, tokenizer)
  const tokensAfter =
    messagesTokens(plan.kept, tokenizer) + messageTokens(summaryMessage(state, messageId, text), tokenizer)
  if (tokensAfter > largestAfter(tokensBefore, minimumGain)) {
    return compactionFailed(
      method,
      `The summary gains too little: the window would go from ${tokensBefore} to ${tokensAfter} tokens.`,
    )
  }
  return {
    type: 'context.compacted',
    messageId,
    text,
    method,
    ...(why !== undefined && { why }),
    firstKept: plan.firstKept,
    ...(plan.alsoKept.length > 0 && { alsoKept: [...plan.alsoKept] }),
    removed: plan.folded.length,
    tokensBefore,
    tokensAfter,
  }
}
