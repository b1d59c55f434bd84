import type { BriefReading } from '../artifacts/brief-reading.ts'
import type { PlanReading } from '../artifacts/parse-plan.ts'
import type { LedgerSeeds } from './seed-ledger.ts'

/** What a brief puts into the ledger. */
export function seedsOfBrief({ sections }: BriefReading): LedgerSeeds {
  return {
    assumptions: sections.assumptions,
    acceptanceAnchors: sections.acceptance_criteria,
    decisionBoundaries: sections.decision_boundaries,
  }
}

/** What a plan puts into the ledger. */
export function seedsOfPlan({ criteria }: PlanReading): LedgerSeeds {
  return { acceptanceAnchors: criteria }
}
