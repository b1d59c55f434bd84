import type { Ledger } from '@loader/session-core/coding'
import { normalized } from '../text/normalized.ts'

/** The assumptions, anchors and boundaries that a brief or a plan states. */
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
 * The ledger with the statements of a phase added. An item that is there already keeps its status and only records the
 * phase that named it again.
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

/** An item's own phase is not recorded again, so that seeding twice equals seeding once. */
function namedAgain<Kept extends Item>(item: Kept, phase: LedgerPhase): Kept {
  return item.updatedPhase === undefined && item.introducedPhase === phase ? item : { ...item, updatedPhase: phase }
}
