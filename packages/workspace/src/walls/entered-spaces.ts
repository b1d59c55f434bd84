import { closeSync, openSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'
import { mayLive, pidOf } from '../processes/process-mark.ts'

/** Two namespaces, by descriptors of this process. */
export interface EnteredSpaces {
  readonly user: number
  readonly net: number
}

/**
 * Opens the namespaces in which a process lives. Its pid may belong to another process by now: so it is asked for its mark
 * after they were opened, and what was opened is then that of the process that was meant, or nothing.
 */
export function openSpaces(mark: string): EnteredSpaces | undefined {
  const opened: number[] = []
  try {
    for (const kind of ['user', 'net']) opened.push(openSync(`/proc/${pidOf(mark)}/ns/${kind}`, 'r'))
    const [user, net] = opened
    if (user !== undefined && net !== undefined && mayLive(mark)) return { user, net }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  for (const descriptor of opened) closeSync(descriptor)
  return undefined
}

export function closeSpaces({ user, net }: EnteredSpaces): void {
  closeSync(user)
  closeSync(net)
}

/** The words that run a program in namespaces which it inherits at these numbers, and does not hand on. */
export function enteringWords(nsenter: string, { user, net }: EnteredSpaces): readonly string[] {
  const spaces = ['--preserve-credentials', `--user=/proc/self/fd/${user}`, `--net=/proc/self/fd/${net}`]
  return [nsenter, ...spaces, '--', '/bin/sh', '-c', `exec ${user}<&- ${net}<&-; exec "$@"`, 'sh']
}
