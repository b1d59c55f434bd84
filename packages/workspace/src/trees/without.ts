import type { TreeSpan, TreeWithout } from '@loader/session-core/coding'
import { treeEntries, entryChanges, foldersOf } from './ask-side.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import { storeTree } from './store-tree.ts'
import { foldersAbove, type RawPath, shownRawPath } from './raw-path.ts'
import { keepRestEntries, readRest, type RestEntry } from './rest.ts'
import type { SideRepository } from './side-repository.ts'

/**
 * The tree after the last of these periods, without the changes made in any of them. They are undone one by one, the
 * latest first, each path only if it is still as that period left it: changes made between the periods stay.
 */
export async function treeWithout(
  side: SideRepository,
  spans: readonly [TreeSpan, ...TreeSpan[]],
): Promise<TreeWithout> {
  const latest = spans.at(-1) ?? spans[0]
  const entries = await treeEntries(side, latest.after.id)
  const torn = new Set<RawPath>()
  let rest = await readRest(side, latest.after.rest)
  for (const { before, after } of spans.toReversed()) {
    for (const path of await takeBack(side, entries, { before: before.id, after: after.id })) torn.add(path)
    rest = restWithout(rest, await readRest(side, before.rest), await readRest(side, after.rest))
  }
  const id = await storeTree(side, entries, await foldersOf(side, latest.after.id))
  return { tree: { id, rest: await keepRestEntries(side, rest) }, torn: [...torn].map(shownRawPath) }
}

/** Undoes the changes between two trees, and lists the paths where other changes have happened meanwhile. */
async function takeBack(
  side: SideRepository,
  entries: Map<RawPath, TreeEntry>,
  span: { readonly before: string; readonly after: string },
): Promise<RawPath[]> {
  const changes = await entryChanges(side, span.before, span.after)
  const isLeft = (path: RawPath, entry: TreeEntry | undefined) => isSame(entries.get(path), entry)
  const torn = changes.filter(({ path, before, after }) => !isLeft(path, after) && !isLeft(path, before))
  const mine = changes.filter(({ path, after }) => isLeft(path, after))
  for (const { path } of mine.filter(({ before }) => before === undefined)) entries.delete(path)
  const folders = new Set([...entries.keys()].flatMap(foldersAbove))
  for (const { path, before } of mine) {
    if (before === undefined) continue
    // A file cannot be restored where a folder is, nor below another file.
    const isFree = !folders.has(path) && !foldersAbove(path).some((folder) => entries.has(folder))
    if (isFree) entries.set(path, before)
    else torn.push({ path, before, after: entries.get(path) })
  }
  return torn.map(({ path }) => path)
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob
}

function restWithout(
  rest: readonly RestEntry[],
  before: readonly RestEntry[],
  after: readonly RestEntry[],
): RestEntry[] {
  const [had, has] = [keysOf(before), keysOf(after)]
  const stays = rest.filter((entry) => !(has.has(keyOf(entry)) && !had.has(keyOf(entry))))
  const there = keysOf(stays)
  const back = before.filter((entry) => !has.has(keyOf(entry)) && !there.has(keyOf(entry)))
  return [...stays, ...back]
}

function keysOf(entries: readonly RestEntry[]): ReadonlySet<string> {
  return new Set(entries.map(keyOf))
}

function keyOf({ kind, path, content }: RestEntry): string {
  return `${kind}\0${path}\0${content}`
}
