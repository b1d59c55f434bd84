import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { Signal } from '@loader/session-core'
import type { KeptOutput, OutputCap } from '../processes/kept-output.ts'
import type { CommandEnding } from '../processes/run-command.ts'
import type { LoneCanary } from '../runners/write-kit.ts'

/** What a room is made of. All paths are relative to the workspace, with forward slashes. */
export interface RoomOf {
  /** The id of a tree of the workspace, or of a mix of trees. */
  readonly tree: string
  /** Texts laid over the tree for this run; null removes a file or a folder. */
  readonly over?: ReadonlyMap<string, string | null>
  readonly ignored: IgnoredFiles
  readonly packages: InstalledPackages
}

/** The files that no tree holds because the project's rules ignore them; installed packages are separate. */
export type IgnoredFiles =
  /** As they are in the workspace when the room is made. */
  | { readonly kind: 'now' }
  /** As kept earlier by `keepIgnored`. */
  | { readonly kind: 'kept'; readonly id: string }
  | { readonly kind: 'none' }

/** Which installed packages a room has. */
export type InstalledPackages =
  /** As they are in the workspace. */
  | { readonly kind: 'installed' }
  /** With the changes that commands of this session have made in their private layers. */
  | { readonly kind: 'layered'; readonly session: string }

/** A command to run in a room. */
export interface RoomCommand {
  readonly command: string
  /** Relative to the workspace. Absent means the workspace. */
  readonly cwd?: string
  /** In addition to the variables that every command gets. */
  readonly variables?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly reach: Extract<Reach, 'work' | 'network'>
  readonly cap?: OutputCap
  readonly signal?: Signal | undefined
  readonly onOutput?: ((chunk: string) => void) | undefined
  /** Makes known test runners report results by test name. Paths of the canary are those of the workspace. */
  readonly runners?: { readonly canary?: LoneCanary }
}

/** The result of a command in a room. */
export interface RoomCommandRun {
  readonly how: HowRoom
  readonly ending: CommandEnding
  readonly output: KeptOutput
  readonly durationMs: number
  /** The command had left processes running, which were ended as well. */
  readonly leftRunning: boolean
  /** The reports of the runners, by file name; read them with `readReport`. */
  readonly reports: ReadonlyMap<string, Uint8Array>
  /** Files of its tree that the command has changed or removed, sorted; if there are many, only some. */
  readonly rewritten: readonly string[]
  /** What the changed ones hold now, as `digestOfFile` of their bytes; without those that are large or no files. */
  readonly digests: ReadonlyMap<string, string>
  readonly walls: WallsRecord
  /** What the walls kept from the command, in a sentence each. */
  readonly withheld: readonly string[]
}

/** How the room was made; `none` when it was not, because it lacks the folder to run the command in. */
export type HowRoom = MadeRoom | { readonly kind: 'none' }

export type MadeRoom =
  /** Mounted at the path of the workspace. */
  | { readonly kind: 'overlay'; readonly at: string }
  /** A copy of the files. Without walls it lies elsewhere: `at` is then not the path of the workspace. */
  | { readonly kind: 'copy'; readonly at: string; readonly why: string }

/** A copy of the files that no tree contains, for rooms at an earlier moment. */
export interface KeptIgnored {
  readonly kind: 'kept'
  readonly id: string
  /** What was too large to keep. Rooms get it from the workspace while it is unchanged there, otherwise not at all. */
  readonly without: readonly string[]
}

/** A file that no tree contains and that differs between two moments. */
export interface IgnoredChange {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
}

/**
 * Runs commands on any tree of the workspace, without touching the workspace.
 *
 * 1. What a command changes in its room is removed when its run is reported; after our own death, by the next start.
 * 2. A room sees no other room, and of the workspace only what was requested for it.
 * 3. With walls, a room is at the path of the workspace.
 */
export interface Rooms extends AsyncDisposable {
  run(room: RoomOf, command: RoomCommand): Promise<RoomCommandRun>
  /** Keeps the current ignored files, so that rooms can use them later. Pass the id to `LocalTrees.prune` as well. */
  keepIgnored(options?: {
    readonly signal?: Signal
  }): Promise<KeptIgnored | { readonly kind: 'refused'; readonly why: string }>
  /** The differences between two kept sets. For what was too large, it is only known whether it changed. */
  ignoredChanges(from: string, to: string): Promise<readonly IgnoredChange[]>
  /** Kept files with the difference between two other kept sets applied. */
  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }): Promise<string>
  /** Folders of installed packages that the session has changed in its private layers, with the path of each layer. */
  layers(session: string, options?: { readonly signal?: Signal | undefined }): Promise<ReadonlyMap<string, string>>
  /** The ignored caches of programs. Rooms never have them. */
  caches(options?: { readonly signal?: Signal | undefined }): Promise<readonly string[]>
  /** Removes the rooms of processes that are gone. The first run does so, too. */
  sweep(): Promise<void>
}
