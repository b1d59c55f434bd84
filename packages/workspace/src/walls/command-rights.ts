import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { statsOf } from './entries.ts'

/** The user and group that commands run as. */
export interface CommandRights {
  readonly uid: number
  readonly gid: number
  /** We are root, and the commands run as another user. */
  readonly isOther: boolean
}

/** When started as root, commands run as the owner of the workspace; otherwise as us. */
export function commandRights(root: string): CommandRights {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (us.uid !== 0) return { ...us, isOther: false }
  const { uid, gid } = statSync(root)
  return uid === 0 ? { ...us, isOther: false } : { uid, gid, isOther: true }
}

/** Whether the owner can enter all folders above a path. Only asked when we are root. */
export function canReach(owner: CommandRights, path: string): boolean {
  if (!owner.isOther) return true
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const stats = statsOf(folder)
    if (stats === undefined) return false
    const bit = stats.uid === owner.uid ? 0o100 : stats.gid === owner.gid ? 0o010 : 0o001
    if (!stats.isSymbolicLink() && (stats.mode & bit) === 0) return false
  }
  return true
}
