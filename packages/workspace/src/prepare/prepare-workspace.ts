import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LoaderError, type SessionStore, type Signal, whyNotSaved } from '@loader/session-core'
import type { KeptTree, LeftOut, SavedFiles } from '@loader/session-core/coding'
import { repositoryAbove } from '../git/repository.ts'
import { codeOf } from '../paths/system-errors.ts'
import { childVariables } from '../processes/child-variables.ts'
import { programOnPath } from '../processes/program-on-path.ts'
import { findProject } from '../projects/find-project.ts'
import { keepProject } from '../projects/keep-project.ts'
import { LocalTrees } from '../trees/open-trees.ts'
import {
  cloneProject,
  fillAround,
  hasCommit,
  isClean,
  makeRepository,
  moveHead,
  moveHeadOn,
  type OwnGit,
  packOfCommit,
  takeHistoryIn,
} from './clone-project.ts'
import { chainOf, packBytes, readSavedSession, type SavedSession } from './saved-session.ts'

/** Which session to continue, and where. */
export interface PrepareOptions {
  readonly store: Pick<SessionStore, 'read' | 'readBlob'>
  readonly sessionId: string
  /** Created if it does not exist. Files in it that the session does not know are never overwritten. */
  readonly folder: string
  /**
   * The folder belongs to the caller, and its contents may be deleted: if its files are not those of the session, it is
   * emptied and made anew. Never set this for a folder of the user.
   */
  readonly replace?: boolean
  /** The address of the project's remote, in the place of the recorded one. */
  readonly remote?: string
  /** The environment: where the state folder is, and what git of the user needs. Absent means that of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  readonly signal?: Signal
  /** Called with what is being done, in words. */
  readonly onProgress?: (words: string) => void
}

/** A folder that is ready, or that needs nothing. */
export type PreparedWorkspace =
  /** The session has stored no files. It changed none, and can go on in any folder of the project. */
  | { readonly kind: 'nothing_saved'; readonly root: string }
  /** The session was in this folder last, so nothing was done, whether or not its files have changed since. */
  | { readonly kind: 'here'; readonly root: string }
  | {
      readonly kind: 'prepared'
      /** The folder to go on in; below the one asked for, where the project is a part of its repository. */
      readonly root: string
      readonly tree: string
      readonly how: 'cloned' | 'unpacked' | 'updated'
      readonly packs: number
      /** Size of the packs that were taken in. */
      readonly bytes: number
      /** What was left out when the files were stored, and is missing here. */
      readonly missing: readonly LeftOut[]
      /** Carried files that were not overwritten, because they do not come from this session. */
      readonly kept: readonly string[]
    }

/**
 * Makes a folder in which a session can go on, with the files that were stored with it last. Claims nothing and records
 * nothing; an agent that goes on there compares the files once more. If other files are in the way, throws
 * `workspace_differs`, which names them, and overwrites none of them.
 */
export async function prepareWorkspace(options: PrepareOptions): Promise<PreparedWorkspace> {
  const { store, sessionId, variables = process.env } = options
  const folder = resolve(options.folder)
  const session = await readSavedSession(store, sessionId)
  const { saved, place } = session.state
  const base = session.saves.length === 0 ? undefined : chainOf(session)[0]?.base
  const isEmpty = isEmptyFolder(folder)
  const root = rootIn(folder, saved?.folder, isEmpty)
  if (saved === undefined) return { kind: 'nothing_saved', root: folder }
  const git = programOnPath('git', childVariables({ variables }), folder)
  if (git === undefined) throw new LoaderError('unsupported', 'There is no git on this machine. Install git.')
  if (!isEmpty && place !== undefined) {
    using trees = openTrees(root, git, variables)
    if ((await trees.packs.place()).id === place.id) return { kind: 'here', root }
  }
  const why = whyNotSaved(session.state)
  if (why !== undefined && place !== undefined) {
    const where = `${place.root} (${place.machine})`
    throw new LoaderError('workspace_differs', `Session ${sessionId} can go on in ${where} only: ${why}.`)
  }
  const preparing: Preparing = {
    ...options,
    session,
    saved,
    own: { git, variables, signal: options.signal },
    root,
    folder,
  }
  if (isEmpty) {
    try {
      return await prepareNew(preparing, base && { ...base, remote: options.remote ?? base.remote })
    } catch (error) {
      // The folder was empty, and a half-prepared one would be in the way of the next attempt.
      emptyFolder(folder)
      throw error
    }
  }
  try {
    return await prepareExisting(preparing)
  } catch (error) {
    if (options.replace !== true || !LoaderError.is(error, 'workspace_differs')) throw error
    emptyFolder(folder)
    return await prepareWorkspace({ ...options, replace: false })
  }
}

/** A project that is a part of its repository lies below the folder into which that is cloned. */
function rootIn(folder: string, inside: string | undefined, isEmpty: boolean): string {
  if (inside === undefined) return folder
  const below = join(folder, inside)
  return isEmpty || existsSync(below) ? below : folder
}

interface Preparing extends Pick<PrepareOptions, 'store' | 'onProgress'> {
  readonly session: SavedSession
  readonly saved: SavedFiles
  readonly own: OwnGit
  readonly folder: string
  readonly root: string
}

type Prepared = Extract<PreparedWorkspace, { kind: 'prepared' }>

async function prepareNew(
  preparing: Preparing,
  base: { readonly remote: string; readonly commit: string } | undefined,
): Promise<Prepared> {
  const { own, folder, root, saved, session, onProgress } = preparing
  if (base !== undefined) {
    onProgress?.(`cloning ${base.remote}`)
    await cloneProject(own, folder, base)
  }
  mkdirSync(root, { recursive: true })
  if (base === undefined && saved.head !== undefined) await makeRepository(own, folder)
  using trees = openTrees(root, own.git, own.variables)
  const taken = await takeIn(preparing, trees)
  const isHeadMoved = saved.head === undefined || (await moveHead(own, repositoryOf(root), saved.head))
  const isAroundHere =
    saved.folder === undefined ||
    saved.head === undefined ||
    !isHeadMoved ||
    (await fillAround(own, folder, saved.folder))
  if (base === undefined) await trees.fillEmpty(saved.tree)
  await bring(preparing, trees)
  const kept = await carry(preparing, trees)
  const missing = await trees.packs.missing(leftBehind(preparing))
  return {
    kind: 'prepared',
    root,
    tree: session.state.saved?.tree ?? saved.tree,
    how: base === undefined ? 'unpacked' : 'cloned',
    ...taken,
    missing: [...missing, ...(isHeadMoved ? [] : [noCommits]), ...(isAroundHere ? [] : [nothingAround])],
    kept,
  }
}

/** Brings a folder that the session knows, or a clean clone of its project, to the stored files. */
async function prepareExisting(preparing: Preparing): Promise<Prepared> {
  const { own, root, saved, session } = preparing
  using trees = openTrees(root, own.git, own.variables)
  const now = await takenTree(trees, root)
  if (!session.trees.has(now.id) && !(await isCleanClone(preparing))) {
    throw new LoaderError(
      'workspace_differs',
      `The files in ${root} are not as session ${session.id} knows them${await namedDifferences(trees, session, now)}. ` +
        'Nothing was changed. Commit them, or let the session go on in an empty folder.',
    )
  }
  const taken = await takeIn(preparing, trees)
  const repository = repositoryAbove(root)
  const { head } = saved
  const isHeadMoved = head === undefined || (repository !== undefined && (await moveHeadOn(own, repository, head)))
  await bring(preparing, trees)
  const kept = await carry(preparing, trees)
  const missing = await trees.packs.missing(leftBehind(preparing))
  return {
    kind: 'prepared',
    root,
    tree: saved.tree,
    how: 'updated',
    ...taken,
    missing: isHeadMoved ? missing : [...missing, noCommits],
    kept,
  }
}

/** What was left out when the files were stored, and when they were brought to that folder. */
function leftBehind({ saved, session }: Preparing): readonly LeftOut[] {
  return [...saved.leftOut, ...(session.state.place?.missing ?? [])]
}

const noCommits: LeftOut = { kind: 'commits', count: 1, names: [] }
const nothingAround: LeftOut = { kind: 'around', count: 1, names: [] }

/** Whether git has all files of the folder, and it is a clone of the project of the session. */
async function isCleanClone({ own, root, session }: Preparing): Promise<boolean> {
  const repository = repositoryAbove(root)
  if (repository === undefined) return false
  const commits = [...session.saves.flatMap(({ base }) => base?.commit ?? []), ...session.heads]
  for (const commit of new Set(commits)) {
    if (await hasCommit(own, repository, commit)) return await isClean(own, repository)
  }
  return false
}

/**
 * Unpacks all packs that are missing here. A pack has only the differences from the save before it, and the first pack
 * leaves out what the remote has. So the commit of the remote is unpacked before the packs that build on it; if that commit
 * is missing, those packs are skipped.
 */
async function takeIn(
  { store, session, own, root, saved, onProgress }: Preparing,
  trees: LocalTrees,
): Promise<Pick<Prepared, 'packs' | 'bytes'>> {
  let [packs, bytes, isWhole] = [0, 0, true]
  const repository = repositoryAbove(root)
  for (const save of session.saves) {
    const { base, history, head, parent } = save
    if (parent === undefined) isWhole = true
    if (isWhole && !(await trees.isKept(save.commit))) {
      onProgress?.(`unpacking ${packs + 1} of at most ${session.saves.length}`)
      const pack = await packBytes(store, session.id, save.pack)
      await trees.unpack([pack])
      packs += 1
      bytes += pack.length
    }
    if (isWhole && base !== undefined && !(await trees.hasAll(save))) {
      if (repository !== undefined && (await hasCommit(own, repository, base.commit))) {
        await trees.unpack([await packOfCommit(own, repository, base.commit)])
      }
      isWhole = await trees.hasAll(save)
    }
    if (history === undefined || head === undefined || repository === undefined) continue
    if (await hasCommit(own, repository, head.commit)) continue
    await takeHistoryIn(own, repository, await packBytes(store, session.id, history.pack))
  }
  if (await trees.hasAll(saved)) {
    await trees.requireHarmless(saved)
    return { packs, bytes }
  }
  const bases = new Set(session.saves.flatMap(({ base }) => base?.commit ?? []))
  throw new LoaderError(
    'workspace_differs',
    `The files of session ${session.id} cannot be made in ${root}: what was stored builds on ` +
      `${[...bases].join(', ') || 'nothing'} of the project, and that is not all here. Nothing was run.`,
  )
}

/** Brings the files to the stored tree, and makes sure of it. */
async function bring({ root, saved, session, onProgress }: Preparing, trees: LocalTrees): Promise<void> {
  onProgress?.('writing files')
  const target: KeptTree = { id: saved.tree, rest: saved.rest }
  const before = await takenTree(trees, root)
  const { steps } = await trees.planRestore(before, target)
  await trees.restore({ from: before, to: target, steps })
  await trees.adopt(saved.tree)
  const now = await takenTree(trees, root)
  if (now.id === saved.tree) return
  const paths = (await trees.changes(saved.tree, now.id)).map(({ path }) => path)
  throw new LoaderError(
    'workspace_differs',
    `The files in ${root} are not those that session ${session.id} has stored: they differ in ${listed(paths)}. Nothing was run.`,
  )
}

async function carry({ saved, session }: Preparing, trees: LocalTrees): Promise<readonly string[]> {
  if (saved.carried === undefined) return []
  const { tree } = saved.carried
  const earlier = session.saves.flatMap(({ carried }) => carried?.tree ?? [])
  const kept = [...new Set(earlier)].filter((id) => id !== tree)
  const there = await Promise.all(kept.map(async (id) => ((await trees.isKept(id)) ? [id] : [])))
  return await trees.placeCarried(tree, there.flat())
}

async function takenTree(trees: LocalTrees, root: string): Promise<KeptTree> {
  const taken = await trees.take()
  if (taken.kind === 'taken') return { id: taken.tree.id, rest: taken.tree.rest }
  throw new LoaderError('workspace_differs', `The files in ${root} cannot be looked at: ${taken.why}. Nothing was run.`)
}

/** What differs from the newest tree that is known here; nothing where none is. */
async function namedDifferences(trees: LocalTrees, { trees: known }: SavedSession, now: KeptTree): Promise<string> {
  for (const tree of [...known].toReversed()) {
    if (await trees.isKept(tree)) return `: ${listed((await trees.changes(tree, now.id)).map(({ path }) => path))}`
  }
  return ''
}

const mostNamed = 10

function listed(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
  return `${paths.slice(0, mostNamed).join(', ')}${more}`
}

function openTrees(root: string, git: string, variables: Readonly<Record<string, string | undefined>>): LocalTrees {
  const project = findProject(root, { variables })
  return new LocalTrees({
    root,
    folder: project.folders.trees,
    beforeOpening: () => keepProject(project),
    git,
    variables: childVariables({ variables }),
  })
}

function repositoryOf(root: string): string {
  return repositoryAbove(root) ?? root
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
}

function emptyFolder(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
}
