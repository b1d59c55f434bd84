export { backgroundEvents } from './background/background-events.ts'
export { childFound, type ChildFound } from './children/child-found.ts'
export { childReach, isModeWithin, type ParentReach, type WantedReach } from './children/child-reach.ts'
export { type ChildLimits, childShare, defaultChildLimits, shareAgain, whyNoChild } from './children/child-share.ts'
export { decisions, nextStep } from './next-step.ts'
export type { Decided, HookMoment, Look, Step, Recorded } from './words/step.ts'
export { defaultLimits, limitsOf, type SettledLimits } from './words/limits.ts'
export { type RequestBudget, requestBudget } from './steps/budget.ts'
export { askUserToolName } from './words/tools.ts'
export { reconciliation, type Reconciliation } from './steps/reconciliation.ts'

export { readSignals } from './routing/read-signals.ts'
export { routeTask, type RouteInput } from './routing/route-task.ts'
export { scoreModes, type Scorer } from './routing/score-modes.ts'
export type { RoutingContext, Signals } from './routing/signals.ts'

export { completionTrace, completionTraceOf } from './timeline/completion-trace.ts'
export { explainEntry } from './timeline/explain-entry.ts'
export { filterTimeline, type TimelineFilter } from './timeline/filter-timeline.ts'
export { type Highlight, timelineHighlights } from './timeline/highlights.ts'
export { judgedElsewhere } from './goal/judged-elsewhere.ts'
export { timelineOf } from './timeline/timeline-of.ts'

export { ledgerHighlights } from './ledger/ledger-highlights.ts'
export { seedLedger, type LedgerSeeds } from './ledger/seed-ledger.ts'
export { updateLedger } from './ledger/update-ledger.ts'

export { liveTurns } from './work/live-turns.ts'
export { type WorkOfTurns, workOfTurns } from './work/work-of-turns.ts'

export { trialEvidence } from './goal/evidence-of.ts'
export { standingsKept } from './goal/standings-kept.ts'
export { goalOfTurn } from './goal/goal-of-turn.ts'
export { type Standing, standing, verdictOf } from './goal/verdict-of.ts'
export { isPlanHeld } from './permission/held-plan.ts'
export { citing } from './completion/citing.ts'

export { type Acceptable, acceptableOf, acceptanceOf } from './completion/accept-turn.ts'
export { checksToRun } from './goal/checks-to-run.ts'
export { acceptJudgement } from './judging/accept-judgement.ts'
export { type BeforeEvent, type BeforeTree, beforeAt, moveBefore } from './judging/before-tree.ts'
export { besideRecord } from './judging/beside.ts'
export { type EndFacts, type EndOfTurn, endOfTurn, type UnknownCall } from './judging/end-of-turn.ts'
export { endWords } from './judging/end-words.ts'
export { type ExitWishes, exitCodeOf } from './judging/exit-code.ts'
export { type EndOptions, exitCodeOfEnd } from './judging/exit-code.ts'
export type { Experiment, NotShown, Room, RoomOutcome, Tried } from './judging/experiment.ts'
export { judgeCheck, nextExperiment, withOutcome } from './judging/judge-check.ts'
export { judgeTurn, type TurnFacts, type TurnJudgement } from './judging/judge-turn.ts'
export {
  type Accepted,
  type CheckFinding,
  type CheckJudgement,
  type Held,
  type JudgementWord,
  type Notes,
  objects,
  type TurnFinding,
  type Unverified,
} from './judging/judgement.ts'
export { judgementRecord } from './judging/judgement-record.ts'
export { type JudgementWords, judgementWords } from './judging/judgement-words.ts'
export { type Shown, type TestOutcome, type TestResult } from './judging/shown.ts'
export {
  type AsideView,
  type ChangedPath,
  type ImportView,
  type Side,
  sortChanges,
  type SortedPath,
  type TestKind,
  type WhyAside,
} from './judging/sort-changes.ts'
export type { PackageChange, Trial } from './judging/trial.ts'
export { type FactsRequest, trialFacts } from './judging/trial-facts.ts'
export { judgedWithoutRooms, type TrialStep, trialStep } from './judging/trial-step.ts'

export { decidePermission, type HookPermission, type PermissionDecision } from './permission/decide-permission.ts'
export { type Need, needOf } from './permission/need-of.ts'
export { defaultPermissionMode, permissionOf, type PermissionSources } from './permission/permission-of.ts'
export { policyOf } from './permission/policy-of.ts'
export { explainPermission, type PermissionExplanation } from './permission/explain-permission.ts'
export type { PermissionCall, PermissionPlace } from './permission/permit-call.ts'
export { effectiveRules, type EffectiveRules, type RuleSource } from './permission/rules/effective-rules.ts'
export { type ParsedRules, parseRules, type RulesFault } from './permission/rules/parse-rules.ts'
export { ruleText } from './permission/rules/rule-text.ts'
