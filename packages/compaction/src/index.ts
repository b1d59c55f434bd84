export {
  type Anchor,
  calibrate,
  type Calibration,
  calibrationOf,
  type CalibrationOptions,
  noCalibration,
} from './calibration.ts'
export { estimateTokens, type EstimateOptions, type MeasuredRequest, type TokenEstimate } from './estimate.ts'
export { messagesTokens, messageTokens } from './message-tokens.ts'
export { textTokens, type Tokenizer } from './text-tokens.ts'

export { compactionLimits } from './limits.ts'
export { compactionThreshold } from './threshold.ts'
export { type CompactionNeed, requestSize, shouldCompact, type SizeOptions } from './should-compact.ts'
export { type CompactionPlan, planCompaction, type PlanOptions } from './plan.ts'

export { localSummary } from './local-summary.ts'
export { type SummaryBudget, summaryBudget } from './summary-budget.ts'
export { summaryRequest, type SummaryRequestOptions } from './summary-request.ts'
export { readSummary, type SummaryReading } from './read-summary.ts'

export { carriedLines, type CarryOptions } from './carried.ts'
export { type CarryBudget, carryBudget } from './carry-budget.ts'
export { criterionStanding, type Verdicts } from './criterion-standing.ts'
export { compactionMarker, isSummary, summaryMessageText } from './summary-message.ts'
export {
  type CompactedInput,
  compactFromModel,
  compactionFailed,
  type CompactionFailedInput,
  type CompactionMethod,
  type CompactionOptions,
  compactLocally,
} from './compaction-event.ts'
export { type CompactionUndoneInput, undoCompaction } from './undo.ts'
