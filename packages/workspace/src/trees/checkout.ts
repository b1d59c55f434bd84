import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { mayLive, ownMark } from '../processes/process-mark.ts'
import { codeOf } from '../paths/system-errors.ts'
import { treeEntries } from './ask-side.ts'
import { bringFolder, looksIn } from './bring-folder.ts'
import { doubtRecent } from './doubt-recent.ts'
import { readIndex, UnknownIndex, writeIndex } from '../git/index-file.ts'
import { settleFiles } from './settle-files.ts'
import { type SideRepository, textOf, keepText } from './side-repository.ts'
import { keepRepository } from './small-repository.ts'
import type { CheckoutOptions, FrozenCheckout } from './trees-shown.ts'

let count = 0

/**
 * The files of a tree in a folder, which is kept for the next tree and then updated by difference.
 *
 * 1. A checkout belongs to one holder at a time. Its name contains the process; taking it over is a rename, which only
 *    one process can win. A checkout whose process is gone is free.
 * 2. Files written into it between two holders do not stay: what differs is written again, and files that are not in
 *    the tree are removed.
 * 3. Files written for one tree have the same time, so none of them looks like an output built from another.
 */
export async function checkOut(side: SideRepository, tree: string, options: CheckoutOptions): Promise<FrozenCheckout> {
  const home = options.home ?? join(side.folder, 'checkouts')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const place = claim(home, tree)
  try {
    // The user for whom the files are made must not reach them while they change.
    chmodSync(place, 0o700)
    await update(side, place, tree, options)
    if (options.owner !== undefined) chmodSync(place, 0o711)
  } catch (error) {
    // A folder of the same name is removed, whatever it contains.
    rmSync(place, { recursive: true, force: true })
    throw error
  }
  let held = true
  return {
    folder: join(place, 'files'),
    tree,
    ...(options.repository === 'made' ? { repository: join(place, 'repository') } : {}),
    [Symbol.asyncDispose]() {
      if (held) release(home, place)
      held = false
      return Promise.resolve()
    },
  }
}

async function update(side: SideRepository, place: string, tree: string, options: CheckoutOptions): Promise<void> {
  const index = join(place, 'index')
  const workTree = join(place, 'files')
  mkdirSync(workTree, { recursive: true, mode: 0o755 })
  const before = textOf(join(place, 'tree'))
  rmSync(join(place, 'tree'), { force: true })
  const beganMs = Date.now()
  const wanted = await treeEntries(side, tree)
  try {
    await bringFolder(side, workTree, wanted, readIndex(index) ?? new Map())
  } catch (error) {
    if (codeOf(error) === undefined && !(error instanceof UnknownIndex)) throw error
    // A damaged index, or an entry in the way: try once more with an empty folder.
    rmSync(workTree, { recursive: true, force: true })
    mkdirSync(workTree, { mode: 0o755 })
    await bringFolder(side, workTree, wanted, new Map())
  }
  await settleFiles(workTree, beganMs, options)
  const entries = looksIn(workTree, wanted)
  if (options.repository === 'made') await keepRepository({ side, place, tree, before, entries, options })
  doubtRecent(entries, beganMs)
  writeIndex(index, entries)
  keepText(join(place, 'tree'), tree)
}

/** Prefers a free checkout that has this tree already. */
function claim(home: string, tree: string): string {
  count += 1
  const own = join(home, `${ownMark()}.${count}`)
  const free = readdirSync(home).filter(isFree)
  const hasTree = (name: string) => (textOf(join(home, name, 'tree')) === tree ? 0 : 1)
  for (const name of free.sort((one, other) => hasTree(one) - hasTree(other))) {
    if (taken(join(home, name), own)) return own
  }
  mkdirSync(own, { mode: 0o700 })
  return own
}

/** Whether a checkout has no living owner. Names of another form are left alone. */
function isFree(name: string): boolean {
  if (name.startsWith('free-')) return true
  const owner = /^(.+)\.\d+$/.exec(name)?.[1]
  return owner !== undefined && !mayLive(owner)
}

function taken(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    // Another process took it first.
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** How many free checkouts are kept; there are more only while more are held at once. */
const mostFree = 2

/** Removes checkouts of processes that are gone, beyond the number that is kept. */
export function sweepCheckouts(home: string): void {
  const orphans = namesOf(home).filter((name) => !name.startsWith('free-') && isFree(name))
  for (const name of orphans) {
    count += 1
    const own = join(home, `${ownMark()}.${count}`)
    if (taken(join(home, name), own)) release(home, own)
  }
}

function namesOf(home: string): readonly string[] {
  return existsSync(home) ? readdirSync(home) : []
}

function release(home: string, place: string): void {
  for (let number = 0; number < mostFree; number += 1) {
    const free = join(home, `free-${number}`)
    if (existsSync(free)) continue
    try {
      return renameSync(place, free)
    } catch (error) {
      // Another process created one of this name meanwhile.
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '')) throw error
    }
  }
  rmSync(place, { recursive: true, force: true })
}
