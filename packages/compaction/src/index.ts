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
export { type CompactionNeed, requestSize, shouldCompact, type SizeOptions, surelyFits } from './should-compact.ts'
export { type CompactionPlan, planCompaction, type PlanOptions } from './plan.ts'

export { localSummary } from './local-summary.ts'
export { summaryRequest, type SummaryRequestOptions } from './summary-request.ts'
export { readSummary, type SummaryReading } from './read-summary.ts'

export type { CarryOptions } from './carried.ts'
export type { CarryBudget } from './carry-budget.ts'
export type { Verdicts } from './criterion-standing.ts'
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
