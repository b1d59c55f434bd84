import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import type { Signal } from '@loader/session-core'
import { type IndexEntry, looksOf } from '../git/index-file.ts'
import { blobId } from '../git/object-id.ts'
import { breather } from '../walk/breather.ts'
import { holdParent } from './held-parent.ts'
import { PrivateIndex } from './private-index.ts'
import type { RawPath } from './raw-path.ts'
import { GitFailure, sideGit, type SideRepository } from './side-repository.ts'

/** From this many files on, their content is stored as one pack instead of a file each. */
const worthPack = 64
/** Larger files are read by git, which runs beside this process and does not block it. */
const largestRead = 1024 * 1024

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Stores the contents of files in a folder. A file that is gone meanwhile is left out; one that has become something
 * else than a file or link is an error. Links on the way are not followed.
 */
export async function keepContents(
  side: SideRepository,
  top: string,
  files: readonly RawPath[],
  signal?: Signal,
): Promise<Map<RawPath, IndexEntry>> {
  // Windows has no modes of files, so git decides there.
  if (files.length >= worthPack || process.platform === 'win32') return await keptByGit(side, top, files, signal)
  const rest = breather()
  const entries = new Map<RawPath, IndexEntry>()
  const contents: Buffer[] = []
  const large: RawPath[] = []
  for (const path of files) {
    const read = readFile(top, path)
    if (read === 'large') large.push(path)
    else if (read !== 'gone') {
      entries.set(path, read.entry)
      contents.push(read.content)
    }
    await rest()
  }
  signal?.throwIfAborted()
  await side.objects.keep(contents.map((content) => ({ type: 'blob', content })))
  if (large.length > 0) for (const [path, entry] of await keptByGit(side, top, large, signal)) entries.set(path, entry)
  return entries
}

async function keptByGit(
  side: SideRepository,
  top: string,
  files: readonly RawPath[],
  signal: Signal | undefined,
): Promise<Map<RawPath, IndexEntry>> {
  if (files.length === 0) return new Map()
  using index = new PrivateIndex(side.folder)
  const packed = files.length < worthPack ? [] : ['-c', 'core.bigFileThreshold=1']
  await sideGit(side, {
    arguments: [...packed, 'update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
    input: files.map((path) => `${path}\0`).join(''),
    index: index.path,
    workTree: top,
    signal,
  })
  return index.read()
}

type ReadFile = { readonly entry: IndexEntry; readonly content: Buffer }

function readFile(top: string, path: RawPath): ReadFile | 'large' | 'gone' {
  using parent = holdParent(top, path, 'leave')
  if (parent === undefined) return 'gone'
  const stats = lstatSync(parent.at, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || stats.isDirectory()) return 'gone'
  if (stats.isSymbolicLink()) return asEntry(stats, readlinkSync(parent.at, { encoding: 'buffer' }))
  const fd = openSync(parent.at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  try {
    const opened = fstatSync(fd, { bigint: true })
    if (!opened.isFile()) throw new GitFailure(`${path} was replaced while it was read`)
    return opened.size > BigInt(largestRead) ? 'large' : asEntry(opened, readFileSync(fd))
  } finally {
    closeSync(fd)
  }
}

function asEntry(stats: BigIntStats, content: Buffer): ReadFile {
  const mode = stats.isSymbolicLink() ? '120000' : (stats.mode & 0o100n) === 0n ? '100644' : '100755'
  return { entry: { mode, blob: blobId(content), looks: looksOf(stats, mode) }, content }
}
