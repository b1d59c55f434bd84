import { callsOf } from '@loader/session-core'
import type { ImportedAnswer, ConversationItem, Result } from './conversation.ts'

/** The result of each call, by its answer and its position in it. */
export interface PairedResults {
  resultOf(answer: ImportedAnswer, callId: string): Result | undefined
  /** Descriptions of duplicate results that differ from the one used. */
  readonly disputed: readonly string[]
  readonly duplicates: number
  readonly orphans: number
}

/**
 * Pairs by id, never by order. A result answers the latest call with its id; a second result is dropped if it is equal,
 * and reported otherwise.
 */
export function pairResults(items: readonly ConversationItem[]): PairedResults {
  const latest = new Map<string, ImportedAnswer>()
  const results = new Map<ImportedAnswer, Map<string, Result>>()
  const disputed: string[] = []
  let duplicates = 0
  let orphans = 0
  for (const item of items) {
    if (item.kind === 'answer') for (const { id } of callsOf(item.content)) latest.set(id, item)
    if (item.kind !== 'result') continue
    const answer = latest.get(item.callId)
    if (answer === undefined) {
      orphans += 1
      continue
    }
    const own = results.get(answer) ?? new Map<string, Result>()
    results.set(answer, own)
    const taken = own.get(item.callId)
    if (taken === undefined) own.set(item.callId, item)
    else if (saysTheSame(taken, item)) duplicates += 1
    else
      disputed.push(
        `Call ${item.callId} has a second result that says something else (line ${item.place.line}); the first was taken.`,
      )
  }
  return { resultOf: (answer, callId) => results.get(answer)?.get(callId), disputed, duplicates, orphans }
}

function saysTheSame(one: Result, other: Result): boolean {
  return one.outcome === other.outcome && JSON.stringify(one.text) === JSON.stringify(other.text)
}
