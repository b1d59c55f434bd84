import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { homeFolder } from '@loader/workspace'
import type { Places } from '../places/places.ts'
import { textOfFile } from '../settings/text-of-file.ts'
import { type CustomCommand, customCommand } from './custom-command.ts'

type Place = Pick<CustomCommand, 'origin'> & { readonly folder: string }

/** Deeper folders, and more files than these, were not made for commands. */
const deepest = 4
const mostFiles = 500
/** A file that is longer is no command. */
const longestText = 64 * 1024

/**
 * The commands of this project and of the user, by name. One of the project comes before one of the user, and Loader's
 * folders before those of Claude Code, which are read as well.
 */
export function customCommands({ root, config }: Pick<Places, 'root' | 'config'>): ReadonlyMap<string, CustomCommand> {
  const home = homeFolder()
  const places: Place[] = [
    { folder: join(root, '.loader', 'commands'), origin: 'project' },
    { folder: join(root, '.claude', 'commands'), origin: 'project' },
    { folder: join(config, 'commands'), origin: 'user' },
    ...(home === undefined ? [] : [{ folder: join(home, '.claude', 'commands'), origin: 'user' } as const]),
  ]
  const found = new Map<string, CustomCommand>()
  for (const { folder, origin } of places) {
    for (const { name, file } of commandFiles(folder).slice(0, mostFiles)) {
      const text = found.has(name) ? undefined : textOfFile(file)
      if (text !== undefined && text.length <= longestText) found.set(name, customCommand({ name, file, origin }, text))
    }
  }
  return found
}

/** Links are not followed: one in a project could lead to any file of the user. */
function commandFiles(folder: string, above: readonly string[] = []): { name: string; file: string }[] {
  if (above.length > deepest) return []
  return entriesOf(folder).flatMap((entry) => {
    const file = join(folder, entry.name)
    const name = entry.name.replace(/\.md$/i, '')
    if (!/^[\w-]+$/.test(name)) return []
    if (entry.isDirectory()) return commandFiles(file, [...above, name])
    return entry.isFile() && name !== entry.name ? [{ name: [...above, name].join(':'), file }] : []
  })
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    // Most projects have no such folder, and one that cannot be read has no commands.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
