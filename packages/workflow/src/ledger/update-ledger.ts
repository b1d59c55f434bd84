import { excerptOf } from '@loader/session-core'
import type { Ledger } from '@loader/session-core/coding'
import type { FreshnessEvidence } from './freshness-evidence.ts'
import { significantWords } from '../text/significant-words.ts'
import { containsWords, wordsOf } from '../text/words.ts'
import type { LedgerPhase } from './seed-ledger.ts'

interface Item {
  readonly text: string
  readonly status: string
  readonly introducedPhase: string
  readonly updatedPhase?: string | undefined
  readonly evidence?: readonly string[] | undefined
}

const longestText = 96

/** The ledger after an observation that contradicts items. Each piece of evidence is kept once. */
export function updateLedger(
  ledger: Ledger,
  evidence: readonly FreshnessEvidence[],
  phase: LedgerPhase = 'recovery',
): Ledger {
  const said = evidence.filter(({ summary }) => summary.trim() !== '')
  return said.reduce((before, seen) => updated(before, seen, phase), ledger)
}

function updated(ledger: Ledger, { kind, summary }: FreshnessEvidence, phase: LedgerPhase): Ledger {
  switch (kind) {
    case 'contradicted_assumption':
      return { ...ledger, assumptions: marked(ledger.assumptions, summary, 'contradicted', phase) }
    case 'acceptance_anchor':
    case 'verification_contradiction':
      return { ...ledger, acceptanceAnchors: marked(ledger.acceptanceAnchors, summary, 'changed', phase) }
    case 'task_boundary_change':
      return { ...ledger, decisionBoundaries: marked(ledger.decisionBoundaries, summary, 'reopened', phase) }
    case 'confirmed_touchpoint':
    case 'inferred_touchpoint':
      return ledger
    default:
      return kind satisfies never
  }
}

function marked<Status extends string, Kept extends Item>(
  items: readonly Kept[],
  summary: string,
  status: Status,
  phase: LedgerPhase,
): readonly (Kept | (Item & { readonly status: Status }))[] {
  // Evidence that was seen before has already had its effect.
  if (items.some(({ evidence = [] }) => evidence.includes(summary))) return items
  const place = matching(items, summary)
  if (place === undefined) {
    return [...items, { text: newText(summary), status, introducedPhase: phase, evidence: [summary] }]
  }
  return items.map((item, index) =>
    index === place ? { ...item, status, updatedPhase: phase, evidence: [...(item.evidence ?? []), summary] } : item,
  )
}

/** The item that contains the summary or is contained in it, else the one with the most words in common. */
function matching(items: readonly Item[], summary: string): number | undefined {
  const said = wordsOf(summary)
  const containing = items.findIndex(({ text }) => {
    const own = wordsOf(text)
    return own.length > 0 && (containsWords(said, own) || containsWords(own, said))
  })
  if (containing >= 0) return containing
  const significant = significantWords(summary)
  const shared = items.map(({ text }) => [...significantWords(text)].filter((word) => significant.has(word)).length)
  const most = Math.max(0, ...shared)
  return most >= 2 ? shared.indexOf(most) : undefined
}

function newText(summary: string): string {
  const span = /`([^`\n]*[^`\s][^`\n]*)`/.exec(summary)?.[1]?.trim()
  return span ?? excerptOf(summary, longestText)
}
