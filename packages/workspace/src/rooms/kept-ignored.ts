import { createHash } from 'node:crypto'
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { LoaderError, type Signal } from '@loader/session-core'
import * as z from 'zod'
import { tickMs } from '../files/change-times.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { LocalTrees } from '../trees/open-trees.ts'
import { rawBytes } from '../trees/raw-bytes.ts'
import { isUnstorable, type RawPath, rawPath } from '../trees/raw-path.ts'
import { breather } from '../walk/breather.ts'
import { ignoredPieces } from './pieces.ts'
import type { IgnoredChange, KeptIgnored } from './room.ts'

/** The paths that are not kept, each with a version that shows whether it changed. Empty: unknown. */
const Without = z.record(z.string(), z.string())
type Without = Readonly<z.infer<typeof Without>>

/** Above this number no more files are kept. Configuration and small outputs are far fewer. */
const mostFiles = 2000
const mostBytes = 16 * 1024 * 1024
/** Checking more files than this would take seconds. */
const mostSeen = 50_000

interface Seen {
  readonly files: readonly RawPath[]
  readonly bytes: number
  /** Changes whenever the system can tell that something in it was changed. */
  readonly version: string
  /** When it last changed, as far as the system knows. */
  readonly changedMs: number
}

/** The id of the last kept tree, and the state of the ignored files at that time. */
export interface LastKept {
  readonly looked: string
  readonly kept: KeptIgnored
}

/** Keeps the ignored files and folders, the smallest first, within the limits. */
export async function keepIgnored(
  trees: LocalTrees,
  root: string,
  last: LastKept | undefined,
  signal: Signal | undefined,
): Promise<LastKept | { readonly kind: 'refused'; readonly why: string }> {
  try {
    const nowMs = Date.now()
    const pieces = ignoredPieces(await trees.leftInPlace({ signal })).filter(({ kind }) => kind !== 'packages')
    const seen: SeenPath[] = []
    for (const { path } of pieces) seen.push({ path, ...(await lookAt(root, path, signal)) })
    const isFresh = seen.some(({ changedMs, version }) => version === '' || changedMs > nowMs - tickMs)
    const looked = isFresh ? '' : JSON.stringify(seen.map(({ path, version }) => [path, version]))
    if (looked !== '' && last?.looked === looked && (await trees.isKept(last.kept.id))) return last
    const { files, without } = withinLimits(seen)
    const id = await trees.keepFiles(files, JSON.stringify(without))
    return { looked, kept: { kind: 'kept', id, without: Object.keys(without).sort() } }
  } catch (error) {
    if (LoaderError.is(error, 'storage_refused') || LoaderError.is(error, 'unsupported'))
      return { kind: 'refused', why: error.message }
    throw error
  }
}

type SeenPath = Seen & { readonly path: string }

/** The smallest first, so that no small file is left out in favour of a large one. */
function withinLimits(seen: readonly SeenPath[]): { readonly files: readonly RawPath[]; readonly without: Without } {
  const files: RawPath[] = []
  const without: [string, string][] = []
  let bytes = 0
  for (const each of [...seen].sort((one, other) => one.bytes - other.bytes)) {
    if (files.length + each.files.length > mostFiles || bytes + each.bytes > mostBytes)
      without.push([each.path, each.version])
    else {
      bytes += each.bytes
      files.push(...each.files)
    }
  }
  return { files, without: Object.fromEntries(without) }
}

export interface LoadedIgnored {
  /** The id of the tree of kept files. */
  readonly files: string
  /** The paths that were not kept and are unchanged in the workspace since. */
  readonly unchanged: ReadonlySet<string>
}

export async function loadIgnored(
  trees: LocalTrees,
  root: string,
  id: string,
  signal: Signal | undefined,
): Promise<LoadedIgnored> {
  const { files, without } = await readKept(trees, id)
  const unchanged = new Set<string>()
  for (const [path, version] of Object.entries(without)) {
    if (version !== '' && (await lookAt(root, path, signal)).version === version) unchanged.add(path)
  }
  return { files, unchanged }
}

export async function ignoredChanges(trees: LocalTrees, from: string, to: string): Promise<readonly IgnoredChange[]> {
  const before = await readKept(trees, from)
  const after = await readKept(trees, to)
  const apart = [...new Set([...Object.keys(before.without), ...Object.keys(after.without)])]
  const files = (await trees.changes(before.files, after.files)).filter(
    ({ path }) => !apart.some((each) => path === each || path.startsWith(`${each}/`)),
  )
  const changes = apart.flatMap((path): IgnoredChange[] => {
    const [was, is] = [before.without[path], after.without[path]]
    if (was !== undefined && was !== '' && was === is) return []
    return [{ path, change: 'modified' }]
  })
  const shown = files.map(({ path, change }): IgnoredChange => {
    return { path, change: change === 'added' || change === 'deleted' ? change : 'modified' }
  })
  return [...shown, ...changes].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Kept files with the difference between two other kept trees applied. */
export async function moveIgnored(
  trees: LocalTrees,
  kept: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  if (from === to) return kept
  const changes = await ignoredChanges(trees, from, to)
  if (changes.length === 0) return kept
  const [under, upper] = [await readKept(trees, kept), await readKept(trees, to)]
  // A path that was too large at one time appears as one folder there, and as files at another time.
  const isChanged = (path: string) => changes.some((each) => path === each.path || path.startsWith(`${each.path}/`))
  const all = [...(await trees.files(under.files)).keys(), ...(await trees.files(upper.files)).keys()]
  const paths = [...new Set(all)].filter(isChanged)
  const files = paths.length === 0 ? under.files : await trees.mix(under.files, [{ tree: upper.files, paths }])
  const without = [
    ...Object.entries(under.without).filter(([path]) => !isChanged(path)),
    ...Object.entries(upper.without).filter(([path]) => isChanged(path)),
  ]
  return await trees.keepTree(files, JSON.stringify(Object.fromEntries(without)))
}

interface Kept {
  readonly files: string
  readonly without: Without
}

const read = new WeakMap<LocalTrees, Map<string, Promise<Kept>>>()

/** An id always means the same content, so each is read once. */
async function readKept(trees: LocalTrees, id: string): Promise<Kept> {
  const known = read.get(trees) ?? new Map<string, Promise<Kept>>()
  read.set(trees, known)
  const kept = known.get(id) ?? parseKept(trees, id)
  known.set(id, kept)
  try {
    return await kept
  } catch (error) {
    known.delete(id)
    throw error
  }
}

async function parseKept(trees: LocalTrees, id: string): Promise<Kept> {
  const { files, beside } = await trees.keptFiles(id)
  return { files, without: Without.parse(JSON.parse(beside)) }
}

/** Collects the files under a path. Links are not followed. */
export async function lookAt(root: string, path: string, signal: Signal | undefined): Promise<Seen> {
  const rest = breather()
  const hash = createHash('sha256')
  const files: RawPath[] = []
  let bytes = 0
  let seen = 0
  let changedMs = 0
  const pending = [rawPath(path)]
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    signal?.throwIfAborted()
    const stats = attempt(() => lstatSync(at(root, each), { bigint: true }))
    seen += 1
    if (stats === undefined || seen > mostSeen) return unseen
    changedMs = Math.max(changedMs, Number(stats.ctimeMs))
    hash.update(`${each}\0${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}\0`, 'latin1')
    if (stats.isDirectory()) {
      const entries = attempt(() => readdirSync(at(root, each), { encoding: 'latin1', withFileTypes: true }))
      if (entries === undefined) return unseen
      pending.push(...entries.map((entry: Dirent) => `${each}/${entry.name}`).sort())
    } else if ((stats.isFile() || stats.isSymbolicLink()) && !isUnstorable(each, 'file')) {
      files.push(each)
      bytes += Number(stats.size)
    }
    await rest()
  }
  return { files, bytes, version: hash.digest('hex'), changedMs }
}

/** The result for a path that could not be read. */
const unseen: Seen = { files: [], bytes: Number.MAX_SAFE_INTEGER, version: '', changedMs: 0 }

function at(root: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), rawBytes(path)])
}

/** Undefined for a file that is gone or may not be read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
