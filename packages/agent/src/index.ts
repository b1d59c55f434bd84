export {
  Agent,
  type AgentOptions,
  type QueueOptions,
  type RunOptions,
  type ShiftEnd,
  type ShiftOptions,
  type TaskOptions,
} from './agent.ts'
export { RuntimeHandle } from './runtime-handle.ts'
export { AgentConfig } from './config.ts'
export type { AgentEnvironment } from './stage/environment.ts'
export type { AgentEvent, Delta } from './stage/agent-event.ts'
export type { BegunHook, Hook, HookOccasion, HookVerdict } from './stage/hooks.ts'
export type { AgentPorts } from './stage/stage.ts'
export type { AcceptResult } from './accept-last-turn.ts'
export type { CheckedNow, CheckOptions } from './check-now.ts'
export { inputIdOf, type Taken } from './inbox/take-message.ts'
export { runResult, type RunResult } from './run-result.ts'
export type { RewindOptions, RewindResult, RewoundFile } from './rewind.ts'
export { replaySession, type Replay, type ReplayOptions } from './replay.ts'
export type { Divergence, DivergenceClass } from './replay/divergence.ts'
