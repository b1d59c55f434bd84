export {
  type BoundaryAnswer,
  type ServerOptions,
  type WireServer,
  wireServer,
  type WireServerOptions,
} from './wire/wire-server.ts'
export type { Exchange, ExchangeEnd, WireJournal } from './wire/journal.ts'
export type { Violation } from './wire/protocol.ts'
export type { WireCall, WireMessage, WireRequest, WireResult, WireTool } from './wire/wire-request.ts'
export {
  WireMatch,
  OnTheWire,
  type RequestRule,
  requestRules,
  When,
  WireFault,
  WireLine,
  WireModel,
  type WireRule,
  WireScript,
  type WireScriptLine,
  WireScripts,
  type WireScriptSource,
} from './wire/wire-script.ts'
export {
  type CommandMatrix,
  commandMatrix,
  type CommandMatrixOptions,
  type CommandResult,
} from './wire/command-matrix/command-matrix.ts'
export type { CommandBoundary } from './wire/command-matrix/boundary.ts'
