import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * The user's home folder; undefined when there is none, as for a user unknown to the system. Always absolute: with an
 * empty HOME, the current folder would pass for the user's home.
 */
export function homeFolder(): string | undefined {
  return [homedir, () => userInfo().homedir].map(folderOf).find((folder) => folder !== undefined)
}

function folderOf(ask: () => string): string | undefined {
  try {
    const folder = ask()
    return isAbsolute(folder) ? folder : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return undefined
    throw error
  }
}
