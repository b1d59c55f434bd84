import { LoaderError } from '@loader/session-core'
import { codeOf } from '../paths/system-errors.ts'
import { readBlobs, treeEntries } from './ask-side.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import { holdParent } from './held-parent.ts'
import { nowAt } from './path-now.ts'
import { putBack } from './put-back.ts'
import { type RawPath, shownRawPath } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

interface Carrying {
  readonly side: SideRepository
  readonly root: string
  readonly largestFile: number
}

/**
 * Writes carried files: where nothing is, or what one of these earlier trees had there. Any other file is not
 * from this session, and stays. Returns the paths that stayed as they are and differ.
 */
export async function placeCarried(
  { side, root, largestFile }: Carrying,
  tree: string,
  earlier: readonly string[],
): Promise<string[]> {
  const wanted = await treeEntries(side, tree)
  const known = new Map<RawPath, Set<string>>()
  for (const before of earlier) {
    for (const [path, { blob }] of await treeEntries(side, before)) {
      known.set(path, (known.get(path) ?? new Set()).add(blob))
    }
  }
  const contents = await readBlobs(
    side,
    [...wanted.values()].map(({ blob }) => blob),
  )
  return [...wanted].flatMap(([path, entry]) => {
    const content = contents.get(entry.blob)
    const isPlaced =
      content !== undefined && isPlacedAt({ root, largestFile }, { path, entry, content }, known.get(path))
    return isPlaced ? [] : [shownRawPath(path)]
  })
}

interface CarriedFile {
  readonly path: RawPath
  readonly entry: TreeEntry
  readonly content: Buffer
}

function isPlacedAt(
  { root, largestFile }: Omit<Carrying, 'side'>,
  { path, entry, content }: CarriedFile,
  known: ReadonlySet<string> | undefined,
): boolean {
  try {
    using parent = holdParent(root, path, 'make')
    if (parent === undefined) return false
    const now = nowAt(parent.at, largestFile)
    if (now.kind !== 'absent' && now.kind !== 'entry') return false
    if (now.kind === 'entry') {
      if (now.entry.blob === entry.blob && now.entry.mode === entry.mode) return true
      if (known?.has(now.entry.blob) !== true) return false
    }
    putBack(parent, entry, content, now)
    parent.sync()
    return true
  } catch (error) {
    if (LoaderError.is(error) || codeOf(error) !== undefined) return false
    throw error
  }
}
