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
  Permission,
  Policy,
  Reach,
  ToolRule,
  ToolServer,
  WallsRecord,
} from './words/policy.ts'
export { PromptFormat, PromptSection, PromptSnapshot } from './words/prompt.ts'
export { FileIntent, HookRun, HookStart, QuestionText, TouchedPath } from './events/calls.ts'
export { FileChange, Grounding, LeftOut, SeenPath, WorkspaceTree } from './words/observed.ts'
export { CarriedFiles, FolderPlace, SavedBase, SavedFiles, SavedHead, SavedHistory } from './words/saved-files.ts'
export {
  BackgroundCommand,
  BackgroundEnd,
  backgroundEndWords,
  ListeningPort,
  PublishedPort,
} from './words/background.ts'
export { HookApart } from './words/hook-apart.ts'
export { ChildGrant, ChildOutcome, ChildPlace, ChildSession, CopiedTree, MergedFile } from './words/child.ts'
export { couldInstallSince, couldWriteSince } from './reduce/background.ts'
export type { Background, BackgroundNow } from './ports/background.ts'
export { RequestPurpose } from './events/model.ts'
export { Lane } from './events/turn.ts'
export { GivenAnswer, InboxMessage, parseInboxMessage } from './words/inbox-message.ts'
export type {
  Delegation,
  Examination,
  Observation,
  Tool,
  ToolAlias,
  ToolAliases,
  ToolContext,
  ToolSource,
  SettledResult,
  ToolResult,
  ValidExamination,
} from './ports/tool.ts'
export type {
  CheckRun,
  KeptTree,
  PackedHistory,
  PackOptions,
  PackTaken,
  RestoredFile,
  RestorePlan,
  RestoreStep,
  TreeChange,
  TreeSpan,
  TreeTaken,
  TreeWithout,
  Workspace,
  WorkspacePacks,
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
  requirePermissionAnswer,
  requireResult,
  requireStream,
  requireTool,
  requireWords,
} from './ports/contracts.ts'
export type { Approver, AskUser, PermissionAnswer, PermissionQuestion, UserQuestion } from './ports/approver.ts'
