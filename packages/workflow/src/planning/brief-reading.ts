import type { Brief } from '@loader/session-core/coding'
import type { LedgerSeeds } from '../ledger/seed-ledger.ts'
import { oneLine } from './one-line.ts'

/** The sections of a brief in their order, with the headings that they are written under. */
export const briefHeadings = {
  task_statement: 'Task Statement',
  desired_outcome: 'Desired Outcome',
  in_scope: 'In Scope',
  non_goals: 'Non Goals',
  decision_boundaries: 'Decision Boundaries',
  constraints: 'Constraints',
  likely_touchpoints: 'Likely Touchpoints',
  assumptions: 'Assumptions',
  acceptance_criteria: 'Acceptance Criteria',
} as const

export type BriefSection = keyof typeof briefHeadings

export const briefSections = Object.keys(briefHeadings) as readonly BriefSection[]

/** A brief as it is understood. What it does not say has neutral values. */
export interface BriefReading {
  readonly sections: Readonly<Record<BriefSection, readonly string[]>>
  /** The sections that are really there. */
  readonly explicit: readonly BriefSection[]
}

/** What stands for what was not ruled out. It rules out nothing, so that it settles nothing either. */
export const nothingRuledOut = 'Nothing has been ruled out.'

/** A brief with what is said, and neutral values for all else. */
export function briefReading(said: Partial<Record<BriefSection, readonly string[]>>, task: string): BriefReading {
  const wanted = oneLine(task)
  const fallback = wanted === '' ? [] : [wanted]
  const outcome = said.desired_outcome ?? fallback
  const scope = said.in_scope ?? fallback
  return {
    sections: {
      task_statement: said.task_statement ?? fallback,
      desired_outcome: outcome,
      in_scope: scope,
      non_goals: said.non_goals ?? [nothingRuledOut],
      decision_boundaries: said.decision_boundaries ?? [],
      constraints: said.constraints ?? [],
      likely_touchpoints: said.likely_touchpoints ?? [],
      assumptions: said.assumptions ?? [],
      acceptance_criteria: said.acceptance_criteria ?? [...new Set([...outcome, ...scope.slice(0, 2)])],
    },
    explicit: briefSections.filter((section) => said[section] !== undefined),
  }
}

/** The brief that stands where none was written: the task, and nothing that anybody has settled. */
export function fallbackBrief({
  task,
  answer = '',
}: {
  readonly task: string
  readonly answer?: string
}): BriefReading {
  const said = oneLine(answer)
  const reading = briefReading({ desired_outcome: [said === '' ? oneLine(task) : said] }, task)
  return { ...reading, explicit: [] }
}

/** The sections that are really there, as a session keeps them. */
export function explicitSections({ sections, explicit }: BriefReading): NonNullable<Brief['sections']> {
  return Object.fromEntries(explicit.map((section) => [section, sections[section]]))
}

/** What a brief puts into the ledger. */
export function seedsOfBrief({ sections }: BriefReading): LedgerSeeds {
  return {
    assumptions: sections.assumptions,
    acceptanceAnchors: sections.acceptance_criteria,
    decisionBoundaries: sections.decision_boundaries,
  }
}
