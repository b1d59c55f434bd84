export { errorCodes, isStorageRefusal, LoaderError, type ErrorCode } from './words/errors.ts'
export type { Immutable } from './words/immutable.ts'
export { JsonObject, JsonValue } from './words/json.ts'
export { List } from './words/list.ts'
export { assertSessionId, Id, SessionId } from './words/ids.ts'
export { Timestamp } from './words/time.ts'

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
  ReasoningPart,
  ResultPart,
  textOf,
  TextPart,
  ToolCall,
  ToolOutcome,
} from './words/message.ts'
export { addTotals, noTotals, Totals, Usage } from './words/usage.ts'
export { ExportOutput, exportFormat, exportVersion } from './exported-session.ts'
export { type ParsedExport, parseExport, recordingOfExport } from './read-export.ts'
export { isLong, type NewRecording, writeRecording } from './write-recording.ts'
export { ModelCapabilities } from './words/policy.ts'
export { Owner, ownerOf } from './words/owner.ts'
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
  type Recording,
  SessionEvent,
  type StoredEvent,
} from './events/event.ts'
export { parseState, SavedState, sessionFormat, type SessionState, stateCaps, stateVersion } from './state/state.ts'
export { Gap } from './words/gap.ts'
export { describeGap, tellsOfGap } from './reduce/gap.ts'
export { fold, reduce } from './reduce/reduce.ts'
export { SessionHead, SessionSegment } from './state/head.ts'
export { jsonSchemas } from './json-schemas.ts'

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
export { damagedRow, summarize } from './views/summarize.ts'
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
} from './views/recording.ts'

export {
  fromModelMessages,
  type ModelMessageShape,
  type ToModelMessagesOptions,
  toModelMessages,
} from './model-messages/model-messages.ts'
export type { FromModelMessagesOptions, ImportedMessages } from './model-messages/pair-drafts.ts'
export type { AiSdkMessage } from './model-messages/ai-sdk-message.ts'
export type { OpenAIMessage } from './model-messages/openai-message.ts'
