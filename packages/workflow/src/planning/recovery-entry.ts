import type { WorkflowMode } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { entry, type EntryDetails, type EntryReason } from '../timeline/entry.ts'
import { routeEntry } from '../timeline/route-entry.ts'
import type { Freshness } from './assess-freshness.ts'

interface Step {
  readonly decisionKind: 'handoff' | 'reentry'
  readonly mode: WorkflowMode
  readonly summary: string
}

const steps = {
  plan_artifacts_created: { decisionKind: 'handoff', mode: 'execute', summary: 'the plan is written' },
  plan_refresh_completed: { decisionKind: 'handoff', mode: 'execute', summary: 'the plan fits the work again' },
  clarify_reentry_required: {
    decisionKind: 'reentry',
    mode: 'clarify',
    summary: 'the work has gone beyond the brief, which is clarified anew',
  },
  clarify_reentry_plan_created: {
    decisionKind: 'handoff',
    mode: 'execute',
    summary: 'the plan is written, after the brief was clarified anew',
  },
  full_replan_requires_clarify: {
    decisionKind: 'reentry',
    mode: 'clarify',
    summary: 'the work has gone beyond brief and plan; the brief comes first',
  },
  full_replan_required: {
    decisionKind: 'reentry',
    mode: 'plan',
    summary: 'the brief is clarified; the plan is written anew',
  },
  full_replan_completed: { decisionKind: 'handoff', mode: 'execute', summary: 'brief and plan fit the work again' },
} as const satisfies Readonly<Record<string, Step>>

/** The steps between modes that write or refresh plan and brief. */
export type RecoveryCode = keyof typeof steps

export const recoveryCodes = Object.keys(steps) as readonly RecoveryCode[]

export function recoveryEntry(code: RecoveryCode, details: EntryDetails = {}): Decided {
  return routeEntry({ ...details, ...steps[code], code })
}

/** The entry for a plan or brief that no longer fits the work, with all evidence. Undefined if both fit. */
export function staleEntry({ codes, lines, strategy }: Freshness, details: EntryDetails = {}): Decided | undefined {
  const [code] = codes
  if (code === undefined) return undefined
  return planRefreshEntry({
    ...details,
    mode: 'execute',
    code,
    summary: `${saidBy[strategy]} no longer ${strategy === 'full_replan' ? 'fit' : 'fits'} the work`,
    evidenceSummary: lines,
    signalSummary: [`recovery=${strategy}`, ...codes],
  })
}

/** The entry for refreshing the plan or the brief. */
export function planRefreshEntry({ code, summary, ...details }: EntryReason): Decided {
  return entry({
    decisionKind: 'forced',
    ...details,
    kind: 'plan_refresh',
    reasonCode: code,
    summary: `policy: ${summary}`,
  })
}

const saidBy = {
  none: 'nothing',
  plan_refresh: 'the plan',
  clarify_reentry: 'the brief',
  full_replan: 'brief and plan',
} as const satisfies Readonly<Record<Freshness['strategy'], string>>
