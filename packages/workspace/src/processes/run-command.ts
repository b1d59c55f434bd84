import { setImmediate as turn } from 'node:timers/promises'
import type { Signal } from '@loader/session-core'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { alarm, type AlarmCause } from './alarm.ts'
import type { Containment } from './containment.ts'
import type { KeptOutput, OutputCap } from './kept-output.ts'
import { ListenedOutput } from './listened-output.ts'
import { ProcessTree, type TreeOptions } from './process-tree.ts'

export interface CommandRequest extends Omit<TreeOptions, 'onOutput'> {
  readonly timeoutMs: number
  /** How long it may clean up after it was asked to stop. */
  readonly graceMs: number
  readonly cap: OutputCap
  /** Replaced wherever the command prints them. Absent means that none are known. */
  readonly secrets?: readonly string[] | undefined
  readonly signal?: Signal | undefined
  readonly onOutput?: ((chunk: string) => void) | undefined
}

export type CommandEnding =
  | { readonly how: 'exited'; readonly exitCode: number }
  /** Another process killed the shell that ran the command. */
  | { readonly how: 'killed' }
  | { readonly how: AlarmCause; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly how: 'not_started'; readonly why: string }

/** How a shell command ended, with its output and what it left running. */
export interface EndedCommand {
  readonly ending: CommandEnding
  readonly output: KeptOutput
  readonly durationMs: number
  readonly containment: Containment
  /** The command had left processes running, which were ended as well. */
  readonly leftRunning: boolean
  /** How many secrets were replaced in its output. */
  readonly secretsReplaced: number
}

/** How long processes that the command left behind may hold the output open: without printing anything, and in all. */
const quietMs = 100
const longestDrainMs = 2000
/** The longest wait for a killed process to exit; one that waits for a device may never do so. */
const longestCloseMs = 5000

/** Runs a command to its end. Every ending is a result; only an error of the listener is thrown. */
export async function runCommand(request: CommandRequest): Promise<EndedCommand> {
  const started = performance.now()
  const output = new ListenedOutput(request.cap, request.secrets ?? [], request.onOutput)
  const { ending, leftRunning } = await runTree(request, output)
  output.finish()
  const durationMs = Math.round(performance.now() - started)
  const { kept, secretsReplaced } = output
  return { ending, output: kept, durationMs, containment: request.containment, leftRunning, secretsReplaced }
}

type Run = Pick<EndedCommand, 'ending' | 'leftRunning'>

async function runTree(request: CommandRequest, output: ListenedOutput): Promise<Run> {
  if (request.signal?.aborted) return { ending: { how: 'cancelled', signal: 'SIGTERM' }, leftRunning: false }
  const tree = plant(request, output)
  if (typeof tree === 'string') return { ending: { how: 'not_started', why: tree }, leftRunning: false }
  let seen: Seen
  let orphans = 0
  try {
    seen = await watch(tree, request, output)
  } finally {
    orphans = await bury(tree)
  }
  return { ending: seen.ending, leftRunning: seen.ending.how === 'exited' && (!seen.isDrained || orphans > 0) }
}

interface Seen {
  readonly ending: CommandEnding
  readonly isDrained: boolean
}

async function watch(tree: ProcessTree, request: CommandRequest, output: ListenedOutput): Promise<Seen> {
  const ending = await Promise.race([endingOf(tree, request), output.listenerFailed])
  return { ending, isDrained: isOver(ending) && (await drain(tree, output)) }
}

/** Ends all remaining processes. Returns how many had left their group. */
async function bury(tree: ProcessTree): Promise<number> {
  tree.end()
  using limit = alarm(longestCloseMs)
  await Promise.race([tree.closed, limit.rung])
  return await tree.endOrphans()
}

/** Starts the process tree; a string says why that was not possible. */
function plant(request: CommandRequest, output: ListenedOutput): ProcessTree | string {
  try {
    return new ProcessTree({ ...request, onOutput: (chunk) => output.add(chunk) })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return meaningOf(error)
  }
}

/** Whether the command itself has ended, so that its last output is about to arrive. */
function isOver(ending: CommandEnding): boolean {
  return !('signal' in ending) || ending.signal === 'SIGTERM'
}

async function endingOf(tree: ProcessTree, request: CommandRequest): Promise<CommandEnding> {
  using timeout = alarm(request.timeoutMs, request.signal)
  const first = await Promise.race([tree.exitCode, timeout.rung])
  if (first === 'timed_out' || first === 'cancelled') return { how: first, signal: await stop(tree, request.graceMs) }
  if (first !== undefined) return { how: 'exited', exitCode: first }
  return tree.obstacle === undefined ? { how: 'killed' } : { how: 'not_started', why: tree.obstacle }
}

/** Asks the command to end, and kills it after the grace period. */
async function stop(tree: ProcessTree, graceMs: number): Promise<'SIGTERM' | 'SIGKILL'> {
  if (!tree.terminate()) return 'SIGKILL'
  using limit = alarm(graceMs)
  const end = await Promise.race([tree.exitCode, limit.rung])
  return end === 'timed_out' ? 'SIGKILL' : 'SIGTERM'
}

/** Waits until the output ends, which background processes can delay. Returns whether it ended. */
async function drain(tree: ProcessTree, output: ListenedOutput): Promise<boolean> {
  let ended = false
  const end = tree.outputEnded.then(() => (ended = true))
  const deadline = performance.now() + longestDrainMs
  while (performance.now() < deadline) {
    const { pieces } = output
    using quiet = alarm(quietMs)
    await Promise.race([end, quiet.rung])
    // The timer may fire late while output is waiting to be read: that is read first.
    await turn()
    if (ended || pieces === output.pieces) return ended
  }
  return ended
}
