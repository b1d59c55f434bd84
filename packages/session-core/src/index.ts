export { errorCodes, isStorageRefusal, LoaderError, type ErrorCode } from './words/errors.ts'
export type { Immutable } from './words/immutable.ts'
export { JsonObject, JsonValue } from './words/json.ts'
export { List } from './words/list.ts'
export { assertSessionId, Id, SessionId } from './words/ids.ts'
export { Timestamp } from './words/time.ts'
export { Via } from './words/inbox-message.ts'

export { excerptOf, longestInlineText, shownText, StoredText, utf8Length } from './words/stored-text.ts'
export {
  AnswerPart,
  CallPart,
  callsOf,
  FilePart,
  Message,
  MessageOrigin,
  pairingFault,
  Part,
  QuotedFile,
  ReasoningPart,
  ResultPart,
  textOf,
  TextPart,
  ToolCall,
  ToolOutcome,
} from './words/message.ts'
export { documentType, fileLimits, imageTypes } from './words/file-limits.ts'
export { type ImageFacts, imageFacts } from './images/image-facts.ts'
export { bytesOfBase64 } from './images/bytes-of-base64.ts'
export { ThinkingLevel } from './words/thinking.ts'
export { ParentSession } from './words/child.ts'
export { Cost, CostTotals, PriceCeiling } from './words/cost.ts'
export { addTotals, isCostKnown, noTotals, Totals, Usage } from './words/usage.ts'
export { ExportOutput, exportFormat, exportVersion } from './exported-session.ts'
export { type ParsedExport, parseExport, historyOfExport } from './read-export.ts'
export { isLong, type NewHistory, writeHistory } from './write-history.ts'
export { ModelCapabilities } from './words/policy.ts'
export { Owner, ownerInWords, ownerOf } from './words/owner.ts'
export { Phase, phaseTransitions, transition, Transition, type TransitionCause } from './words/phase.ts'
export { FinishReason, ModelFailure } from './events/model.ts'
export {
  EndedTurn,
  OpenCall,
  QueuedInput,
  Request,
  Spent,
  Turn,
  unansweredCalls,
  Work,
  workCaps,
} from './state/turn.ts'

export {
  type EventInput,
  type EventOf,
  type EventType,
  eventTypes,
  ForeignEvent,
  isSessionEvent,
  parseEvent,
  type History,
  SessionEvent,
  type StoredEvent,
} from './events/event.ts'
export { parseState } from './state/parse-state.ts'
export { SavedState, sessionFormat, type SessionState, stateCaps, stateVersion } from './state/state.ts'
export { Gap } from './words/gap.ts'
export { describeGap, tellsOfGap } from './reduce/gap.ts'
export { fold, reduce } from './reduce/reduce.ts'
export { SessionSnapshot, SessionSegment } from './state/snapshot.ts'
export { isChild, usageWithChildren } from './views/with-children.ts'

export { readSession } from './read-session.ts'
export { type LoadOptions, type OpenOptions, Session, type SessionOptions } from './session.ts'
export { MemoryStore } from './memory-store.ts'
export { joinStores } from './join-stores.ts'

export { checkedClaim } from './ports/checked-claim.ts'
export type { Environment, Signal } from './ports/environment.ts'
export type {
  BlobStore,
  Claim,
  ClaimOptions,
  DurabilityLevel,
  ListQuery,
  ReadOptions,
  RecoveryFinding,
  RecoveryReport,
  SessionPage,
  SessionStore,
  SessionWriter,
  SaveOptions,
} from './ports/store.ts'
export {
  type Fork,
  type ForkOptions,
  type Inbox,
  type Loss,
  type Salvage,
  type SalvageOptions,
  type SeqRange,
  type StoreCapabilities,
  type Verification,
  type VerifiedFile,
  type VerifyFinding,
  type WatchItem,
  type WatchOptions,
  type WholeHistory,
  withCapability,
} from './ports/store-capabilities.ts'
export {
  type Backend,
  type BackendDone,
  BackendError,
  type BackendEvent,
  type ModelRequest,
  type ToolDescription,
} from './ports/backend.ts'

export { compareRows, newestFirst, pageOf } from './views/page-of.ts'
export { SessionRow } from './state/session-row.ts'
export { stateOfHistory } from './reduce/state-of-history.ts'
export { rootOf } from './views/root-of.ts'
export { whyNotSaved } from './views/why-not-saved.ts'
export { damagedRow, summarize } from './views/summarize.ts'
export { usageByModel } from './views/usage-by-model.ts'
export { turnSummary, type TurnSummary } from './views/turn-summary.ts'
export {
  customRecords,
  type EventPlace,
  gapsOf,
  type LostEvents,
  promptHistory,
  stateAt,
  transcript,
  type TranscriptLine,
  type TurnEnded,
  turnEnds,
  turns,
} from './views/history.ts'

export {
  fromModelMessages,
  type ModelMessageShape,
  type ToModelMessagesOptions,
  toModelMessages,
} from './model-messages/model-messages.ts'
export type { FromModelMessagesOptions, ImportedMessages } from './model-messages/pair-drafts.ts'
export type { AiSdkMessage } from './model-messages/ai-sdk-message.ts'
export type { OpenAIMessage } from './model-messages/openai-message.ts'
