import { excerptOf } from '@loader/session-core'
import type { Brief, Plan } from '@loader/session-core/coding'
import type { FreshnessEvidence } from '../ledger/freshness-evidence.ts'
import { normalized } from '../text/normalized.ts'
import { phrases, says } from '../text/phrases.ts'
import { containsWords, wordsOf } from '../text/words.ts'
import { covers, mentions, readText, type TextReading } from './coverage.ts'
import { linesUnder } from './parse-brief.ts'
import { pathsIn } from './paths-in.ts'

export interface FreshnessInput {
  readonly plan: Plan
  readonly brief: Brief | null
  /** Files that the work has changed, relative to the project. */
  readonly touchedFiles: readonly string[]
  /** What must hold for the task to be done. */
  readonly criteria: readonly string[]
  readonly task: string
  readonly lastVerification: 'passed' | 'failed' | null
}

type FreshnessCode =
  | 'touched_files_outside_plan'
  | 'acceptance_criteria_outside_plan'
  | 'brief_missing_acceptance_scope'
  | 'touchpoints_outside_brief'
  | 'task_drifted_beyond_brief'

export interface Freshness {
  readonly plan: 'fresh' | 'stale'
  readonly brief: 'none' | 'fresh' | 'stale'
  readonly codes: readonly FreshnessCode[]
  readonly evidence: readonly FreshnessEvidence[]
  /** How to get a brief and a plan that fit again. */
  readonly strategy: 'none' | 'clarify_reentry' | 'plan_refresh' | 'full_replan'
  /** The evidence as text. */
  readonly lines: readonly string[]
}

interface Finding {
  readonly code: FreshnessCode
  readonly artifact: 'plan' | 'brief'
  readonly evidence: readonly FreshnessEvidence[]
}

/** Whether plan and brief still fit the work, and if not, how to refresh them. */
export function assessFreshness(input: FreshnessInput): Freshness {
  const findings = [...planFindings(input), ...briefFindings(input)].filter(({ evidence }) => evidence.length > 0)
  const stalePlan = findings.some(({ artifact }) => artifact === 'plan')
  const staleBrief = findings.some(({ artifact }) => artifact === 'brief')
  const evidence = unique([
    ...findings.flatMap((finding) => finding.evidence),
    ...(findings.length > 0 ? contradictions(input) : []),
  ])
  return {
    plan: stalePlan ? 'stale' : 'fresh',
    brief: input.brief === null ? 'none' : staleBrief ? 'stale' : 'fresh',
    codes: findings.map(({ code }) => code),
    evidence,
    strategy: strategyFor(stalePlan, staleBrief),
    lines: evidence.map(evidenceLine),
  }
}

export const nothingStale: Freshness = {
  plan: 'fresh',
  brief: 'none',
  codes: [],
  evidence: [],
  strategy: 'none',
  lines: [],
}

function strategyFor(stalePlan: boolean, staleBrief: boolean): Freshness['strategy'] {
  if (stalePlan) return staleBrief ? 'full_replan' : 'plan_refresh'
  return staleBrief ? 'clarify_reentry' : 'none'
}

function planFindings(input: FreshnessInput): Finding[] {
  const plan = planText(input)
  if (plan === null) return []
  const outside = criteriaOf(input).filter((criterion) => !covers(plan, criterion))
  const unplanned = (path: string) => !mentions(plan, path) && !input.touchedFiles.includes(path)
  return [
    {
      code: 'touched_files_outside_plan',
      artifact: 'plan',
      evidence: input.touchedFiles
        .filter((path) => !mentions(plan, path))
        .map((path) => ({
          kind: 'confirmed_touchpoint',
          summary: `\`${path}\` was changed, and the plan does not mention it.`,
        })),
    },
    {
      code: 'acceptance_criteria_outside_plan',
      artifact: 'plan',
      evidence: [
        ...outside.map((criterion) => ({
          kind: 'acceptance_anchor' as const,
          summary: `${asClause(criterion)}: the plan does not cover this.`,
        })),
        ...outside
          .flatMap(pathsIn)
          .filter(unplanned)
          .map((path) => ({
            kind: 'inferred_touchpoint' as const,
            summary: `\`${path}\` is named by a criterion, and the plan does not mention it.`,
          })),
      ],
    },
  ]
}

function briefFindings(input: FreshnessInput): Finding[] {
  const { touchedFiles, task, lastVerification } = input
  const brief = briefText(input)
  if (brief === null) return []
  const plan = planText(input)
  const uncovered = lastVerification === 'failed' ? criteriaOf(input).filter((text) => !covers(brief, text)) : []
  const outside = touchedFiles.filter((path) => !mentions(brief, path) && plan !== null && !mentions(plan, path))
  return [
    {
      code: 'brief_missing_acceptance_scope',
      artifact: 'brief',
      evidence: uncovered.map((criterion) => ({
        kind: 'verification_contradiction',
        summary: `${asClause(criterion)}: verification failed, and the brief does not cover this.`,
      })),
    },
    {
      code: 'touchpoints_outside_brief',
      artifact: 'brief',
      evidence: outside.map((path) => ({
        kind: 'confirmed_touchpoint',
        summary: `\`${path}\` was changed, and neither plan nor brief mentions it.`,
      })),
    },
    {
      code: 'task_drifted_beyond_brief',
      artifact: 'brief',
      evidence: covers(brief, task)
        ? []
        : [{ kind: 'task_boundary_change', summary: `The brief does not cover the task: ${excerptOf(task)}` }],
    },
  ]
}

/** The criteria that plan and brief must cover: not the task itself, nor the runtime's own request for evidence. */
function criteriaOf({ criteria, task }: FreshnessInput): readonly string[] {
  return criteria.filter(
    (criterion) =>
      normalized(criterion) !== normalized(task) && !containsWords(wordsOf(criterion), ['runtime', 'evidence']),
  )
}

/** Null if half of the plan is stored as a blob, because text that cannot be read proves neither case. */
function planText({ plan: { implementation, verification = '' } }: FreshnessInput): TextReading | null {
  if (typeof implementation !== 'string' || typeof verification !== 'string') return null
  return readText(`${withoutContract(implementation)}\n${withoutContract(verification)}`)
}

/** What the brief includes; what it rules out is left out. */
function briefText({ brief }: FreshnessInput): TextReading | null {
  if (brief === null || typeof brief.text !== 'string') return null
  const ruledOut = new Set(ruledOutBy(brief.text))
  const lines = withoutContract(brief.text).split(/\r?\n/)
  return readText(lines.filter((line) => !ruledOut.has(line)).join('\n'))
}

/** The header of a plan or brief names its task, and says nothing about what it covers. */
function withoutContract(text: string): string {
  return text.replace(/^> (?:Workflow contract|Task\b).*$/gm, '')
}

const excluding = phrases({
  exact: ['out of scope, not in scope, unchanged, untouched, not touched, stays as it is, not change'],
})

/** The lines of a brief that name what will not be touched. */
function ruledOutBy(text: string): string[] {
  const assumed = linesUnder(text, 'assumptions').filter((line) => says(wordsOf(line), excluding))
  return [...linesUnder(text, 'non_goals'), ...assumed].filter((line) => line.trim() !== '')
}

function contradictions({ brief, touchedFiles }: FreshnessInput): FreshnessEvidence[] {
  if (brief === null || typeof brief.text !== 'string') return []
  const ruledOut = ruledOutBy(brief.text).map(readText)
  return touchedFiles
    .filter((path) => ruledOut.some((text) => mentions(text, path)))
    .map((path) => ({
      kind: 'contradicted_assumption',
      summary: `The brief assumed that \`${path}\` stays as it is, and it was changed.`,
    }))
}

/** A criterion, phrased as the beginning of a piece of evidence. */
export function asClause(criterion: string): string {
  return /^.*[^.!;:\s]/s.exec(criterion.trim())?.[0] ?? ''
}

function unique(evidence: readonly FreshnessEvidence[]): FreshnessEvidence[] {
  return [...new Map(evidence.map((each) => [evidenceLine(each), each])).values()]
}

/** A piece of evidence as text. */
function evidenceLine({ kind, summary }: FreshnessEvidence): string {
  return `${kind.replaceAll('_', ' ')}: ${summary}`
}
