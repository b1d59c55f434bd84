import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import { ObjectStore } from '../git/object-store.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import type { ChildVariables } from '../processes/child-variables.ts'
import { isAlive } from '../processes/process-mark.ts'
import { runOften } from '../processes/starter.ts'
import { temporaryName } from '../files/temporary.ts'

/**
 * The repository that holds the trees of one project. It is never the user's own.
 *
 * 1. It has its own objects, index and settings, and no alternates: what a command does to the repository of the
 *    project does not change what a tree holds.
 * 2. No setting or attribute of the user, the machine or the project changes the bytes of a file on their way in or
 *    out.
 * 3. Git never runs a foreign program for it.
 */
export interface SideRepository {
  /** Its `GIT_DIR`. */
  readonly folder: string
  /** The folder that its paths are relative to. */
  readonly top: string
  readonly git: string
  readonly variables: ChildVariables
  readonly objects: ObjectStore
}

export interface GitRequest {
  readonly arguments: readonly string[]
  /** The index to work on. Absent means that none is needed. */
  readonly index?: string
  /** Another folder in the place of the work tree. */
  readonly workTree?: string
  readonly input?: string | Uint8Array
  readonly signal?: Signal | undefined
}

export interface GitAnswer {
  /** One character for each byte. */
  readonly output: string
  readonly bytes: Uint8Array
}

/** With these attributes git stores and writes files byte for byte. */
export const plainAttributes = '* -text -eol -filter -ident !working-tree-encoding !diff !merge !conflict-marker-size\n'

/** `batch` needs one flush for many new objects; versions of git that do not know it flush each. */
const settings = `[core]
\trepositoryFormatVersion = 0
\tbare = false
\tfileMode = ${process.platform !== 'win32'}
\tsymlinks = ${process.platform !== 'win32'}
\tignoreCase = ${process.platform === 'win32' || process.platform === 'darwin'}
\tprecomposeUnicode = ${process.platform === 'darwin'}
\tprotectNTFS = ${process.platform === 'win32'}
\tprotectHFS = ${process.platform === 'darwin'}
\tlongPaths = true
\tautocrlf = false
\tsafecrlf = false
\teol = lf
\tfsync = all
\tfsyncMethod = batch
\tfsmonitor = false
\tuntrackedCache = false
\tpreloadIndex = true
\ttrustCtime = true
\tcheckStat = default
\tsharedRepository = 0600
\tlogAllRefUpdates = false
\tattributesFile = ${process.platform === 'win32' ? 'NUL' : '/dev/null'}
\texcludesFile = ${process.platform === 'win32' ? 'NUL' : '/dev/null'}
\thooksPath = ${process.platform === 'win32' ? 'NUL' : '/dev/null'}
[gc]
\tauto = 0
[maintenance]
\tauto = false
[index]
\tversion = 2
[advice]
\taddEmbeddedRepo = false
`

/** Opens the repository; creates it if it is missing or incomplete. */
export function openSideRepository(repository: Omit<SideRepository, 'objects'>): SideRepository {
  const { folder } = repository
  try {
    for (const name of ['objects/info', 'objects/pack', 'refs/keep', 'info']) {
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    }
    keepText(join(folder, 'info', 'attributes'), plainAttributes)
    keepText(join(folder, 'config'), settings)
    // Git takes a folder for a repository when it has a HEAD, so this file is written last.
    if (!existsSync(join(folder, 'HEAD'))) keepText(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
    rmSync(join(folder, 'objects', 'info', 'alternates'), { force: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    throw new LoaderError(
      'storage_refused',
      `The trees of the workspace cannot be kept in ${folder}: ${meaningOf(error)}.`,
      {
        cause: error,
      },
    )
  }
  return { ...repository, objects: new ObjectStore(folder) }
}

/** Writes a small file atomically, unless it has this content already. */
export function keepText(path: string, text: string): void {
  if (textOf(path) === text) return
  const temporary = `${path}.${temporaryName('x')}`
  writeFileSync(temporary, text, { mode: 0o600, flush: true })
  renameSync(temporary, path)
}

export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** A failure of git, with its reason. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

const longestMs = 600_000

/** Runs git in the side repository. Throws a `GitFailure` unless git succeeds. */
export async function sideGit(repository: SideRepository, request: GitRequest): Promise<GitAnswer> {
  const chunks: Uint8Array[] = []
  const { ending, errors } = await runOften({
    program: repository.git,
    arguments: request.arguments,
    cwd: request.workTree ?? repository.top,
    variables: sideVariables(repository, request),
    timeoutMs: longestMs,
    signal: request.signal,
    input: typeof request.input === 'string' ? Buffer.from(request.input, 'latin1') : request.input,
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  request.signal?.throwIfAborted()
  if (ending.how !== 'exited' || ending.exitCode !== 0) {
    const how = ending.how === 'not_started' ? ending.why : ending.how
    throw new GitFailure(`git ${request.arguments[0] ?? ''}: ${errors.trim().slice(0, 600) || how}`)
  }
  const bytes = Buffer.concat(chunks)
  return {
    bytes,
    get output() {
      return bytes.toString('latin1')
    },
  }
}

function sideVariables({ folder, top, variables }: SideRepository, { index, workTree }: GitRequest): ChildVariables {
  const own = Object.entries(variables).filter(([name]) => !/^(GIT_|LC_|LANG)/i.test(name))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_DIR: folder,
    GIT_WORK_TREE: workTree ?? top,
    GIT_INDEX_FILE: index ?? join(folder, 'none'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PAGER: 'cat',
    GIT_ADVICE: '0',
  }
}

const ownerPattern = /^index\.(\d+)-/

/** Removes temporary files of killed writers. Partial objects are removed when old trees are pruned. */
export function sweep({ folder }: SideRepository): void {
  for (const name of readdirSync(folder)) {
    const owner = ownerPattern.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(folder, name), { force: true })
  }
}
