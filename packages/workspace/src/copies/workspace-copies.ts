import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { assertSessionId, LoaderError } from '@loader/session-core'
import * as z from 'zod'
import { repositoryAbove } from '../git/repository.ts'
import { realRoot } from '../paths/place.ts'
import { childVariables } from '../processes/child-variables.ts'
import type { ProcessOptions } from '../processes/process-options.ts'
import { boot } from '../processes/process-mark.ts'
import { programOnPath } from '../processes/program-on-path.ts'
import type { Project } from '../projects/find-project.ts'
import { ignoredPieces } from '../rooms/pieces.ts'
import { LocalTrees } from '../trees/open-trees.ts'
import { keepText, textOf } from '../trees/side-repository.ts'
import { canReach, commandRights } from '../walls/command-rights.ts'

/** A folder with the files of a workspace, which a child session changes. */
export interface WorkspaceCopy {
  readonly root: string
  /** Where what belongs to it is kept. Its trees are those of the workspace: each id means the same in both. */
  readonly project: Project
  /** Packages of the workspace that it shows. They are no files of the copy. */
  readonly shown: readonly string[]
}

/** Which workspace is copied, and where its records are. */
export interface WorkspaceCopiesOptions extends Pick<ProcessOptions, 'variables' | 'passVariables'> {
  readonly root: string
  readonly project: Project
}

/**
 * Copies of a workspace, one for each child session that changes files.
 *
 * 1. A copy is there whole or not at all: it is made beside its place, and renamed. One from before a restart of the machine
 *    may be torn, so it is made anew, of a tree.
 * 2. It is found again by the id of its session, by any process.
 * 3. It shares objects of trees with the workspace, and nothing else that can be written.
 */
export class WorkspaceCopies {
  readonly #options: WorkspaceCopiesOptions
  readonly #root: string
  #trees: LocalTrees | undefined

  constructor(options: WorkspaceCopiesOptions) {
    this.#options = options
    this.#root = realRoot(options.root)
  }

  /** The copy of a session as it is, or a new one with the files of a tree, which are those that it had last. */
  async open(sessionId: string, tree: string): Promise<WorkspaceCopy> {
    const known = this.find(sessionId)
    if (known !== undefined && known !== 'torn') return known
    if (known === 'torn') rmSync(this.#placeOf(sessionId), { recursive: true, force: true })
    const place = this.#placeOf(sessionId)
    const owner = commandRights(this.#root)
    const making = `${place}.making`
    mkdirSync(dirname(place), { recursive: true, mode: owner.isOther ? 0o711 : 0o700 })
    const repository = repositoryAbove(this.#root) === this.#root ? 'made' : 'none'
    const { uid, gid, isOther } = owner
    await this.#treesHere().fillCopy(making, tree, { repository, ...(isOther && { owner: { uid, gid } }) })
    if (isOther) chmodSync(making, 0o711)
    const shown = (await this.#packages()).filter((path) => this.#show(path, join(making, 'files', path)))
    keepText(join(making, 'shown'), JSON.stringify(shown))
    keepText(join(making, 'boot'), boot())
    renameSync(join(making, 'files'), join(making, this.#name))
    renameSync(making, place)
    return this.#copyAt(sessionId, place)
  }

  /** The copy of a session, if it is on this machine. `torn`: the machine was restarted since it was made. */
  find(sessionId: string): WorkspaceCopy | 'torn' | undefined {
    const place = this.#placeOf(sessionId)
    if (!existsSync(join(place, this.#name))) return undefined
    return textOf(join(place, 'boot')) === boot() ? this.#copyAt(sessionId, place) : 'torn'
  }

  /** Removes a copy, and what was kept for it. Its trees stay. */
  async remove(sessionId: string): Promise<void> {
    const place = this.#placeOf(sessionId)
    for (const path of [place, `${place}.making`, this.#keptFor(sessionId)])
      rmSync(path, { recursive: true, force: true })
  }

  #copyAt(sessionId: string, place: string): WorkspaceCopy {
    const { project } = this.#options
    const folder = this.#keptFor(sessionId)
    const trees = join(folder, 'files.git')
    mkdirSync(trees, { recursive: true, mode: 0o700 })
    const objects = join(project.folders.trees, 'objects')
    if (lstatSync(join(trees, 'objects'), { throwIfNoEntry: false }) === undefined) {
      symlinkSync(objects, join(trees, 'objects'), 'junction')
    }
    const root = realRoot(join(place, this.#name))
    const folders = { ...project.folders, folder, trees }
    const shown = z.array(z.string()).parse(JSON.parse(textOf(join(place, 'shown')) ?? '[]'))
    return { root, project: { root, folders, standing: { kind: 'known' } }, shown }
  }

  /** Packages are shown as they are. Walls keep commands from changing them, and file tools take them for outside. */
  #show(path: string, at: string): boolean {
    const isFree = lstatSync(at, { throwIfNoEntry: false }) === undefined
    const hasFolder = lstatSync(dirname(at), { throwIfNoEntry: false })?.isDirectory() === true
    if (!isFree || !hasFolder) return false
    symlinkSync(join(this.#root, path), at, 'junction')
    return true
  }

  async #packages(): Promise<readonly string[]> {
    const left = await this.#treesHere().leftInPlace()
    return ignoredPieces(left).flatMap(({ kind, path }) => (kind === 'packages' ? [path] : []))
  }

  #treesHere(): LocalTrees {
    const { project } = this.#options
    const variables = childVariables(this.#options)
    const git = programOnPath('git', variables, this.#root)
    this.#trees ??= new LocalTrees({ root: this.#root, folder: project.folders.trees, git, variables })
    return this.#trees
  }

  get #name(): string {
    return basename(this.#root) || 'files'
  }

  #keptFor(sessionId: string): string {
    assertSessionId(sessionId)
    return join(this.#options.project.folders.folder, 'copies', sessionId)
  }

  /** Beside the state folder, which commands do not see. */
  #placeOf(sessionId: string): string {
    assertSessionId(sessionId)
    const { folder } = this.#options.project.folders
    const state = dirname(dirname(folder))
    if (state === dirname(state)) {
      throw new LoaderError(
        'unsupported',
        `There is no place for copies beside ${state}. Set LOADER_STATE to another folder.`,
      )
    }
    const owner = commandRights(this.#root)
    const usual = join(`${state}-copies`, basename(folder), sessionId)
    if (canReach(owner, usual)) return usual
    return join(tmpdir(), `loader-copies-${owner.uid}`, basename(folder), sessionId)
  }
}
