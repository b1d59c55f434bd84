import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import { codeOf, meaningOf } from './system-errors.ts'

/**
 * Creates one folder in another, durably. Another process may create it at the same moment; opening it afterwards shows
 * whether it is really a folder.
 */
export function makeOne(parent: string, name: string, shown: string): void {
  try {
    mkdirSync(`${parent}/${name}`)
    if (process.platform !== 'win32') syncFolder(parent)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw closed(error, shown)
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

export function swapped(path: string): LoaderError {
  return new LoaderError(
    'storage_refused',
    `The folder ${path} was replaced while it was used. Nothing is written through it; look at it again.`,
  )
}

/** Why a folder could not be opened. */
export function closed(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (LoaderError.is(error) || code === undefined) return error
  if (code === 'ELOOP' || code === 'ENOTDIR') return swapped(path)
  return new LoaderError('storage_refused', `The folder ${path} cannot be used: ${meaningOf(error)}.`, { cause: error })
}
