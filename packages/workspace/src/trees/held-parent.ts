import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import { bestHolding, openFolder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'
import { rawBytes } from './raw-bytes.ts'
import type { RawPath } from './raw-path.ts'

/** The parent folder of a path, held open like a `Folder`, with names as bytes. */
export interface HeldParent extends Disposable {
  /** The path of the last name within the open folder. */
  readonly at: Buffer
  /** The path of another name in the same folder. */
  beside(name: string): Buffer
  sync(): void
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
/** Linux O_PATH: opening a folder this way needs no right to read it, only to pass through. */
const O_PATH = 0o10000000

/** Undefined when a part of the path does not exist or is not a folder: links are not followed. */
export function holdParent(root: string, path: RawPath, missing: 'make' | 'leave'): HeldParent | undefined {
  const names = path.split('/')
  const last = names.pop() ?? ''
  const folder = openRoot(root)
  if (folder === undefined) return undefined
  const open: number[] = []
  const close = () => {
    for (const fd of open) closeSync(fd)
    folder[Symbol.dispose]()
  }
  let current: Buffer = Buffer.from(folder.at('.'))
  try {
    for (const name of names) {
      const next = joined(current, rawBytes(name))
      if (missing === 'make') makeFolder(next, current)
      if (bestHolding === 'descriptors') {
        const fd = openSync(next, O_PATH | O_DIRECTORY | O_NOFOLLOW)
        open.push(fd)
        current = Buffer.from(`/proc/self/fd/${fd}`)
      } else {
        if (!lstatSync(next).isDirectory()) {
          close()
          return undefined
        }
        current = next
      }
    }
  } catch (error) {
    close()
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
  return {
    at: joined(current, rawBytes(last)),
    beside: (name) => joined(current, Buffer.from(name)),
    sync: () => syncFolder(current),
    [Symbol.dispose]: close,
  }
}

function openRoot(root: string) {
  try {
    return openFolder(root)
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

function makeFolder(path: Buffer, parent: Buffer): void {
  try {
    mkdirSync(path)
    syncFolder(parent)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function syncFolder(path: Buffer): void {
  if (process.platform === 'win32') return
  const fd = openSync(joined(path, Buffer.from('.')), O_RDONLY | O_DIRECTORY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}
