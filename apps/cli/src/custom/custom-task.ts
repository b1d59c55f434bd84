import type { PermissionRule } from '@loader/session-core/coding'
import type { Places } from '../places/places.ts'
import { allowedBy } from './allowed-by.ts'
import { type CustomCommand, expanded } from './custom-command.ts'
import { customCommands } from './find-commands.ts'

/** The task that a command of the user's own stands for. */
export interface CustomTask {
  readonly command: CustomCommand
  readonly text: string
  /** What the command allows while its task is done. */
  readonly rules: readonly PermissionRule[]
  /** What does not hold of it, and why. */
  readonly notes: readonly string[]
}

/** The task of a line that begins with `/` and the name of such a command; undefined for any other line. */
export function customTask(line: string, places: Pick<Places, 'root' | 'config'>): CustomTask | undefined {
  const [, name, words = ''] = /^\/([\w:-]+)(?:\s+([^]*))?$/.exec(line.trim()) ?? []
  const command = name === undefined ? undefined : customCommands(places).get(name)
  if (command === undefined) return undefined
  const allowed = allowedBy({ ...command, what: `/${command.name}` }, places)
  return { command, text: expanded(command, words.trim()), ...allowed }
}
