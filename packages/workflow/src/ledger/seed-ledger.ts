import type { Ledger } from '@loader/session-core/coding'
import { normalized } from '../text/normalized.ts'

/** What a brief or a plan says that the task rests on. */
export interface LedgerSeeds {
  readonly assumptions?: readonly string[]
  readonly acceptanceAnchors?: readonly string[]
  readonly decisionBoundaries?: readonly string[]
}

export type LedgerPhase = 'clarify' | 'plan' | 'recovery'

interface Item {
  readonly text: string
  readonly status: string
  readonly introducedPhase: string
  readonly updatedPhase?: string | undefined
}

/**
 * The ledger with what was said in a phase. What is in it already keeps its status, and only remembers the phase that
 * named it again.
 */
export function seedLedger(ledger: Ledger, seeds: LedgerSeeds, phase: LedgerPhase): Ledger {
  const { assumptions = [], acceptanceAnchors = [], decisionBoundaries = [] } = seeds
  return {
    assumptions: seeded(ledger.assumptions, assumptions, 'open', phase),
    acceptanceAnchors: seeded(ledger.acceptanceAnchors, acceptanceAnchors, 'active', phase),
    decisionBoundaries: seeded(ledger.decisionBoundaries, decisionBoundaries, 'tracked', phase),
  }
}

function seeded<Kept extends Item>(
  items: readonly Kept[],
  texts: readonly string[],
  status: Kept['status'],
  phase: LedgerPhase,
): readonly (Kept | (Item & Pick<Kept, 'status'>))[] {
  const said = new Map(texts.map((text) => [normalized(text), text.trim()] as const).filter(([key]) => key !== ''))
  const known = new Set(items.map(({ text }) => normalized(text)))
  const added = [...said].filter(([key]) => !known.has(key))
  return [
    ...items.map((item) => (said.has(normalized(item.text)) ? namedAgain(item, phase) : item)),
    ...added.map(([, text]) => ({ text, status, introducedPhase: phase })),
  ]
}

/** Where it comes from the phase itself there is nothing to remember, so that seeding twice is seeding once. */
function namedAgain<Kept extends Item>(item: Kept, phase: LedgerPhase): Kept {
  return item.updatedPhase === undefined && item.introducedPhase === phase ? item : { ...item, updatedPhase: phase }
}
