import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
const O_PATH = 0o10000000

/**
 * Removes an entry of a held folder. A command can make folders deeper than any path can name, and without access
 * rights: each folder is opened by itself, and its subfolders are moved up before it is removed.
 */
export function removeTree(at: string): void {
  if (!lstatSync(at).isDirectory()) return unlinkSync(at)
  inFolder(at, (top) => {
    let moved = 0
    for (let names = readdirSync(top); names.length > 0; names = readdirSync(top)) {
      const taken = new Set(names)
      const freeName = () => {
        while (taken.has(`${moved}`)) moved += 1
        taken.add(`${moved}`)
        return join(top, `${moved}`)
      }
      for (const name of names) {
        const path = join(top, name)
        if (!lstatSync(path).isDirectory()) unlinkSync(path)
        else {
          inFolder(path, (inner) => bringUp(inner, freeName))
          rmdirSync(path)
        }
      }
    }
  })
  rmdirSync(at)
}

function bringUp(folder: string, freeName: () => string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = lstatSync(path)
    if (!stats.isDirectory()) unlinkSync(path)
    else {
      giveRights(path, stats)
      renameSync(path, freeName())
    }
  }
}

/** Copies what can be copied: no pipes, sockets and devices, and nothing deeper than a path can name. */
export function copyTree(from: string, to: string): void {
  attempt(() => {
    const stats = lstatSync(from)
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else if (stats.isFile()) copyFileSync(from, to, constants.COPYFILE_EXCL)
    else if (stats.isDirectory()) {
      mkdirSync(to, { mode: 0o700 })
      inFolder(from, (inner) => {
        for (const name of readdirSync(inner)) copyTree(join(inner, name), join(to, name))
      })
    }
  })
}

/** Gives the owner the rights that moving, listing and emptying a folder require. */
export function giveRights(path: string, stats: Stats = lstatSync(path)): void {
  if (!stats.isDirectory() || (stats.mode & 0o700) === 0o700) return
  const fd = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  try {
    chmodSync(`/proc/self/fd/${fd}`, (stats.mode & 0o7777) | 0o700)
  } finally {
    closeSync(fd)
  }
}

function inFolder(path: string, act: (inner: string) => void): void {
  giveRights(path)
  const fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    act(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}

function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}
