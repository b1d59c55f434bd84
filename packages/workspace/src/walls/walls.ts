import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { Containment } from '../processes/containment.ts'
import type { CommandRequest, EndedCommand } from '../processes/run-command.ts'
import type { GuardSettings } from './guarded-names.ts'
import type { Lent } from './lending.ts'
import type { Access, Mount } from './mount.ts'

/** The guarantees that walls can give. Each has clauses in the contract suite. */
export const guarantees = [
  /** Nothing outside the workspace, its git folder, /tmp and the caches of the project can be written. */
  'files-outside-unwritable',
  /** A command that may only look changes no file at all. */
  'look-unwritable',
  /** Files that other programs run later without being asked cannot be changed, and new ones do not stay. */
  'guarded-paths',
  /** The home folder, credentials and places that the user hides cannot be read. */
  'secrets-hidden',
  /** Without the network reach, the command can communicate only with its own processes. */
  'network-none',
  /** Sockets of services of this machine cannot be connected to. */
  'sockets-masked',
  /** All processes that a command started end with it. */
  'processes-contained',
  /** Other processes and their environments are invisible. */
  'environment-unseen',
  /** /tmp belongs to the session. */
  'own-tmp',
  /** Commands cannot gain rights or change mounts. */
  'rights-dropped',
  /** The kernel performs no call that bypasses namespaces and mounts: keys, other sockets, setuid files. */
  'calls-filtered',
  /** Changes to installed packages are visible only in this session. */
  'packages-copy-on-write',
] as const

/** One thing that walls enforce, such as `network-none`. `docs/walls.md` of the repository lists them. */
export type Guarantee = (typeof guarantees)[number]

/** Whether this machine can enforce a reach, and what is missing if not. */
export type Available =
  | { readonly kind: 'some'; readonly guarantees: readonly Guarantee[]; readonly lacking: readonly string[] }
  /** `mend`: the shell command that makes walls possible on this system. */
  | { readonly kind: 'none'; readonly why: string; readonly mend: string | undefined }

/** An entry that a command had made at a guarded place, and what became of it. */
export type SetAside =
  | { readonly became: 'kept'; readonly path: string; readonly keptAt: string }
  /** A pipe, a socket or a device, which cannot be moved to another file system. */
  | { readonly became: 'dropped'; readonly path: string }
  /** The entry is still there, or a link that was there is still missing. */
  | { readonly became: 'stuck'; readonly path: string; readonly why: string }

/** The folders of a command, and the input for the walls around it. */
export interface WallsPlace {
  /** The workspace. */
  readonly root: string
  /** A private folder for this session: /tmp, layers over packages, and entries that were set aside. */
  readonly session: string
  /** A private folder for this project: its package caches. */
  readonly caches: string
  readonly settings?: WallsSettings | undefined
  /** Further private folders that commands must not see. */
  readonly hidden?: readonly string[] | undefined
  /** The environment of the user. Absent means that of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Variables that commands get in addition to the standard list. The paths that they name are not hidden. */
  readonly passVariables?: readonly string[] | undefined
}

/** What a user can change about walls. Paths are absolute, or begin with `~/`. */
export interface WallsSettings extends GuardSettings {
  readonly readable?: readonly string[] | undefined
  readonly writable?: readonly string[] | undefined
  readonly lend?: readonly Lent[] | undefined
  /** Prevents commands from making their own namespaces. Breaks Playwright and nested walls. */
  readonly disableUserns?: boolean | undefined
}

/** A replacement for the workspace during one command. It is thrown away afterwards, so it needs no guards. */
export interface WallsStage {
  /** Lines for the `mount --all` table, which is applied before the walls are put up. */
  readonly table: string
  /** Mounted inside of the walls, after all others. */
  readonly mounts: readonly Mount[]
}

/** A command without how it is contained, which the walls decide. */
export type WalledCommand = Omit<CommandRequest, 'containment'> & {
  /**
   * It goes on while other commands run. Its changes to packages go to this folder of its own, and what it makes at guarded
   * paths is set aside while it runs too.
   */
  readonly goesOn?: { readonly layers: string } | undefined
}

/** How a command within walls ended, and what the walls did to its changes. */
export interface EndedWalledCommand extends EndedCommand {
  readonly walls: WallsRecord
  /** What it had made at guarded paths, and what became of each. */
  readonly setAside: readonly SetAside[]
  /** Folders of packages that it changed for this session only. */
  readonly layered: readonly string[]
  /** What the user lends to commands with the network. */
  readonly lent?: readonly Lent[]
}

/**
 * Decides which files and networks a command can reach. The kernel enforces it; the text of the command is not read.
 */
export interface Walls {
  available(): Promise<Available>
  /** The record of what a command with this reach would run in. */
  recordFor(reach: Reach): Promise<WallsRecord>
  /** Runs a command to its end. Forbidden leftovers are removed when this resolves. */
  start(command: WalledCommand, reach: Reach, place: WallsPlace, stage?: WallsStage): Promise<EndedWalledCommand>
  /**
   * The walls for a process that stays, which the caller starts and ends. Nothing is set aside after it, so the root of
   * the place must be a private folder: of the user's files it can change those alone that the settings make writable.
   */
  contain(reach: Reach, place: WallsPlace): Promise<Containment>
  /** The path of the session's changes to a folder of installed packages; undefined if there are none. */
  layerOf(path: string, place: WallsPlace): string | undefined
  /**
   * The process that keeps the loopback which commands of a session share, by its mark. Undefined where they share none, which
   * is so until a command goes on.
   */
  loopbackOf?(place: WallsPlace): string | undefined
  /** From now on, commands of the session share the loopback that this process keeps. */
  shareLoopback?(place: WallsPlace, mark: string): void
  /** Sets aside what commands that go on have made at guarded paths so far. */
  sweep?(place: WallsPlace): readonly SetAside[]
  /** Removes all that is kept of a session: its /tmp, layers over packages, and entries that were set aside. */
  forget(place: WallsPlace): void
  /**
   * What a command with this reach would find at a real path of this machine. Tools that read and write files
   * themselves ask, so that they obey the same walls.
   */
  access(path: string, reach: Reach, place: WallsPlace): Access
}
