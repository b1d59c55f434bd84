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

/** The identity of the folder now; undefined when it does not exist. */
export function placeAt(root: string): ProjectPlace | undefined {
  const facts = statsOf(root)
  if (facts === undefined) return undefined
  const born = facts.birthtimeNs > 0n ? { born: `${facts.birthtimeNs}` } : {}
  return { root: realpathSync.native(root), inode: `${facts.ino}`, ...born }
}

/** The same, also for a folder that does not exist yet. */
export function placeFor(root: string): ProjectPlace {
  return placeAt(root) ?? { root: resolve(root) }
}

/**
 * Whether both are the same folder, even if it was moved within its file system. The inode number alone does not show
 * that: a new folder often gets the number of one just removed. The device number is no help, because it can change
 * when the machine restarts.
 */
export function isSameFolder(one: ProjectPlace, other: ProjectPlace): boolean {
  return one.born !== undefined && one.inode === other.inode && one.born === other.born
}

function statsOf(root: string) {
  try {
    const facts = statSync(root, { bigint: true, throwIfNoEntry: false })
    return facts?.isDirectory() === true ? facts : undefined
  } catch (error) {
    // A path through a file, or into a folder without access, cannot be a project.
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
