import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { CommandRequest, EndedCommand } from '../processes/run-command.ts'
import type { GuardSettings } from './guarded-names.ts'
import type { Lent } from './lending.ts'
import type { Access, Mount } from './mount.ts'

/** What walls can hold. Each has clauses in the contract suite. */
export const guarantees = [
  /** Nothing outside the workspace, its git folder, /tmp and the caches of the project can be written. */
  'files-outside-unwritable',
  /** A command that may only look changes no file at all. */
  'look-unwritable',
  /** What other programs run later without being asked cannot be changed, and does not stay when it is new. */
  'guarded-paths',
  /** The home folder, credentials and places that the user hides cannot be read. */
  'secrets-hidden',
  /** Nothing is sent or received but within the command, unless the reach says so. */
  'network-none',
  /** Sockets of services of this machine cannot be connected to. */
  'sockets-masked',
  /** All that a command started ends with it. */
  'processes-contained',
  /** Other processes and their environments are not seen. */
  'environment-unseen',
  /** /tmp belongs to the session. */
  'own-tmp',
  /** Rights cannot be gained, and mounts cannot be changed. */
  'rights-dropped',
  /** The kernel does nothing for a command past namespaces and mounts: keys, other sockets, files with rights of others. */
  'calls-filtered',
  /** Installed packages do not change for anybody else. */
  'packages-copy-on-write',
] as const

/** One thing that walls enforce, such as `network-none`. `docs/walls.md` of the repository lists them. */
export type Guarantee = (typeof guarantees)[number]

/** Whether this machine can enforce a reach, and what is missing. */
export type Available =
  | { readonly kind: 'some'; readonly guarantees: readonly Guarantee[]; readonly lacking: readonly string[] }
  /** `mend` is the command line that makes them possible on this system. */
  | { readonly kind: 'none'; readonly why: string; readonly mend: string | undefined }

/** What a command had made at a guarded place, and what became of it. */
export type SetAside =
  | { readonly became: 'kept'; readonly path: string; readonly keptAt: string }
  /** A pipe, a socket or a device, of which nothing can be kept on another file system. */
  | { readonly became: 'dropped'; readonly path: string }
  /** It is still there, or the link that was there is not. */
  | { readonly became: 'stuck'; readonly path: string; readonly why: string }

/** Where a command runs, and what the walls around it are made from. */
export interface WallsPlace {
  /** The workspace. */
  readonly root: string
  /** A folder of ours for this session: /tmp, layers over packages, and what was set aside. */
  readonly session: string
  /** A folder of ours for this project: its package caches. */
  readonly caches: string
  readonly settings?: WallsSettings | undefined
  /** Further folders of ours that commands must not see. */
  readonly hidden?: readonly string[] | undefined
  /** The environment of the user. Absent means that of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Names of variables that commands get besides those of the list. What they name is not hidden. */
  readonly passVariables?: readonly string[] | undefined
}

/** What a user can change about walls. Paths are absolute, or begin with `~/`. */
export interface WallsSettings extends GuardSettings {
  readonly readable?: readonly string[] | undefined
  readonly writable?: readonly string[] | undefined
  readonly lend?: readonly Lent[] | undefined
  /** Commands can make no namespaces of their own. It breaks Playwright and nested walls. */
  readonly disableUserns?: boolean | undefined
}

/**
 * What lies in the place of the workspace for one command. It is thrown away afterwards, so nothing in it has to be
 * guarded.
 */
export interface WallsStage {
  /** Lines of a table that `mount --all` reads, before the walls are put up around what is then there. */
  readonly table: string
  /** Put up within the walls, last of all. */
  readonly mounts: readonly Mount[]
}

/** A command without how it is contained, which the walls decide. */
export type WalledCommand = Omit<CommandRequest, 'containment'>

/** How a command within walls ended, and what the walls did to its changes. */
export interface EndedWalledCommand extends EndedCommand {
  readonly walls: WallsRecord
  /** What it had made at guarded paths, and where that is now. */
  readonly setAside: readonly SetAside[]
  /** Folders of packages that it changed for this session alone. */
  readonly layered: readonly string[]
  /** What the user lends to commands with the network. */
  readonly lent?: readonly Lent[]
}

/** What decides which files and networks a command can reach. The kernel enforces it; no word of the command is read. */
export interface Walls {
  available(): Promise<Available>
  /** What a command with this reach would run in. */
  recordFor(reach: Reach): Promise<WallsRecord>
  /** Runs a command to its end. What it must not leave behind is gone when this resolves. */
  start(command: WalledCommand, reach: Reach, place: WallsPlace, stage?: WallsStage): Promise<EndedWalledCommand>
  /** Where the changes to installed packages lie that commands of a session have made for themselves; undefined without any. */
  layerOf(path: string, place: WallsPlace): string | undefined
  /** Removes all that is kept of a session: its /tmp, layers over packages, and what was set aside. */
  forget(place: WallsPlace): void
  /**
   * What a command with this reach would find at a real path of this machine. Tools that read and write files themselves
   * ask, so that they obey the same walls.
   */
  access(path: string, reach: Reach, place: WallsPlace): Access
}
