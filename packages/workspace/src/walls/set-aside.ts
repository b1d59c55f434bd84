import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { openFolder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'
import { realOf } from './entries.ts'

/** What a command had made at a guarded place. */
export interface SetAside {
  readonly path: string
  /** Where it is now; undefined when it was a pipe or a device, of which nothing can be kept. */
  readonly keptAt: string | undefined
}

/** Moves what lies at a path into a folder of ours. A link is moved, never followed. */
export function setAside(path: string, into: string): SetAside {
  mkdirSync(into, { recursive: true, mode: 0o700 })
  const keptAt = freeName(into, basename(path))
  const parent = realOf(dirname(path))
  if (parent === undefined) return { path, keptAt: undefined }
  using folder = openFolder(parent)
  const here = folder.at(basename(path))
  try {
    openUp(here)
    renameSync(here, keptAt)
    return { path, keptAt }
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return { path, keptAt: carry(here, keptAt) }
    throw stuck(path, error)
  }
}

/** Puts a link back where it was. */
export function putLinkBack(path: string, target: string): void {
  const parent = realOf(dirname(path))
  if (parent === undefined) return
  using folder = openFolder(parent)
  symlinkSync(target, folder.at(basename(path)))
}

function freeName(into: string, name: string): string {
  const taken = new Set(readdirSync(into))
  let number = 1
  while (taken.has(`${number}-${name}`)) number += 1
  return join(into, `${number}-${name}`)
}

/** Between two file systems. Pipes, sockets and devices are dropped. */
function carry(from: string, to: string): string | undefined {
  const stats = lstatSync(from)
  const keeps = stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()
  if (keeps) {
    const isKept = (each: string) => {
      const entry = lstatSync(each)
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
    }
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isKept })
  }
  rmSync(from, { recursive: true, force: true })
  return keeps ? to : undefined
}

/** A folder without rights cannot be moved. */
function openUp(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return
  chmodSync(path, stats.mode | 0o700)
  for (const name of readdirSync(path)) openUp(join(path, name))
}

function stuck(path: string, error: unknown): LoaderError {
  const why = codeOf(error) ?? String(error)
  return new LoaderError(
    'storage_refused',
    `A command made ${path}, which is guarded, and it cannot be set aside (${why}). Remove it before anything reads it.`,
    { cause: error },
  )
}
