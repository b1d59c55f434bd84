import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import { repositoryAbove } from '../git/repository.ts'
import { isWithin, realRoot } from '../paths/place.ts'
import { childVariables, type ChildVariables } from '../processes/child-variables.ts'
import { KeptOutput } from '../processes/kept-output.ts'
import type { ProcessOptions } from '../processes/process-options.ts'
import { checkOutputCap, unattended } from '../processes/unattended.ts'
import type { LoneCanary } from '../runners/write-kit.ts'
import { writeKit } from '../runners/write-kit.ts'
import { sweepCheckouts } from '../trees/checkout.ts'
import type { LocalTrees } from '../trees/open-trees.ts'
import type { CheckoutOptions, FrozenCheckout } from '../trees/trees-shown.ts'
import type { Mount } from '../walls/mount.ts'
import { type CommandRights, commandRights } from '../walls/command-rights.ts'
import type { EndedWalledCommand, WallsStage } from '../walls/walls.ts'
import type { WallsAround } from '../walls/walls-around.ts'
import { withheldNotes } from '../walls/withheld.ts'
import { prepareCopy } from './copy-room.ts'
import { HeldCheckouts } from './held-checkouts.ts'
import {
  ignoredChanges,
  keepIgnored,
  type LastKept,
  type LoadedIgnored,
  loadIgnored,
  moveIgnored,
} from './kept-ignored.ts'
import { requireInside } from './over.ts'
import { hasFolder, NoOverlay, prepareOverlay, type RoomParts, writtenIn } from './overlay-room.ts'
import { cachePieces, type Piece, piecesOf } from './pieces.ts'
import { reportsIn } from './read-reports.ts'
import { rewrittenIn } from './rewritten.ts'
import type { InstalledPackages, MadeRoom, RoomCommand, RoomOf, RoomCommandRun, Rooms } from './room.ts'
import { type RoomFolder, RoomFolders } from './room-folders.ts'

/** What rooms need: a workspace, its trees, and walls. */
export interface RoomsOptions extends Pick<ProcessOptions, 'variables' | 'passVariables'> {
  /** The workspace. */
  readonly root: string
  readonly trees: LocalTrees
  readonly walls: WallsAround
  /** A private folder outside of the workspace. Rooms are made in it, and no command sees it. */
  readonly stateFolder: string
}

/** Rooms for one workspace. Writes no file before the first run. */
export function openRooms(options: RoomsOptions): Rooms {
  return new LocalRooms(options)
}

class LocalRooms implements Rooms {
  readonly #root: string
  readonly #owner: CommandRights
  readonly #options: RoomsOptions
  readonly #variables: ChildVariables
  readonly #checkouts: HeldCheckouts
  #opened: Promise<RoomFolders> | undefined
  #lastKept: LastKept | undefined
  /** Why mounting an overlay failed when it was tried. */
  #noOverlay: string | undefined

  constructor(options: RoomsOptions) {
    this.#options = options
    this.#root = realRoot(options.root)
    this.#owner = commandRights(this.#root)
    this.#variables = childVariables(options)
    this.#checkouts = new HeldCheckouts(options.trees)
  }

  async run(room: RoomOf, command: RoomCommand): Promise<RoomCommandRun> {
    for (const path of room.over?.keys() ?? []) requireInside(path)
    const folders = await this.#folders()
    await using checkout = await this.#checkouts.hold(room.tree, this.#checkoutOptions(folders, 'written'))
    const ignored = await this.#loadIgnored(room, command.signal)
    await using kept =
      ignored === undefined
        ? undefined
        : await this.#checkouts.hold(ignored.files, this.#checkoutOptions(folders, 'old'))
    const parts = await this.#parts(room, [checkout, kept], ignored?.unchanged, command.signal)
    if (command.cwd !== undefined && !hasFolder(parts, requireInside(command.cwd))) return notThere(command)
    if (parts.pieces.some(({ kind }) => kind === 'folder' || kind === 'file')) await this.#checkouts.makeNew(checkout)
    const folder = folders.take()
    try {
      return await this.#runIn(folder, folders, parts, command)
    } finally {
      await folders.giveBack(folder)
    }
  }

  async keepIgnored({ signal }: { readonly signal?: Signal | undefined } = {}) {
    const kept = await keepIgnored(this.#options.trees, this.#root, this.#lastKept, signal)
    if ('kind' in kept) return kept
    this.#lastKept = kept
    return kept.kept
  }

  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }) {
    return moveIgnored(this.#options.trees, kept, edit)
  }

  async layers(session: string, options: { readonly signal?: Signal | undefined } = {}) {
    const left = await this.#options.trees.leftInPlace(options)
    return await this.#changes(piecesOf(left, new Set()), { kind: 'layered', session })
  }

  async caches(options: { readonly signal?: Signal | undefined } = {}) {
    return cachePieces(await this.#options.trees.leftInPlace(options))
  }

  ignoredChanges(from: string, to: string) {
    return ignoredChanges(this.#options.trees, from, to)
  }

  async sweep(): Promise<void> {
    await sweep(await this.#folders(), this.#owner)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#checkouts[Symbol.asyncDispose]()
    await (await this.#opened)?.removeFree()
  }

  #folders(): Promise<RoomFolders> {
    this.#opened ??= (async () => {
      const folders = new RoomFolders(this.#options.stateFolder, this.#owner)
      await sweep(folders, this.#owner)
      return folders
    })()
    return this.#opened
  }

  #checkoutOptions({ home }: RoomFolders, times: CheckoutOptions['times']): CheckoutOptions {
    const isRepository = times === 'written' && repositoryAbove(this.#root) === this.#root
    const { uid, gid, isOther } = this.#owner
    return {
      times,
      repository: isRepository ? 'made' : 'none',
      ...(isOther ? { owner: { uid, gid }, home: join(home, 'checkouts') } : {}),
    }
  }

  /** The tree of kept ignored files, and which others may be taken from the workspace. */
  async #loadIgnored({ ignored }: RoomOf, signal: Signal | undefined): Promise<LoadedIgnored | undefined> {
    const { trees } = this.#options
    switch (ignored.kind) {
      case 'none':
        return undefined
      case 'kept':
        return await loadIgnored(trees, this.#root, ignored.id, signal)
      case 'now': {
        const kept = await this.keepIgnored({ signal })
        if (kept.kind === 'refused') throw new LoaderError('storage_refused', kept.why)
        return { ...(await loadIgnored(trees, this.#root, kept.id, signal)), unchanged: new Set(kept.without) }
      }
      default:
        return ignored satisfies never
    }
  }

  async #parts(
    { over = new Map(), packages }: RoomOf,
    checkouts: readonly [FrozenCheckout, FrozenCheckout | undefined],
    unchanged: ReadonlySet<string> = new Set(),
    signal: Signal | undefined,
  ): Promise<RoomParts> {
    const left = await this.#options.trees.leftInPlace({ signal })
    const pieces = piecesOf(left, unchanged)
    return {
      root: this.#root,
      owner: this.#owner,
      // The layer with the `.git` comes first: trees never contain one.
      layers: checkouts.flatMap((each) => [each?.repository, each?.folder].filter((path) => path !== undefined)),
      tree: checkouts[0].folder,
      pieces,
      over,
      changes: await this.#changes(pieces, packages),
    }
  }

  async #changes(pieces: readonly Piece[], packages: InstalledPackages): Promise<ReadonlyMap<string, string>> {
    const changes = new Map<string, string>()
    if (packages.kind === 'installed') return changes
    for (const { path } of pieces.filter(({ kind }) => kind === 'packages')) {
      const upper = await this.#options.walls.layerOf(join(this.#root, path), packages.session)
      if (upper !== undefined) changes.set(path, upper)
    }
    return changes
  }

  async #runIn(
    folder: RoomFolder,
    folders: RoomFolders,
    parts: RoomParts,
    command: RoomCommand,
  ): Promise<RoomCommandRun> {
    const available = await this.#options.walls.available()
    if (available.kind === 'none') {
      await prepareCopy(parts, folder, 'copied')
      const run = await this.#start(folder, { kind: 'copy', at: folder.copy, why: available.why }, undefined, command)
      return { ...run, ...rewrittenIn({ ...parts, written: folder.copy }) }
    }
    const canLayer = available.guarantees.includes('packages-copy-on-write')
    let why = canLayer ? this.#noOverlay : available.lacking[0]
    for (let attempt = 1; why === undefined; attempt += 1) {
      const tried = await this.#onOverlay(folder, parts, command)
      if (typeof tried !== 'string') return tried
      await folders.empty(folder)
      if (attempt === mostAttempts) why = this.#noOverlay = tried
    }
    return await this.#onCopy(folder, parts, why, command)
  }

  /** The run, or the reason why it was impossible. */
  async #onOverlay(folder: RoomFolder, parts: RoomParts, command: RoomCommand): Promise<RoomCommandRun | string> {
    try {
      const stage = await prepareOverlay(parts, folder)
      const run = await this.#start(folder, { kind: 'overlay', at: this.#root }, stage, command)
      if (run.ending.how === 'not_started') return run.ending.why
      return { ...run, ...rewrittenIn({ ...parts, written: writtenIn(folder) }) }
    } catch (error) {
      if (error instanceof NoOverlay) return error.message
      throw error
    }
  }

  /** Runs on a copy: within walls, mounted at the path of the workspace. */
  async #onCopy(folder: RoomFolder, parts: RoomParts, why: string, command: RoomCommand): Promise<RoomCommandRun> {
    const mounts = await prepareCopy(parts, folder, 'mounted')
    const placed: Mount = { kind: 'placed', path: this.#root, from: folder.copy, access: 'writable' }
    const stage = { table: '', mounts: [placed, ...mounts] }
    for (let attempt = 1; ; attempt += 1) {
      const run = await this.#start(folder, { kind: 'copy', at: this.#root, why }, stage, command)
      if (run.ending.how === 'not_started' && attempt < mostAttempts) continue
      return { ...run, ...rewrittenIn({ ...parts, written: folder.copy }) }
    }
  }

  async #start(
    folder: RoomFolder,
    how: MadeRoom,
    stage: WallsStage | undefined,
    command: RoomCommand,
  ): Promise<RoomCommandRun> {
    const { cwd, cap = checkOutputCap, reach, runners, timeoutMs, signal, onOutput } = command
    const own = { ...unattended, ...acrossMounts, ...command.variables }
    const variables = runners === undefined ? own : await this.#withKit(folder, how, own, runners.canary)
    const reports: readonly Mount[] = [
      { kind: 'readonly', path: folder.kit },
      { kind: 'writable', path: folder.reports },
    ]
    const whole = {
      command: command.command,
      cwd: cwd === undefined ? how.at : join(how.at, requireInside(cwd)),
      variables: { ...variables, ...(stage === undefined ? { TMPDIR: join(folder.session, 'tmp') } : {}) },
      timeoutMs,
      cap,
      signal,
      onOutput,
    }
    const { stateFolder, trees, walls } = this.#options
    const hidden = [stateFolder, trees.folder, folder.home]
    const { session, caches } = folder
    const onStage = stage && { ...stage, mounts: [...stage.mounts, ...reports] }
    const ended = await walls.runOn(onStage, whole, reach, { session, caches, hidden })
    return { ...shown(ended, reach), how, rewritten: [], digests: new Map(), reports: reportsIn(folder.reports) }
  }

  async #withKit(
    { kit, reports }: RoomFolder,
    how: MadeRoom,
    own: ChildVariables,
    canary: LoneCanary | undefined,
  ): Promise<ChildVariables> {
    const variables = { ...this.#variables, ...own }
    const written = await writeKit({ kit, reports, variables, canary: canary && this.#movedTo(how.at, canary) })
    return Object.fromEntries(
      Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  }

  #movedTo(at: string, canary: LoneCanary): LoneCanary {
    const moved = (path: string) => (isWithin(this.#root, path) ? at + path.slice(this.#root.length) : path)
    return { ...canary, cwd: moved(canary.cwd), paths: canary.paths.map(moved) }
  }
}

/** A room is a mount, and by default git does not look for a repository beyond a mount. */
const acrossMounts = { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' }

/**
 * Walls can fail to go up because a socket or hidden file disappeared meanwhile. The command has not run then, and is
 * tried again this often.
 */
const mostAttempts = 4

async function sweep(folders: RoomFolders, { isOther }: CommandRights): Promise<void> {
  await folders.sweep()
  if (isOther) sweepCheckouts(join(folders.home, 'checkouts'))
}

function notThere({ cwd = '.', cap = checkOutputCap }: RoomCommand): RoomCommandRun {
  const why = `There is no folder ${cwd} in this room to run a command in.`
  return {
    how: { kind: 'none' },
    ending: { how: 'not_started', why },
    output: new KeptOutput(cap),
    durationMs: 0,
    leftRunning: false,
    reports: new Map(),
    rewritten: [],
    digests: new Map(),
    walls: { kind: 'none', guarantees: [], why: 'nothing was run' },
    withheld: [],
  }
}

function shown(
  ended: EndedWalledCommand,
  reach: RoomCommand['reach'],
): Omit<RoomCommandRun, 'how' | 'reports' | 'rewritten' | 'digests'> {
  const { ending, output, durationMs, leftRunning, walls } = ended
  return { ending, output, durationMs, leftRunning, walls, withheld: withheldNotes(ended, reach) }
}
