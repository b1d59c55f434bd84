export type {
  Acknowledgement,
  CallResult,
  FileStatus,
  FileSystemPort,
  MakeDirectoryOptions,
  OpenFlags,
  SystemError,
} from './faults/file-system-port.ts'
export type { HeldCalls } from './faults/gate.ts'
export { SimulatedFileSystem, type SimulatedFileSystemOptions } from './faults/simulated-file-system.ts'
export { systemError, type SystemErrorCode } from './faults/system-error.ts'
export { crashStates, type CrashModel, type CrashState, type CrashStateOptions } from './faults/crash-states.ts'
export { faulty, type FaultyFileSystem, type FaultyOptions, type LoggedCall } from './faults/faulty.ts'
export type { Fault, Where } from './faults/fault-plan.ts'
export type { CallKind } from './faults/calls.ts'
