import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reach, WallsRecord } from '@loader/session-core/coding'
import { isWithin } from '../paths/place.ts'
import type { Containment, Inner, Launch } from '../processes/containment.ts'
import { runCommand } from '../processes/run-command.ts'
import {
  accessIn,
  accessToWrite,
  isPipeOrSocket,
  isStillThere,
  type Looked,
  lookAtGround,
  mountsOver,
} from './access.ts'
import { divide } from './beneath.ts'
import { statsOf } from './entries.ts'
import { packageCaches } from './home.ts'
import { hostMounts } from './host-mounts.ts'
import {
  cacheOver,
  canBeLayered,
  changesOver,
  digestOfLayer,
  isEmpty,
  type Layer,
  layerOver,
  tableLine,
} from './layers.ts'
import { type Loan, loansOf } from './lending.ts'
import { LookedAgain } from './look-again.ts'
import { type Access, accessUnder, lastOver, type Mount, mountArguments } from './mount.ts'
import type { CommandRights } from './command-rights.ts'
import { type Prepared, prepare } from './prepared.ts'
import { sealsOver } from './sealed.ts'
import { setGuardedAside } from './set-guarded-aside.ts'
import { enteringWords, openSpaces } from './entered-spaces.ts'
import type { LoopbackHolder } from './session-loopback.ts'
import { socketMasks } from './sockets.ts'
import { removeKept, type SessionFolders } from './session-folders.ts'
import type { WallsSurroundings } from './surroundings.ts'
import type { SystemCallFilters } from './system-calls.ts'
import type { OverlayPrograms } from './try-walls.ts'
import {
  type Available,
  type EndedWalledCommand,
  type Guarantee,
  guarantees,
  type SetAside,
  type WallsStage,
  type WalledCommand,
  type Walls,
  type WallsPlace,
} from './walls.ts'

export interface BubblewrapOptions {
  readonly bubblewrap: string
  /** The programs that mount layers, or why there are none, in words. */
  readonly overlays: OverlayPrograms | string
  /** Filters of system calls with and without network, or why there are none, in words. */
  readonly filters: SystemCallFilters | string
  /** Folders of the machine over which mounting an overlay has worked. */
  readonly sealable: readonly string[]
  /** The program that enters the loopback of a session; undefined where commands share none. */
  readonly nsenter?: string | undefined
  /** For the reach `open`, which runs outside of all walls. */
  readonly outside: Containment
}

interface Raised {
  readonly mounts: readonly Mount[]
  /** Those that bubblewrap makes. The table makes the others. */
  readonly over: readonly Mount[]
  readonly table: string
  readonly loan: Loan
}

interface Unsealed {
  readonly mounts: readonly Mount[]
  readonly table: string
  /** The paths over which the table mounts overlays. */
  readonly overlaid: readonly string[]
}

/** Including the guards of the workspace itself. */
interface RaisedHere extends Raised, Looked {
  readonly layers: readonly Layer[]
}

/** A command that goes on. */
interface GoingOn {
  readonly prepared: Prepared
  readonly raised: RaisedHere
  readonly reach: Reach
}

/** Walls on Linux: namespaces and mounts, made by bubblewrap. */
export class BubblewrapWalls implements Walls {
  readonly #options: BubblewrapOptions
  readonly #prepared = new Map<string, Prepared>()
  /** Layers that a running command can write. Another command gets them read-only. */
  readonly #layersInUse = new Set<string>()
  /** Commands that go on, with what there was at guarded paths before them. */
  readonly #goingOn = new Set<GoingOn>()
  readonly #holders = new Map<Prepared, LoopbackHolder>()

  constructor(options: BubblewrapOptions) {
    this.#options = options
  }

  async available(): Promise<Available> {
    const { overlays, filters } = this.#options
    const lacking = [overlays, filters].filter((each) => typeof each === 'string')
    return { kind: 'some', guarantees: this.#held, lacking }
  }

  async recordFor(reach: Reach): Promise<WallsRecord> {
    if (reach === 'open') return { kind: 'none', guarantees: [], why: 'it may do what the user can' }
    const without: readonly Guarantee[] =
      reach === 'network' ? ['network-none', 'packages-copy-on-write', 'look-unwritable'] : []
    return { kind: 'bubblewrap', guarantees: this.#held.filter((each) => !without.includes(each)) }
  }

  async start(
    command: WalledCommand,
    reach: Reach,
    place: WallsPlace,
    stage?: WallsStage,
  ): Promise<EndedWalledCommand> {
    const walls = await this.recordFor(reach)
    if (reach === 'open') {
      const ended = await runCommand({ ...command, containment: this.#options.outside })
      return { ...ended, walls, setAside: [], layered: [] }
    }
    const prepared = this.#prepare(place)
    if (stage !== undefined) return { ...(await this.#runOn(stage, command, reach, prepared)), walls }
    // What a command that goes on has made is not taken for what was there before this one.
    const aside: SetAside[] = [...this.#sweep(prepared)]
    if (command.goesOn !== undefined && reach !== 'network') await this.#holdLoopback(prepared)
    for (let attempt = 1; ; attempt += 1) {
      const ended = await this.#run(command, reach, prepared)
      aside.push(...ended.setAside)
      // A path to be mounted over can disappear after it was found. The command has not run then, and is tried again.
      const isOver = ended.ending.how !== 'not_started' || attempt === mostAttempts
      if (isOver) return { ...ended, setAside: aside, walls }
    }
  }

  async #run(command: WalledCommand, reach: Reach, prepared: Prepared): Promise<Omit<EndedWalledCommand, 'walls'>> {
    const raised = this.#raise(prepared, reach, command.goesOn?.layers)
    const before = raised.layers.map(digestOfLayer)
    const writable = raised.layers.filter(({ upper }) => !this.#layersInUse.has(upper))
    for (const { upper } of writable) this.#layersInUse.add(upper)
    const going = { prepared, raised, reach }
    if (command.goesOn !== undefined && reach !== 'look') this.#goingOn.add(going)
    try {
      const containment = this.#containment(prepared, raised, reach)
      const deadline = reach === 'network' ? {} : noRetries
      const variables = { ...deadline, ...command.variables, ...raised.loan.variables, TMPDIR: '/tmp' }
      const ended = await runCommand({ ...command, variables, containment })
      const aside = reach === 'look' ? [] : settled(prepared, raised, reach)
      const layered = raised.layers.filter((layer, index) => digestOfLayer(layer) !== before[index] && !isEmpty(layer))
      const lent = prepared.surroundings.place.settings?.lend ?? []
      return { ...ended, setAside: aside, layered: layered.map(({ path }) => path), lent }
    } finally {
      this.#goingOn.delete(going)
      for (const { upper } of writable) this.#layersInUse.delete(upper)
    }
  }

  async #runOn(
    stage: WallsStage,
    command: WalledCommand,
    reach: Reach,
    prepared: Prepared,
  ): Promise<Omit<EndedWalledCommand, 'walls'>> {
    const raised = this.#raiseAround(stage, prepared, reach)
    try {
      const containment = this.#containment(prepared, raised, reach)
      const deadline = reach === 'network' ? {} : noRetries
      const variables = { ...deadline, ...command.variables, ...raised.loan.variables, TMPDIR: '/tmp' }
      return { ...(await runCommand({ ...command, variables, containment })), setAside: [], layered: [] }
    } finally {
      // The table of a stage is used once.
      rmSync(tableIn(prepared.surroundings.folders, raised.table), { force: true })
    }
  }

  async contain(reach: Reach, place: WallsPlace): Promise<Containment> {
    if (reach === 'open') return this.#options.outside
    const prepared = this.#prepare(place)
    return this.#containment(prepared, this.#raise(prepared, reach), reach)
  }

  loopbackOf(place: WallsPlace): string | undefined {
    return this.#prepare(place).loopback
  }

  shareLoopback(place: WallsPlace, mark: string): void {
    this.#prepare(place).loopback = mark
  }

  sweep(place: WallsPlace): readonly SetAside[] {
    return this.#sweep(this.#prepare(place))
  }

  #sweep(prepared: Prepared): readonly SetAside[] {
    const going = [...this.#goingOn].filter((each) => each.prepared === prepared)
    return going.flatMap(({ raised, reach }) => settled(prepared, raised, reach))
  }

  /** Makes sure that this process keeps the loopback of the session, also when the one that made it has ended. */
  async #holdLoopback(prepared: Prepared): Promise<void> {
    const { bubblewrap, nsenter } = this.#options
    if (nsenter === undefined || this.#holders.has(prepared)) return
    const { LoopbackHolder } = await import('./session-loopback.ts')
    const holder = await LoopbackHolder.start({ bubblewrap, nsenter }, prepared.surroundings.owner, prepared.loopback)
    // Without one, each command has a loopback of its own, as it has without commands that go on.
    if (typeof holder === 'string') return
    this.#holders.set(prepared, holder)
    prepared.loopback = holder.mark
  }

  layerOf(path: string, place: WallsPlace): string | undefined {
    return changesOver(path, this.#prepare(place).surroundings.folders.layers)
  }

  access(path: string, reach: Reach, place: WallsPlace): Access {
    if (reach === 'open') return { kind: 'writable', real: path }
    const prepared = this.#prepare(place)
    // Pipes, sockets and lent paths have mounts of their own, which only the full list contains.
    if (reach === 'network' || isPipeOrSocket(path)) {
      const raised = this.#raise(prepared, reach)
      const layered = raised.layers.map((layer) => layer.path)
      return accessIn({ ...raised, layered, root: prepared.surroundings.root }, path)
    }
    const caches = () => this.#caches(prepared.surroundings).cacheMounts
    const looked = accessUnder(mountsOver(path, prepared, caches), path)
    if (reach === 'look' || looked.kind === 'hidden') return looked
    return accessToWrite(path, prepared) ?? looked
  }

  forget(place: WallsPlace): void {
    const prepared = this.#prepared.get(keyOf(place))
    if (prepared !== undefined) this.#holders.get(prepared)?.end()
    this.#prepared.delete(keyOf(place))
    removeKept(place.session)
  }

  get #held(): readonly Guarantee[] {
    const { overlays, filters } = this.#options
    const lacks = (guarantee: Guarantee) =>
      (guarantee === 'packages-copy-on-write' && typeof overlays === 'string') ||
      (guarantee === 'calls-filtered' && typeof filters === 'string')
    return guarantees.filter((each) => !lacks(each))
  }

  #prepare(place: WallsPlace): Prepared {
    const key = keyOf(place)
    const known = this.#prepared.get(key)
    if (known !== undefined) return known
    const made = prepare(place)
    this.#prepared.set(key, made)
    return made
  }

  #raise(prepared: Prepared, reach: Reach, own?: string): RaisedHere {
    const { surroundings, around, after } = prepared
    const { root, owner, folders } = surroundings
    const { git, paths, found, guard } = lookAtGround(prepared, reach)
    const { overlays } = this.#options
    const use = reach === 'look' ? 'look' : 'change'
    const layers: Layer[] = []
    const plain: Mount[] = []
    for (const path of reach === 'network' ? [] : found.packages) {
      if (typeof overlays !== 'string' && canBeLayered(path)) layers.push(layerFor(path, { folders, owner, own }))
      else plain.push({ kind: 'guarded', path })
    }
    const { cacheMounts, caches } = this.#caches(surroundings, own)
    const loan = loanFor(reach, surroundings)
    const mounts = [
      ...around.filter(isStillThere),
      ...cacheMounts,
      ...loan.mounts,
      ...git.outside.map((path) => ({ kind: 'writable' as const, path })),
      { kind: 'writable' as const, path: root },
      // Where everything is read-only, no guards are needed.
      ...(reach === 'look' ? [] : [...guard.mounts, ...plain]),
      ...found.pipes
        .filter((path) => reach === 'look' || !prepared.pipes.has(path))
        .map((path) => ({ kind: 'refusing' as const, path })),
      ...after,
    ].map((mount): Mount => (reach === 'look' ? lookedAt(mount, cacheMounts) : mount))
    const isFree = ({ upper }: Layer) => !this.#layersInUse.has(upper)
    const table = [...layers, ...caches].map((layer) => tableLine(layer, isFree(layer) ? use : 'look')).join('')
    const overlaid = [...layers, ...caches].map(({ path }) => path)
    const raised = this.#sealed({ mounts, table, overlaid }, owner, folders)
    return { ...raised, loan, git, paths, found, guard, layers }
  }

  #raiseAround(stage: WallsStage, { surroundings, around, after }: Prepared, reach: Reach): Raised {
    const { root, owner, folders } = surroundings
    const { cacheMounts, caches } = this.#caches(surroundings)
    const loan = loanFor(reach, surroundings)
    const mounts: Mount[] = [
      ...around.filter(isStillThere),
      ...cacheMounts,
      ...loan.mounts,
      { kind: 'writable', path: root },
      ...after,
      ...stage.mounts,
    ]
    const table = stage.table + caches.map((layer) => tableLine(layer, 'change')).join('')
    const overlaid = [root, ...caches.map(({ path }) => path)]
    // Sockets inside of the workspace are not visible on the stage.
    const raised = this.#sealed({ mounts, table, overlaid }, owner, folders, (path) => !isWithin(root, path))
    return { ...raised, loan }
  }

  /** Keeps sockets of the machine out of reach: by overlays, and with single mounts where an overlay is impossible. */
  #sealed(
    { mounts, table, overlaid }: Unsealed,
    owner: CommandRights,
    folders: SessionFolders,
    isThere: (path: string) => boolean = () => true,
  ): Omit<Raised, 'loan'> {
    const { sealable } = this.#options
    const isSealable = (path: string) => sealable.some((folder) => isWithin(folder, path))
    // A path that is let in where nothing is hidden is there anyway; mounting it again would lift the seal.
    const needed = mounts.filter(
      ({ kind, path }, index) =>
        kind !== 'readonly' || !isSealable(path) || lastOver(mounts.slice(0, index), path) !== undefined,
    )
    const host = hostMounts()
    const seals = sealsOver(sealable, needed, { owner, folders, host })
    const shown = [...seals.mounts, ...needed]
    const all = [...shown, ...socketMasks(shown).filter(({ path }) => isThere(path))]
    // A separate table would cost more time than it saves.
    if (table === '' && seals.table === '') return { mounts: all, over: all, table: '' }
    const divided = divide(all, {
      host,
      overlaid,
      used: [folders.layers, folders.caches, folders.made],
      stands: folders,
    })
    return { mounts: all, over: divided.over, table: seals.table + divided.table + table }
  }

  /** The package caches of the user, with layers of the project over them. */
  #caches(
    { root, home, owner, folders }: WallsSurroundings,
    own?: string,
  ): {
    readonly cacheMounts: readonly Mount[]
    readonly caches: readonly Layer[]
  } {
    const { overlays } = this.#options
    const caches: Layer[] = []
    const cacheMounts: Mount[] = []
    for (const path of isWithin(root, home) ? [] : packageCaches.map((name) => join(home, name))) {
      if (statsOf(path)?.isDirectory() !== true) continue
      const shared = cacheOver(path, folders.caches, owner)
      const cache = own === undefined ? shared : { ...cacheOver(path, own, owner), above: shared.upper }
      if (typeof overlays !== 'string' && canBeLayered(path)) {
        caches.push(cache)
        cacheMounts.push({ kind: 'writable', path })
      } else cacheMounts.push({ kind: 'placed', path, from: cache.upper, access: 'writable' })
    }
    return { cacheMounts, caches }
  }

  #containment(prepared: Prepared, raised: Raised, reach: Reach): Containment {
    return { kind: 'namespace', launch: (inner) => this.#entered(prepared, raised, reach, inner) }
  }

  /** In the loopback of the session, if a command that goes on has made one that is still there. */
  #entered(prepared: Prepared, raised: Raised, reach: Reach, inner: Inner): Launch {
    const { nsenter } = this.#options
    const { surroundings, loopback } = prepared
    const { spacesFds } = inner
    const isShared = loopback !== undefined && reach !== 'network' && nsenter !== undefined && spacesFds !== undefined
    const spaces = isShared ? openSpaces(loopback) : undefined
    const launch = this.#launch(surroundings, raised, reach, inner, spaces === undefined ? 'own' : 'shared')
    if (!isShared || spaces === undefined) return launch
    const [program = nsenter, ...words] = enteringWords(nsenter, spacesFds)
    return { ...launch, spaces, program, arguments: [...words, launch.program, ...launch.arguments] }
  }

  #launch(
    { owner, place, folders }: WallsSurroundings,
    raised: Raised,
    reach: Reach,
    inner: Inner,
    loopback: 'own' | 'shared',
  ): Launch {
    const { bubblewrap, overlays, filters } = this.#options
    const { over, table } = raised
    const filter = typeof filters === 'string' ? undefined : filters[reach === 'network' ? 'shared' : 'none']
    const words = [
      ...'--unshare-user --unshare-pid --unshare-ipc --unshare-cgroup-try --die-with-parent --new-session'.split(' '),
      ...(reach === 'network' || loopback === 'shared' ? [] : ['--unshare-net']),
      ...(place.settings?.disableUserns === true ? ['--disable-userns'] : []),
      ...`--uid ${owner.uid} --gid ${owner.gid} --cap-drop ALL --ro-bind / / --dev /dev --proc /proc`.split(' '),
      ...mountArguments(over, folders),
      '--clearenv',
      ...Object.entries(inner.variables).flatMap(([name, value]) => ['--setenv', name, value]),
      ...(filter === undefined ? [] : ['--seccomp', `${inner.filterFd}`]),
    ].concat(['--chdir', inner.cwd, '--json-status-fd', `${inner.statusFd}`, '--'], inner.words)
    const launch = {
      cwd: '/',
      variables: {},
      ...(owner.isOther ? { owner } : {}),
      ...(filter === undefined ? {} : { filter }),
    }
    if (table === '' || typeof overlays === 'string') return { ...launch, program: bubblewrap, arguments: words }
    const tablePath = tableIn(folders, table)
    if (!existsSync(tablePath)) writeWhole(tablePath, table)
    const { unshare, mount } = overlays
    const script = '"$1" --all --fstab "$2" || exit 125; shift 2; exec "$@"'
    const flags = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, 'sh', mount, tablePath]
    return { ...launch, program: unshare, arguments: [...flags, bubblewrap, ...words] }
  }
}

/** The session's layer over a folder; with `own`, a layer above it, for one command. */
function layerFor(
  path: string,
  {
    folders,
    owner,
    own,
  }: { readonly folders: SessionFolders; readonly owner: CommandRights; readonly own?: string | undefined },
): Layer {
  const shared = layerOver(path, folders.layers, owner)
  return own === undefined ? shared : { ...layerOver(path, own, owner), above: shared.upper }
}

/** Cleans up after a command, and remembers what could not be set aside. */
function settled(prepared: Prepared, { git, paths, guard }: RaisedHere, reach: Reach): readonly SetAside[] {
  const { root, folders } = prepared.surroundings
  const { before } = guard
  const into = (packages: readonly string[]) =>
    packages.filter((path) => reach === 'network' || !before.packages.includes(path))
  using looked = new LookedAgain(guard, () => prepared.index.look(git, into))
  for (const path of looked.now.pipes) if (!before.pipes.includes(path)) prepared.pipes.add(path)
  const aside = setGuardedAside({
    root,
    git,
    guard,
    now: looked.now,
    paths,
    into: folders.setAside,
    left: prepared.left,
  })
  prepared.left = aside.flatMap(({ became, path }) => (became === 'stuck' ? path : []))
  return aside
}

function keyOf({ root, session, caches, settings, hidden, passVariables }: WallsPlace): string {
  return JSON.stringify([root, session, caches, settings, hidden, passVariables])
}

/** Attempts to put up walls, because sockets come and go meanwhile. */
const mostAttempts = 4
/** Without a network, retries only take time: npm alone would wait for more than a minute. */
const noRetries: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  pnpm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  // With no retries at all, pip does not report the cause.
  PIP_RETRIES: '1',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
}
const noLoan: Loan = { mounts: [], variables: {} }

function loanFor(reach: Reach, { place, home }: WallsSurroundings): Loan {
  return reach === 'network' ? loansOf(place.settings?.lend ?? [], home, place.variables ?? process.env) : noLoan
}

/** Writes a table to a file named by its content: most commands of a session share one. */
function tableIn({ made }: SessionFolders, table: string): string {
  return join(made, `mounts-${createHash('sha256').update(table).digest('hex').slice(0, 32)}`)
}

function writeWhole(path: string, text: string): void {
  const own = `${path}-${process.pid}`
  writeFileSync(own, text, { mode: 0o644 })
  renameSync(own, path)
}

/** Who looks writes nowhere but in caches: neither in the workspace nor in folders that settings make writable. */
function lookedAt(mount: Mount, caches: readonly Mount[]): Mount {
  return mount.kind === 'writable' && !caches.includes(mount) ? { kind: 'guarded', path: mount.path } : mount
}
