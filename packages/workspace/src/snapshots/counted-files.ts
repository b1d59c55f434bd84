import { isUtf8 } from 'node:buffer'
import { readdirSync } from 'node:fs'
import type { Signal } from '@loader/session-core'
import { harmlessVariables, repositoryAbove } from '../git/repository.ts'
import type { Variables } from '../processes/child-variables.ts'
import { runProgram } from '../processes/run-program.ts'
import { folderOf, IgnoreRules } from '../walk/ignore-rules.ts'
import { installedFolders, isBuildOutput, isNeverListed } from '../walk/names.ts'
import { walkFolders, type WalkReport, within } from '../walk/walk-folders.ts'

/** A file that counts, by its name in its folder. Names that are not UTF-8 are kept as bytes. */
export interface CountedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly name: string | Uint8Array
}

/** The files that count, by folder. */
type CountedFiles = ReadonlyMap<string, readonly CountedFile[]>

export interface Counting {
  /** Real path. */
  readonly root: string
  /** Where git is; undefined for doing without. */
  readonly git: string | undefined
  readonly variables: Variables
  readonly signal?: Signal | undefined
}

export interface Count {
  readonly folders: CountedFiles
  /** Folders that could not be looked into. */
  readonly unreadable: readonly string[]
  /** Git took so long that it was given up: it hangs where a pipe stands in the place of a file of its own. */
  readonly gaveUpGit?: true
}

/**
 * Tracked files and those that are not ignored. Git is asked where there is a repository; otherwise the tree is walked,
 * past what `.gitignore` files name and what is known to be installed or made by tools. Records of sessions never count.
 */
export async function countFiles(counting: Counting): Promise<Count> {
  const listed = await listedByGit(counting)
  if (listed === 'given_up') return { ...(await countByWalk(counting)), gaveUpGit: true }
  if (listed === undefined) return await countByWalk(counting)
  return { folders: grouped(listed.flatMap((bytes) => countedFile(bytes) ?? [])), unreadable: [] }
}

const gitTimeoutMs = 20_000

async function listedByGit(counting: Counting): Promise<readonly Uint8Array[] | 'given_up' | undefined> {
  const repository = repositoryAbove(counting.root)
  if (counting.git === undefined || repository === undefined) return undefined
  const ask = (...args: string[]) => askGit(counting, counting.git ?? '', repository, args)
  const [listing, ignored] = await Promise.all([
    ask('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    // A workspace in a folder that the repository ignores is there to be worked in all the same.
    repository === counting.root ? undefined : ask('check-ignore', '-q', '--no-index', '.'),
  ])
  if (listing.how === 'timed_out' || ignored?.how === 'timed_out') return 'given_up'
  if (listing.exitCode !== 0 || ignored?.exitCode === 0) return undefined
  return splitAtNul(listing.output)
}

async function askGit({ root, variables, signal }: Counting, program: string, repository: string, args: string[]) {
  const chunks: Uint8Array[] = []
  const { ending } = await runProgram({
    program,
    arguments: args,
    cwd: root,
    variables: harmlessVariables(variables, repository),
    timeoutMs: gitTimeoutMs,
    signal,
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  signal?.throwIfAborted()
  const exitCode = ending.how === 'exited' ? ending.exitCode : undefined
  return { how: ending.how, exitCode, output: Buffer.concat(chunks) }
}

function splitAtNul(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    parts.push(bytes.subarray(start, end < 0 ? bytes.length : end))
    start = end < 0 ? bytes.length : end + 1
  }
  return parts
}

/** A path as git lists it; repositories within the repository end in a slash. Undefined for what never counts. */
function countedFile(bytes: Uint8Array): CountedFile | undefined {
  const path = shownPath(bytes).replace(/\/$/, '')
  if (path.split('/').some(isNeverListed)) return undefined
  const end = bytes.lastIndexOf(47, bytes.length - 2)
  return { path, name: isUtf8(bytes) ? path.slice(folderOf(path).length).replace(/^\//, '') : bytes.subarray(end + 1) }
}

function grouped(files: readonly CountedFile[]): CountedFiles {
  const folders = new Map<string, CountedFile[]>()
  for (const file of files) {
    const folder = folderOf(file.path)
    const others = folders.get(folder)
    if (others === undefined) folders.set(folder, [file])
    // A file in conflict is listed once for each side.
    else if (others.at(-1)?.path !== file.path) others.push(file)
  }
  return folders
}

async function countByWalk({ root, signal }: Counting): Promise<Count> {
  const report: WalkReport = { entries: 0, unreadable: [] }
  const folders = new Map<string, CountedFile[]>()
  const options = {
    root,
    start: '',
    rules: new IgnoreRules(root),
    skipped: installedFolders,
    isOutput: isBuildOutput,
    mostEntries: Number.POSITIVE_INFINITY,
    signal,
  }
  for await (const { path, folder, files } of walkFolders(options, report)) {
    const odd = files.some((name) => name.includes('\ufffd')) ? namesInBytes(folder.at('.')) : []
    const plain = files.filter((name) => !name.includes('\ufffd')).map((name) => ({ path: within(path, name), name }))
    folders.set(path, [...plain, ...odd.map((name) => ({ path: within(path, shownPath(name)), name }))])
  }
  signal?.throwIfAborted()
  return { folders, unreadable: report.unreadable }
}

/** Names in a folder that are not UTF-8, or look as if they were not. */
function namesInBytes(folder: string): Uint8Array[] {
  return readdirSync(folder, { encoding: 'buffer' }).filter((name) => name.toString('utf8').includes('\ufffd'))
}

/** A path in words; bytes that are no UTF-8 are written out. */
function shownPath(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(bytes)) return buffer.toString('utf8')
  return buffer.toString('latin1').replace(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
}
