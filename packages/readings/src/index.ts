export { listensWords } from './background.ts'
export { hookWords } from './hooks.ts'
export { activityOf } from './activity.ts'
export { type AgentReading, agentsReading, type AgentsReading } from './agents.ts'
export { agentNews } from './children.ts'
export {
  type Comparable,
  type ComparedEntries,
  type Comparison,
  comparisonOf,
  type DifferentPart,
  textDifference,
} from './comparison.ts'
export { conversationOf } from './conversation.ts'
export type { Texts } from './words/texts.ts'
export { courseOf } from './course/course.ts'
export { type FileEdit, type FileStory, filesReading, type KnownLine } from './course/files.ts'
export {
  type AcceptanceReading,
  type CheckRunReading,
  type CriterionLane,
  type Stretch,
  truthReading,
  type TruthReading,
} from './course/lanes.ts'
export { nextMove, type NextMove } from './course/next-move.ts'
export { type Became, type ClaimReading, type CutOff, recoveryReading } from './course/recovery.ts'
export { type RequestReading, requestsReading } from './course/requests.ts'
export type { Absence, Course, Mark, Span, SpanKind } from './course/span.ts'
export {
  type CompactionReading,
  compactionsOf,
  type WindowPart,
  windowParts,
  type WindowPoint,
  windowReading,
  type WindowReading,
} from './course/window.ts'
export { evidenceReading } from './evidence/evidence-reading.ts'
export { ledgerReading } from './ledger.ts'
export { promptDiffReading, promptReading } from './prompts.ts'
export { EvidenceOutput, JudgedCriterion } from './schemas/evidence.ts'
export { LedgerOutput } from './schemas/ledger.ts'
export { PromptDiffOutput, PromptShowOutput } from './schemas/prompt.ts'
export { SessionName } from './schemas/session.ts'
export { Activity, ListedSession, Match, SessionsOutput } from './schemas/sessions.ts'
export {
  type ShowEntry,
  ShowOutput,
  type ShownBackground,
  type ShownChild,
  type ShownCall,
  type ShownHook,
  type ShownGap,
  type ShownMessage,
  type ShownTurnEnd,
} from './schemas/show.ts'
export { moveText } from './moves.ts'
export { leftOutText } from './words/left-out.ts'
export { gapText } from './words/gaps.ts'
export { StatusOutput } from './schemas/status.ts'
export { TimelineOutput } from './schemas/timeline.ts'
export { UsageOutput, UsedTurn } from './schemas/usage.ts'
export { WhyOutput } from './schemas/why.ts'
export { serverNews, type ServerNews } from './server-news.ts'
export { showReading } from './show.ts'
export { statusReading } from './status.ts'
export { timelineReading } from './timeline.ts'
export { usageNow, type UsageNow } from './usage-now.ts'
export { usageReading } from './usage.ts'
export { whyReading } from './why/explain.ts'
export { counted, shortBytes, shortCount } from './words/amounts.ts'
export { cachedShare, costText, dollars } from './words/costs.ts'
export { callTitle } from './words/call-title.ts'
export { questionTitle, type TitledQuestion } from './words/question-title.ts'
export { speakerOf } from './words/speaker-of.ts'
export { inLines, inOneLine, inText } from './words/terminal-text.ts'
export { type FilePatch, type PatchHunk, type PatchLine, readPatch } from './words/patch.ts'
export { between, duration, fullTime, relativeTime, shortTime, whenAt } from './words/times.ts'
