import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Folder } from '../paths/folder.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { statsOf } from './entries.ts'
import { type Ground, holdParent } from './ground.ts'
import { copyTree, giveRights, removeTree } from './remove-tree.ts'
import type { SetAside } from './walls.ts'

/** Moves an entry into a private folder. A link is moved, never followed. */
export function setAside(ground: Ground, path: string, into: string): SetAside {
  using folder = holdParent(ground, path)
  if (folder === undefined) return { became: 'stuck', path, why: 'the folder that it lies in cannot be opened' }
  mkdirSync(into, { recursive: true, mode: 0o700 })
  const here = folder.at(basename(path))
  const keptAt = freeName(into, basename(path))
  withRights(folder, () => {
    giveRights(here)
    try {
      renameSync(here, keptAt)
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error
      copyTree(here, keptAt)
      removeTree(here)
    }
  })
  return statsOf(keptAt) === undefined ? { became: 'dropped', path } : { became: 'kept', path, keptAt }
}

/** Restores a link. */
export function putLinkBack(ground: Ground, path: string, target: string): void {
  using folder = holdParent(ground, path)
  if (folder === undefined) return
  withRights(folder, () => symlinkSync(target, folder.at(basename(path))))
}

/** The result for a path that could not be handled, with the reason. */
export function stuck(path: string, error: unknown): SetAside {
  return { became: 'stuck', path, why: meaningOf(error) }
}

/** A name that is valid on every file system and not taken. */
function freeName(into: string, name: string): string {
  const taken = new Set(readdirSync(into))
  const plain = name.replaceAll(/[^\w.@-]/g, '_').slice(0, 100)
  let number = 1
  while (taken.has(`${number}-${plain}`)) number += 1
  return join(into, `${number}-${plain}`)
}

/** Runs `act` with full rights on a folder, and then restores them: without rights its entries could not be moved. */
function withRights(folder: Folder, act: () => void): void {
  const itself = folder.at('')
  const { mode } = statSync(itself)
  if ((mode & 0o300) === 0o300) return act()
  chmodSync(itself, (mode & 0o7777) | 0o700)
  try {
    act()
  } finally {
    chmodSync(itself, mode & 0o7777)
  }
}
