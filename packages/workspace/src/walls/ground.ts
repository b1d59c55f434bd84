import { chmodSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { type Folder, openFolder } from '../paths/folder.ts'
import { isWithin } from '../paths/place.ts'
import { codeOf } from '../paths/system-errors.ts'
import { namesIn, statsOf, targetOf, textOf } from './entries.ts'

/**
 * The folders that commands can change: the workspace, and its git folders outside of it, as real paths.
 *
 * After a command, the runtime reads and moves files there with its own rights, and the command may have left links to
 * anywhere. So every access goes through `holdParent`:
 *
 * 1. An entry is reached through its open parent folder. That folder lies in the ground, and no part of the path to it
 *    is a link.
 * 2. The last name is not followed either: a link is read as a link, and moved as a link.
 */
export type Ground = readonly string[]

/** The open parent folder of an entry; undefined when no path without links leads to it from the ground. */
export function holdParent(ground: Ground, path: string): Folder | undefined {
  return ground.some((base) => base !== path && isWithin(base, path)) ? hold(dirname(path)) : undefined
}

/** Runs `act` on an entry, with a path that leads to it even if folders above are replaced meanwhile. */
function reach<T>(ground: Ground, path: string, act: (at: string) => T): T | undefined {
  using folder = holdParent(ground, path)
  return folder === undefined ? undefined : act(folder.at(basename(path)))
}

export function statsOn(ground: Ground, path: string) {
  // An entry that no path finds does not exist, which is the case for most guarded places.
  return statsOf(path) === undefined ? undefined : reach(ground, path, statsOf)
}

export function targetOn(ground: Ground, path: string): string | undefined {
  return reach(ground, path, targetOf)
}

export function textOn(ground: Ground, path: string): string | undefined {
  return reach(ground, path, textOf)
}

export function namesOn(ground: Ground, path: string): readonly string[] {
  using folder = ground.some((base) => isWithin(base, path)) ? hold(path) : undefined
  return folder === undefined ? [] : namesIn(folder.at('.'))
}

/** Changes the mode of a folder; false when we are not allowed to. */
export function setRights(ground: Ground, path: string, mode: number): boolean {
  using folder = ground.some((base) => isWithin(base, path)) ? hold(path) : undefined
  try {
    if (folder === undefined) return false
    chmodSync(folder.at(''), mode & 0o7777)
    return true
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

/** The first link on the path from the ground to an entry, not counting the entry itself. */
export function linkOnTheWay(ground: Ground, path: string): string | undefined {
  const base = ground.find((each) => isWithin(each, path))
  if (base === undefined) return undefined
  const names = path.slice(base.length + 1).split('/')
  const above = names.slice(0, -1).map((_, index) => [base, ...names.slice(0, index + 1)].join('/'))
  return above.find((each) => statsOf(each)?.isSymbolicLink() === true)
}

function hold(path: string): Folder | undefined {
  try {
    return openFolder(path)
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}
