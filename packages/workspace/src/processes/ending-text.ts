import { constants } from 'node:os'
import { promiseOf } from './containment.ts'
import type { CommandEnding, EndedCommand } from './run-command.ts'

/** The signal that ended a command, if known: shells report it as an exit code above 128. */
export function signalOf(ending: CommandEnding): string | undefined {
  if (ending.how === 'exited') return signalNames.get(ending.exitCode - 128)
  if (ending.how === 'killed') return 'SIGKILL'
  return 'signal' in ending ? ending.signal : undefined
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name] as const))

/** Without a containment the command ran in a room, which always ends all of its processes. */
type Ended = Pick<EndedCommand, 'ending' | 'leftRunning'> & Partial<Pick<EndedCommand, 'containment'>>

/** One sentence each on how a command ended, and on the processes that it left running. */
export function endingNotes(ended: Ended, timeoutMs: number): string[] {
  const stopped = ended.ending.how === 'timed_out' || ended.ending.how === 'cancelled'
  const gap = ended.containment === undefined ? undefined : promiseOf(ended.containment)
  return [
    endingNote(ended.ending, timeoutMs),
    ended.leftRunning
      ? 'It left processes running, which were ended with it: nothing outlives its command.'
      : undefined,
    gap !== undefined && (stopped || ended.leftRunning) ? `That cannot be promised: ${gap}.` : undefined,
  ].filter((note) => note !== undefined)
}

function endingNote(ending: CommandEnding, timeoutMs: number): string | undefined {
  switch (ending.how) {
    case 'exited':
      return ending.exitCode === 0 ? undefined : `Exit code ${ending.exitCode}${inWords(signalOf(ending))}.`
    case 'killed':
      return 'Its shell was killed, by itself or by the system (it may have used too much memory).'
    case 'timed_out':
      return `It was stopped after ${timeoutMs / 1000} s, its time limit, with everything that it had started.`
    case 'cancelled':
      return 'It was cancelled, with everything that it had started.'
    case 'not_started':
      return `It could not be started: ${ending.why}`
    default:
      return ending satisfies never
  }
}

function inWords(signal: string | undefined): string {
  return signal === undefined ? '' : ` (${signal})`
}
