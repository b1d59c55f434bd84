import type { Ledger, TimelineEntry } from '@loader/session-core/coding'
import { ledgerHighlights } from '../ledger/ledger-highlights.ts'
import { isClarification, isCompletion, isRepair, isVerification } from './accountability.ts'
import { explainEntry } from './explain-entry.ts'

type HighlightTopic = 'clarify' | 'recovery' | 'repair' | 'completion' | 'verify' | 'ledger'

/** The latest decision of one topic, in a sentence. */
export interface Highlight {
  readonly topic: HighlightTopic
  readonly text: string
  /** Absent if it comes from the ledger. */
  readonly entry?: TimelineEntry
}

const topics: readonly { topic: HighlightTopic; concerns: (entry: TimelineEntry) => boolean }[] = [
  { topic: 'clarify', concerns: ({ kind, mode }) => isClarification(kind) || mode === 'clarify' },
  { topic: 'recovery', concerns: ({ kind }) => kind === 'reentry' || kind === 'plan_refresh' },
  { topic: 'repair', concerns: ({ kind }) => isRepair(kind) },
  { topic: 'completion', concerns: ({ kind }) => isCompletion(kind) },
  { topic: 'verify', concerns: ({ kind }) => isVerification(kind) },
]

/** A summary of the timeline: the latest entry of each topic, and the changes in the ledger. */
export function timelineHighlights(timeline: Iterable<TimelineEntry>, ledger: Ledger): Highlight[] {
  const entries = [...timeline]
  const latest = topics.flatMap(({ topic, concerns }) => {
    const entry = entries.findLast(concerns)
    return entry === undefined ? [] : [{ topic, text: explainEntry(entry), entry }]
  })
  return [...latest, ...ledgerHighlights(ledger).map((text) => ({ topic: 'ledger' as const, text }))]
}
