export { fixedEnvironment, type FixedEnvironment, type FixedEnvironmentOptions } from './environment/environment.ts'
export { eventLine, eventLines, eventLog, type EventLog } from './recording/event-log.ts'
export { processesWith, rareSleep } from './environment/survivors.ts'
export { temporaryWorkspace, type TemporaryWorkspace } from './environment/temporary-workspace.ts'
export { assertStoreClause, type CreateStore, type StoreClause, type StoreUnderTest } from './store-contract/clause.ts'
export { storeContract } from './store-contract/store-contract.ts'
export {
  type HistoryFault,
  historyFaults,
  type HistoryOptions,
  messageFaults,
} from './history-faults/history-faults.ts'
export { type Dialect, type HistoryRule, historyRules, type RuleDescription } from './history-faults/rules.ts'

export {
  call,
  Chunks,
  Completion,
  line,
  Script,
  ScriptedCall,
  ScriptedPart,
  type ScriptLine,
  TextChunks,
} from './script/script.ts'
export { AnswerFault, Fault, StreamFault } from './script/fault.ts'
export { ScriptedBackend, type ScriptOptions } from './script/scripted-backend.ts'
export { type RecordedScript, scriptFromHistory, scriptFromSession } from './script/script-from-history.ts'
export { effectsOf, type RecordedEffect } from './recording/recorded-effects.ts'

export {
  type CheckAnswer,
  type CrashFailure,
  type CrashMatrix,
  crashMatrix,
  type InProcessMatrix,
  type MatrixOptions,
  type ProcessMatrix,
} from './crash-matrix.ts'
export type { Boundary } from './crash-matrix/life.ts'
export type { CrashPorts } from './crash-matrix/ports.ts'
export { killableTool } from './crash-matrix/killable-tool.ts'
export { crashChild, type ProcessProgram } from './crash-matrix/child.ts'
