import { join, resolve } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type {
  KeptTree,
  PackOptions,
  PackTaken,
  RestoredFile,
  RestorePlan,
  SavedBase,
  SavedFiles,
  SavedHead,
  TreeChange,
  TreeSpan,
  TreeTaken,
  TreeWithout,
  WorkspacePacks,
  WorkspaceTree,
  WorkspaceTrees,
} from '@loader/session-core/coding'
import { realRoot } from '../paths/place.ts'
import type { ChildVariables } from '../processes/child-variables.ts'
import { treeEntries, entryChanges, type EntryChange, requireTree } from './ask-side.ts'
import { bringFolder } from './bring-folder.ts'
import { fillCopy } from './fill-copy.ts'
import { checkOut, sweepCheckouts } from './checkout.ts'
import { folderPlace } from './folder-place.ts'
import { inventoryChanges } from './inventory-changes.ts'
import { keepFiles, keepTree, keptFiles } from './keep-files.ts'
import { keepInventory, type KeptInventory, loadInventory } from './keep-inventory.ts'
import { LargeFiles } from './large-files.ts'
import { LeftInPlaceIndex } from './left-in-place.ts'
import { missingHere } from './missing-here.ts'
import { mixTrees } from './mix-trees.ts'
import { packTree } from './pack-tree.ts'
import { linesChanged, patchBetween } from './patch.ts'
import { placeCarried } from './place-carried.ts'
import { PrivateIndex } from './private-index.ts'
import { baseOf, type ProjectGit, ProjectHead } from './project-git.ts'
import { pruneTrees, sizeOfTrees } from './prune.ts'
import { type RawPath, rawPath, shownRawPath } from './raw-path.ts'
import { planSteps, restoreTree } from './restore-tree.ts'
import { keepText, openSideRepository, type SideRepository, sweep } from './side-repository.ts'
import { type Taking, takeTree, whyRefused } from './take-tree.ts'
import { adoptTree, isComplete, requireHarmless, takePackIn } from './unpack.ts'
import { treeWithout } from './without.ts'
import { treeTexts } from './tree-texts.ts'
import type {
  CheckoutOptions,
  FrozenCheckout,
  InventoryChanges,
  KeptFiles,
  LeftInPlace,
  TreeLimits,
  TreeTexts,
} from './trees-shown.ts'
import { findUserRules, readRules, trackedAndIgnored, type UserRules } from './user-rules.ts'

/** Where the trees of a workspace are kept, and the git that is used. */
export interface TreesOptions {
  /** The workspace. */
  readonly root: string
  /** The folder for the trees: one per workspace, outside of the workspace. Created when it does not exist. */
  readonly folder: string
  /** Called before the first write; if it throws, no trees are kept, for that reason. */
  readonly beforeOpening?: (() => void) | undefined
  /** The path of git; undefined when this machine has none. */
  readonly git: string | undefined
  readonly variables: ChildVariables
  readonly limits?: Partial<TreeLimits>
}

const nothingLeft: LeftInPlace = { ignored: [], nested: [], large: [], empty: [] }

const defaultLimits: TreeLimits = { mostFiles: 200_000, mostBytes: 4 * 1024 ** 3, largestFile: 50 * 1024 ** 2 }

interface Opened {
  readonly side: SideRepository
  readonly rules: UserRules
  readonly index: PrivateIndex
  readonly largeFiles: LargeFiles
  readonly leftInPlace: LeftInPlaceIndex
}

/** The trees of one workspace. Nothing is read or written before the first call. */
export class LocalTrees implements WorkspaceTrees, Disposable {
  readonly #options: TreesOptions
  readonly #root: string
  readonly #limits: TreeLimits
  #opened: Promise<Opened> | undefined
  /** Files that the user tracks although a rule ignores them, with the version of the list that they were read from. */
  #seeds: { readonly version: string | undefined; readonly paths: readonly string[] } = {
    version: undefined,
    paths: [],
  }
  #last: Promise<unknown> = Promise.resolve()
  /** What the remote of the project has, by the commit that is checked out. */
  #base: { readonly head: string; readonly base: SavedBase } | undefined
  readonly #head = new ProjectHead()
  readonly packs: WorkspacePacks = {
    place: async () => folderPlace((await this.#open()).side.folder, this.#root),
    pack: (tree, options) => this.#pack(tree, options),
    missing: async (leftOut) => missingHere(this.#root, leftOut),
  }

  constructor(options: TreesOptions) {
    this.#options = { ...options, folder: resolve(options.folder) }
    this.#root = realRoot(options.root)
    this.#limits = { ...defaultLimits, ...options.limits }
  }

  /** The folder in which the trees are kept. */
  get folder(): string {
    return this.#options.folder
  }

  /** Runs one at a time, because all of them share an index. */
  take(options: { readonly signal?: Signal } = {}): Promise<TreeTaken> {
    const taken = this.#last.then(() => this.#take(options.signal))
    this.#last = taken.catch(() => undefined)
    return taken
  }

  async changes(from: string, to: string): Promise<readonly TreeChange[]> {
    const { side } = await this.#open()
    const changes = await entryChanges(side, from, to)
    return changes.map(changeOf)
  }

  async files(tree: string): Promise<ReadonlyMap<string, string>> {
    const { side } = await this.#open()
    const entries = await treeEntries(side, tree)
    return new Map([...entries].map(([path, { blob }]) => [shownRawPath(path), blob]))
  }

  async lines(
    from: string,
    to: string,
  ): Promise<ReadonlyMap<string, { readonly added: number; readonly removed: number }>> {
    const { side } = await this.#open()
    return await linesChanged(side, from, to)
  }

  async patch(from: string, to: string, { paths = [] }: { readonly paths?: readonly string[] } = {}): Promise<string> {
    const { side } = await this.#open()
    return await patchBetween(side, from, to, paths)
  }

  async without(spans: readonly [TreeSpan, ...TreeSpan[]]): Promise<TreeWithout> {
    const { side } = await this.#open()
    return await treeWithout(side, spans)
  }

  async planRestore(
    from: KeptTree,
    to: KeptTree,
    { paths }: { readonly paths?: readonly string[] } = {},
  ): Promise<RestorePlan> {
    const steps = await planSteps({ ...(await this.#restoring()), plan: { from, to }, paths })
    return { from, to, steps: steps.map(({ step }) => step) }
  }

  async restore(plan: RestorePlan): Promise<readonly RestoredFile[]> {
    return await restoreTree({ ...(await this.#restoring()), plan }, plan.steps)
  }

  /** The base tree with some paths taken from other trees; later parts take precedence. Its id is a normal tree id. */
  async mix(
    base: string,
    parts: readonly { readonly tree: string; readonly paths: readonly string[] }[],
  ): Promise<string> {
    const { side } = await this.#open()
    const raw = parts.map(({ tree, paths }) => ({ tree, paths: paths.map(rawPath) }))
    return await mixTrees(side, base, raw)
  }

  /** The files of a tree, readable without a checkout. */
  async texts(tree: string): Promise<TreeTexts> {
    const { side } = await this.#open()
    return await treeTexts(side, tree)
  }

  /** A folder with the files of a tree, held until it is disposed of. Callers must not write to it. */
  async checkOut(tree: string, options: Partial<CheckoutOptions> = {}): Promise<FrozenCheckout> {
    const { side } = await this.#open()
    await requireTree(side, tree)
    return await checkOut(side, tree, { times: 'written', repository: 'none', ...options })
  }

  /** Writes the files of a tree into a new folder, `files` in this place, in which they may be changed. */
  async fillCopy(place: string, tree: string, options: Pick<CheckoutOptions, 'repository' | 'owner'>): Promise<void> {
    const { side, rules } = await this.#open()
    keepText(join(side.folder, 'info', 'exclude'), readRules(rules))
    await requireTree(side, tree)
    await fillCopy(side, place, tree, options)
  }

  /** The entries of the workspace that are now in no tree. */
  async leftInPlace(options: { readonly signal?: Signal | undefined } = {}): Promise<LeftInPlace> {
    const { side, rules, leftInPlace } = await this.#open()
    keepText(join(side.folder, 'info', 'exclude'), readRules(rules))
    return await leftInPlace.look(this.#limits.largestFile, options.signal)
  }

  /** Stores these files of the workspace, which need not be in a tree, with a text. The id stands for both. */
  async keepFiles(files: readonly RawPath[], beside: string): Promise<string> {
    const { side } = await this.#open()
    return await keepFiles(side, this.#root, files, beside)
  }

  /** The same, for files that are a tree already. */
  async keepTree(files: string, beside: string): Promise<string> {
    const { side } = await this.#open()
    return await keepTree(side, files, beside)
  }

  /** Whether a tree, or anything else stored under an id, still exists. */
  async isKept(id: string): Promise<boolean> {
    const { side } = await this.#open()
    return side.objects.has(id)
  }

  /** What `keepFiles` has stored. */
  async keptFiles(id: string): Promise<KeptFiles> {
    const { side } = await this.#open()
    return await keptFiles(side, id)
  }

  /**
   * Stores an inventory of packages in ignored folders and of nested repositories, to compare later. Returns its id.
   */
  async takeInventory(options: { readonly signal?: Signal } = {}): Promise<string | undefined> {
    return (await this.lookAtPackages(options))?.id
  }

  /** The same, with the cache folders that the inventory skips. */
  async lookAtPackages({ signal }: { readonly signal?: Signal | undefined } = {}): Promise<KeptInventory | undefined> {
    try {
      const { side, rules } = await this.#open()
      return await keepInventory({ side, prefix: rules.prefix, left: await this.leftInPlace({ signal }), signal })
    } catch (error) {
      if (reasonOf(error) === undefined) throw error
      return undefined
    }
  }

  async inventoryChanges(from: string, to: string): Promise<InventoryChanges> {
    const { side } = await this.#open()
    return inventoryChanges(await loadInventory(side, from), await loadInventory(side, to))
  }

  /** Removes everything older than an hour except these trees, rests and inventories. */
  async prune(keep: readonly string[], nowMs: number = Date.now()): Promise<void> {
    const { side } = await this.#open()
    await pruneTrees(side, keep, nowMs)
  }

  /** The disk space of all trees, in bytes. */
  async size(): Promise<number> {
    return sizeOfTrees((await this.#open()).side)
  }

  /** Takes packs in, in the order in which they were made. Each object is checked against its id. */
  async unpack(packs: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const { side } = await this.#open()
    for await (const pack of packs) await takePackIn(side, pack)
  }

  /** Whether everything of a save is here, so that its files can be made. */
  async hasAll(saved: SavedFiles): Promise<boolean> {
    const { side } = await this.#open()
    return await isComplete(side, saved)
  }

  /** Writes the files of a tree into a folder that holds nothing but a repository. */
  async fillEmpty(tree: string): Promise<void> {
    const { side } = await this.#open()
    await bringFolder(side, this.#root, await treeEntries(side, tree), new Map(), new Set(['.git']))
  }

  /** Refuses names that lead elsewhere, as what comes from another machine may have. */
  async requireHarmless(saved: SavedFiles): Promise<void> {
    await requireHarmless((await this.#open()).side, saved)
  }

  /** From now on the files of this tree count as those that were taken last. */
  adopt(tree: string): Promise<void> {
    const adopted = this.#last.then(async () => {
      const { side, index, rules } = await this.#open()
      await adoptTree(side, index, rules.prefix, tree)
    })
    this.#last = adopted.catch(() => undefined)
    return adopted
  }

  /** Writes carried files where nothing is, or what an earlier save carried there. Returns the paths that were kept. */
  async placeCarried(tree: string, earlier: readonly string[]): Promise<readonly string[]> {
    const { side } = await this.#open()
    return await placeCarried({ side, root: this.#root, largestFile: this.#limits.largestFile }, tree, earlier)
  }

  [Symbol.dispose](): void {
    const opened = this.#opened
    this.#opened = undefined
    // A failure to open the repository has been reported already.
    void opened?.then(
      ({ index }) => index[Symbol.dispose](),
      () => undefined,
    )
  }

  async #pack(tree: WorkspaceTree, options: PackOptions): Promise<PackTaken> {
    const { side, rules } = await this.#open()
    const { git = '', variables } = this.#options
    const project = { root: this.#root, git, variables, rules }
    const left = options.carry.length === 0 ? nothingLeft : await this.leftInPlace()
    const head = await this.#head.look(project)
    const base = () => this.#baseOf(project, head)
    return await packTree(
      { side, root: this.#root, project, head, left, largestFile: this.#limits.largestFile, base },
      tree,
      options,
    )
  }

  async #baseOf(project: ProjectGit, head: SavedHead | undefined): Promise<SavedBase | undefined> {
    if (head === undefined) return undefined
    if (this.#base?.head !== head.commit) {
      const base = await baseOf(project, head)
      // A remote may come later, without another commit.
      this.#base = base && { head: head.commit, base }
    }
    return this.#base?.base
  }

  async #restoring() {
    const { side } = await this.#open()
    return { side, root: this.#root, largestFile: this.#limits.largestFile }
  }

  async #take(signal: Signal | undefined): Promise<TreeTaken> {
    signal?.throwIfAborted()
    try {
      return await takeTree(await this.#taking(signal))
    } catch (error) {
      const why = reasonOf(error)
      if (why === undefined) throw error
      return { kind: 'refused', why }
    }
  }

  async #taking(signal: Signal | undefined): Promise<Taking> {
    const { side, rules, index, largeFiles, leftInPlace } = await this.#open()
    const { root, git = '', variables } = { ...this.#options, root: this.#root }
    keepText(join(side.folder, 'info', 'exclude'), readRules(rules))
    const tracked = await trackedAndIgnored({ root, git, variables }, rules, this.#seeds.version)
    if (tracked.kind === 'listed') this.#seeds = tracked
    return {
      side,
      index,
      largeFiles,
      signal,
      prefix: rules.prefix,
      limits: this.#limits,
      seeds: this.#seeds.paths,
      unlisted: tracked.kind === 'unknown' ? tracked.why : undefined,
      onLook: (looked, large) => leftInPlace.learn(looked, large, index.shared),
    }
  }

  #open(): Promise<Opened> {
    this.#opened ??= openTrees(this.#options, this.#root).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

async function openTrees({ folder, git, variables, beforeOpening }: TreesOptions, root: string): Promise<Opened> {
  if (git === undefined) {
    throw new LoaderError(
      'unsupported',
      'There is no git on this machine, so no trees of the workspace are kept. Install git.',
    )
  }
  beforeOpening?.()
  const rules = await findUserRules({ root, git, variables })
  const side = openSideRepository({ folder, top: rules.top, git, variables })
  sweep(side)
  sweepCheckouts(join(folder, 'checkouts'))
  return {
    side,
    rules,
    index: new PrivateIndex(folder),
    largeFiles: new LargeFiles(folder),
    leftInPlace: new LeftInPlaceIndex(side, rules),
  }
}

const refusals: ReadonlySet<string> = new Set(['storage_refused', 'storage_full', 'unsupported'])

/** The reason if git or the system failed; undefined for a bug of ours, or a cancellation. */
function reasonOf(error: unknown): string | undefined {
  if (LoaderError.is(error) && refusals.has(error.code)) return error.message
  return whyRefused(error)
}

function changeOf({ path, before, after }: EntryChange): TreeChange {
  return { path: shownRawPath(path), change: kindOf(before, after) }
}

function kindOf(before: EntryChange['before'], after: EntryChange['after']): TreeChange['change'] {
  if (before === undefined) return 'added'
  if (after === undefined) return 'deleted'
  if ((before.mode === '120000') !== (after.mode === '120000')) return 'type'
  return before.blob === after.blob ? 'mode' : 'modified'
}
