import type { Brief } from '@loader/session-core/coding'
import type { LedgerSeeds } from '../ledger/seed-ledger.ts'
import { oneLine } from './one-line.ts'

/** The sections of a brief in order, with their headings. */
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

/** A parsed brief. Sections that it lacks have neutral values. */
export interface BriefReading {
  readonly sections: Readonly<Record<BriefSection, readonly string[]>>
  /** The sections that the brief contains. */
  readonly explicit: readonly BriefSection[]
}

/** The neutral value of the non-goals. It rules out nothing, so it must not count as an answer. */
export const nothingRuledOut = 'Nothing has been ruled out.'

/** A brief with the given sections, and neutral values for all others. */
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

/** The brief that is used if none was written: the task, with every question open. */
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

/** The sections that the brief contains, as a session stores them. */
export function explicitSections({ sections, explicit }: BriefReading): NonNullable<Brief['sections']> {
  return Object.fromEntries(explicit.map((section) => [section, sections[section]]))
}

/** What a brief adds to the ledger. */
export function seedsOfBrief({ sections }: BriefReading): LedgerSeeds {
  return {
    assumptions: sections.assumptions,
    acceptanceAnchors: sections.acceptance_criteria,
    decisionBoundaries: sections.decision_boundaries,
  }
}
