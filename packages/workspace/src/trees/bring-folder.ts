import { type BigIntStats, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { changeSecondOf, type IndexEntry, looksOf } from '../git/index-file.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import { breather } from '../walk/breather.ts'
import { readBlobs } from './ask-side.ts'
import { nowAt } from './path-now.ts'
import { rawBytes } from './raw-bytes.ts'
import { foldersAbove, harmfulPath, type RawPath } from './raw-path.ts'
import { GitFailure, type SideRepository } from './side-repository.ts'

type Entries = ReadonlyMap<RawPath, TreeEntry>

const link = '120000'

/**
 * Makes a folder contain exactly these files. The folder must be ours alone meanwhile. A file whose stat data is as
 * recorded counts as unchanged; any other is read, and written again where it differs.
 */
export async function bringFolder(
  side: SideRepository,
  folder: string,
  wanted: Entries,
  known: ReadonlyMap<RawPath, IndexEntry>,
  /** Entries of the folder that are none of these files, and stay. */
  spared: ReadonlySet<RawPath> = new Set(),
): Promise<void> {
  // Paths are opened by name here: the files of a tree must not lead elsewhere.
  const harmful = harmfulPath(new Set(wanted.keys()))
  if (harmful !== undefined) throw new GitFailure(`a tree has a path that no tree of files has: ${harmful}`)
  const there = await takeAwayOthers(folder, wanted, known, spared)
  const missing = [...wanted.keys()].filter((path) => !there.has(path)).sort()
  const rest = breather()
  const made = new Set<RawPath>()
  const write = (path: RawPath, content: Uint8Array) => {
    for (const above of foldersAbove(path).toReversed()) {
      if (!made.has(above)) mkdirSync(at(folder, above), { recursive: true })
      made.add(above)
    }
    const mode = wanted.get(path)?.mode
    if (mode === link) symlinkSync(Buffer.from(content), at(folder, path))
    else writeFileSync(at(folder, path), content, { flag: 'wx', mode: mode === '100755' ? 0o777 : 0o666 })
  }
  for (const path of missing) {
    const id = wanted.get(path)?.blob ?? ''
    const content = side.objects.read(id)?.content ?? (await readBlobs(side, [id])).get(id)
    if (content === undefined) throw new GitFailure(`the content of ${path} is not there any more: ${id}`)
    write(path, content)
    await rest()
  }
}

/** The stat data of the files in a folder. */
export function looksIn(folder: string, wanted: Entries): Map<RawPath, IndexEntry> {
  return new Map(
    [...wanted].map(([path, { mode, blob }]) => {
      return [path, { mode, blob, looks: looksOf(lstatSync(at(folder, path), { bigint: true }), mode) }]
    }),
  )
}

/** Removes unwanted entries, and returns the paths of the files that are already as wanted. */
async function takeAwayOthers(
  folder: string,
  wanted: Entries,
  known: ReadonlyMap<RawPath, IndexEntry>,
  spared: ReadonlySet<RawPath>,
): Promise<ReadonlySet<RawPath>> {
  const rest = breather()
  const folders = new Set([...wanted.keys()].flatMap(foldersAbove))
  const there = new Set<RawPath>()
  const pending: RawPath[] = ['']
  for (let start = pending.pop(); start !== undefined; start = pending.pop()) {
    for (const entry of readdirSync(at(folder, start), { withFileTypes: true, encoding: 'latin1' })) {
      const path = start + entry.name
      if (spared.has(path)) continue
      const want = wanted.get(path)
      if (entry.isDirectory() && folders.has(path)) pending.push(`${path}/`)
      else if (want !== undefined && isAsWanted(at(folder, path), want, known.get(path))) there.add(path)
      else rmSync(at(folder, path), { recursive: true, force: true })
      await rest()
    }
  }
  return there
}

function isAsWanted(path: Buffer, { mode, blob }: TreeEntry, known: IndexEntry | undefined): boolean {
  const stats = lstatSync(path, { bigint: true })
  if (known?.blob === blob && known.mode === mode && isAsKnown(stats, known)) return true
  const now = nowAt(path, Number.MAX_SAFE_INTEGER)
  return now.kind === 'entry' && now.entry.mode === mode && now.entry.blob === blob
}

function isAsKnown(stats: BigIntStats, known: IndexEntry): boolean {
  return changeSecondOf(known) !== undefined && looksOf(stats, known.mode).equals(known.looks)
}

function at(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), rawBytes(path)])
}
