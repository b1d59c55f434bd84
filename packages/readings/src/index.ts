export { activityOf } from './activity.ts'
export { conversationOf } from './conversation.ts'
export type { Texts } from './words/texts.ts'
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
  type ShownCall,
  type ShownGap,
  type ShownMessage,
  type ShownTurnEnd,
} from './schemas/show.ts'
export { gapText } from './words/gaps.ts'
export { StatusOutput } from './schemas/status.ts'
export { TimelineOutput } from './schemas/timeline.ts'
export { UsageOutput, UsedTurn } from './schemas/usage.ts'
export { WhyOutput } from './schemas/why.ts'
export { showReading } from './show.ts'
export { statusReading } from './status.ts'
export { timelineReading } from './timeline.ts'
export { usageReading } from './usage.ts'
export { whyReading } from './why/explain.ts'
export { counted, shortBytes, shortCount } from './words/amounts.ts'
export { callTitle } from './words/call-title.ts'
export { inLines, inOneLine, inText } from './words/terminal-text.ts'
export { between, duration, fullTime, relativeTime, shortTime, whenAt } from './words/times.ts'
