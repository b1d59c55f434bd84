import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'

/** A folder in which a project is, or was. */
export const ProjectPlace = z.looseObject({
  root: z.string().describe('its real path'),
  inode: z.string().optional().describe('its number in its file system'),
  born: z.string().optional().describe('when it was made, in nanoseconds'),
})
export type ProjectPlace = z.infer<typeof ProjectPlace>

/** The folder as it is now; undefined when there is none. */
export function placeAt(root: string): ProjectPlace | undefined {
  const facts = statsOf(root)
  if (facts === undefined) return undefined
  const born = facts.birthtimeNs > 0n ? { born: `${facts.birthtimeNs}` } : {}
  return { root: realpathSync.native(root), inode: `${facts.ino}`, ...born }
}

/** The same, also for a folder that is yet to be made. */
export function placeFor(root: string): ProjectPlace {
  return placeAt(root) ?? { root: resolve(root) }
}

/**
 * Whether both are the same folder, wherever it was moved to within its file system. The number alone does not say so: a
 * new folder often gets the number of one that was removed just before. The device is no help, because its number can
 * change when the machine starts.
 */
export function isSameFolder(one: ProjectPlace, other: ProjectPlace): boolean {
  return one.born !== undefined && one.inode === other.inode && one.born === other.born
}

function statsOf(root: string) {
  try {
    const facts = statSync(root, { bigint: true, throwIfNoEntry: false })
    return facts?.isDirectory() === true ? facts : undefined
  } catch (error) {
    // A path through a file, or through a folder that may not be entered: nothing that could be worked in.
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
