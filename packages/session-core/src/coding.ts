// The event and state schemas for coding agents. They live beside the others because `SessionEvent` and `SessionState`
// include them; programs that store sessions of another kind of agent can ignore them.

export {
  CompletionTraceEntry,
  Decision,
  DecisionKind,
  EntryKind,
  EvidenceProvenance,
  TimelineEntry,
  VerificationObservation,
} from './words/timeline.ts'
export { WorkflowMode } from './words/workflow-mode.ts'
export { emptyLedger, Ledger } from './words/ledger.ts'
export { Brief, Check, Criterion, Evidence, Goal, Plan, ProjectFacts, Todo } from './words/goal.ts'
export { Acceptance, Beside, CheckStanding, EndStatement, Judgement, NameList, TurnEnd } from './words/judgement.ts'
export {
  BeforeTree,
  BeforeWork,
  Experiment,
  NotShown,
  PackageChange,
  Room,
  RoomOutcome,
  Shown,
  TestOutcome,
  TestResult,
  TrialChanges,
  TrialFacts,
  VerificationGround,
} from './words/trial.ts'
export { Verdict } from './words/verdict.ts'
export {
  Effect,
  KnownTool,
  Limits,
  PermissionMode,
  PermissionRule,
  Permit,
  Policy,
  Reach,
  ToolRule,
  WallsRecord,
} from './words/policy.ts'
export { PromptFormat, PromptSection, PromptSnapshot } from './words/prompt.ts'
export { FileIntent, QuestionText, TouchedPath } from './events/calls.ts'
export { FileChange, Grounding, LeftOut, SeenPath, WorkspaceTree } from './words/observed.ts'
export { RequestPurpose } from './events/model.ts'
export { Lane } from './events/turn.ts'
export type {
  Examination,
  Observation,
  Tool,
  ToolAlias,
  ToolAliases,
  ToolContext,
  ToolResult,
  ValidExamination,
} from './ports/tool.ts'
export type {
  CheckRun,
  KeptTree,
  RestoredFile,
  RestorePlan,
  RestoreStep,
  TreeChange,
  TreeSpan,
  TreeTaken,
  TreeWithout,
  Workspace,
  WorkspaceTrees,
  WrittenFile,
} from './ports/workspace.ts'
export type {
  AsideView,
  ChangedPath,
  BesideChanges,
  BesideTree,
  CheckTrials,
  ImportView,
  RoomOptions,
  RoomRun,
  TestKind,
  TrialGround,
  TrialSurvey,
} from './ports/check-trials.ts'
export {
  invalidPort,
  requireBackendEvent,
  requireExamination,
  requireMethod,
  requireObservation,
  requirePermitAnswer,
  requireResult,
  requireStream,
  requireTool,
  requireWords,
} from './ports/contracts.ts'
export type { Approver, AskUser, PermitAnswer, PermitQuestion, UserQuestion } from './ports/approver.ts'
