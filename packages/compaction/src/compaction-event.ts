import type { EventInput, SessionState } from '@loader/session-core'
import { carriedLines, type CarryOptions } from './carried.ts'
import { localSummary } from './local-summary.ts'
import { messagesTokens, messageTokens } from './message-tokens.ts'
import { type CompactionPlan, largestAfter } from './plan.ts'
import type { SummaryReading } from './read-summary.ts'
import { summaryMessage, summaryMessageText } from './summary-message.ts'
import { summaryBudget } from './summary-budget.ts'
import type { Tokenizer } from './text-tokens.ts'

/** How the summary was written: `local` by the runtime from the state, or by a model. */
export type CompactionMethod = 'local' | 'model'

/** The event that replaces older messages by a summary. Append it to the session. */
export type CompactedInput = Extract<EventInput, { type: 'context.compacted' }>

/** The event that records why a compaction failed. Append it to the session. */
export type CompactionFailedInput = Extract<EventInput, { type: 'context.compaction_failed' }>

/** What the event of a compaction needs in addition to the plan. */
export interface CompactionOptions extends CarryOptions {
  /** The id of the message that carries the summary. */
  readonly messageId: string
  readonly why?: string
  /** As in the plan. */
  readonly minimumGain?: number
  readonly tokenizer?: Tokenizer | undefined
}

/**
 * Makes the event of a compaction with a local summary. The summary is cut to the available room, so it never fails for
 * a plan made with the same options.
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

/**
 * Makes the event of a compaction with a summary by a model. An invalid summary gives a failure event and replaces no
 * messages.
 */
export function compactFromModel(
  state: SessionState,
  plan: CompactionPlan,
  reading: SummaryReading,
  options: CompactionOptions,
): CompactedInput | CompactionFailedInput {
  if (reading.outcome === 'refused') return compactionFailed('model', reading.reason)
  return compactWith(state, plan, { method: 'model', summary: reading.summary }, options)
}

/** Makes the event that says why a compaction failed. */
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
