import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/** For names that may be anything by now: an entry that cannot be read counts as missing. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

export function statsOf(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }))
}

export function realOf(path: string): string | undefined {
  return attempt(() => realpathSync.native(path))
}

export function targetOf(link: string): string | undefined {
  return attempt(() => readlinkSync(link))
}

export function namesIn(folder: string): readonly string[] {
  return attempt(() => readdirSync(folder)) ?? []
}

const longestText = 1 << 20

/** The text of a regular file of ordinary size, not through a link; reading a pipe or device would never end. */
export function textOf(path: string): string | undefined {
  if (statsOf(path)?.isFile() !== true) return undefined
  return attempt(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(fd)
      return stats.isFile() && stats.size <= longestText ? readFileSync(fd, 'utf8') : undefined
    } finally {
      closeSync(fd)
    }
  })
}
