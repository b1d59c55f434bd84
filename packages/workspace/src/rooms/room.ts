import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { Signal } from '@loader/session-core'
import type { KeptOutput, OutputCap } from '../processes/kept-output.ts'
import type { CommandEnding } from '../processes/run-command.ts'
import type { LoneCanary } from '../runners/write-kit.ts'

/** What a room is made of. All paths are relative to the workspace, with forward slashes. */
export interface RoomOf {
  /** The id of a tree of the workspace. A mix is one, too. */
  readonly tree: string
  /** Texts that lie over the tree for this run; null takes a file or a folder away. */
  readonly over?: ReadonlyMap<string, string | null>
  readonly ignored: IgnoredFiles
  readonly packages: InstalledPackages
}

/** Files that no tree holds because rules of the project ignore them; installed packages are not among them. */
export type IgnoredFiles =
  /** As they lie in the workspace when the room is made. */
  | { readonly kind: 'now' }
  /** As `keepIgnored` has kept them. */
  | { readonly kind: 'kept'; readonly id: string }
  | { readonly kind: 'none' }

/** Which installed packages a room has. */
export type InstalledPackages =
  /** As they lie in the workspace. */
  | { readonly kind: 'installed' }
  /** With the changes that commands of this session have made for themselves. */
  | { readonly kind: 'layered'; readonly session: string }

/** A command to run in a room. */
export interface RoomCommand {
  readonly command: string
  /** Relative to the workspace. Absent means the workspace. */
  readonly cwd?: string
  /** Besides those of every command. */
  readonly variables?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly reach: Extract<Reach, 'work' | 'network'>
  readonly cap?: OutputCap
  readonly signal?: Signal | undefined
  readonly onOutput?: ((chunk: string) => void) | undefined
  /** Makes the runners that we know report by name of test. Paths of the canary are those of the workspace. */
  readonly runners?: { readonly canary?: LoneCanary }
}

/** What a command in a room came to. */
export interface RoomCommandRun {
  readonly how: HowRoom
  readonly ending: CommandEnding
  readonly output: KeptOutput
  readonly durationMs: number
  /** It had left something running, which was ended as well. */
  readonly leftRunning: boolean
  /** What runners have reported, by the name of the file; to be read with `readReport`. */
  readonly reports: ReadonlyMap<string, Uint8Array>
  /** Files of its tree that the command has changed or taken away, sorted; of many, some. */
  readonly rewritten: readonly string[]
  readonly walls: WallsRecord
  /** What the walls kept from the command, in a sentence each. */
  readonly withheld: readonly string[]
}

/** How a room was made; `none` when it was not, because it has no folder to run the command in. */
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
  /** What was too large. Rooms have it as it lies in the workspace while it looks unchanged there, and not at all otherwise. */
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
 * 1. What a command changes in its room is gone when its run has been told, also after our own death: the next start
 *    removes it.
 * 2. No room sees another one, nor what lies in the workspace beyond what it was asked to have.
 * 3. Where walls hold, a room is at the path of the workspace.
 */
export interface Rooms extends AsyncDisposable {
  run(room: RoomOf, command: RoomCommand): Promise<RoomCommandRun>
  /** Keeps the ignored files as they are now, so that rooms can have them later. The id is for `LocalTrees.prune`, too. */
  keepIgnored(options?: {
    readonly signal?: Signal
  }): Promise<KeptIgnored | { readonly kind: 'refused'; readonly why: string }>
  /** What differs between two that were kept. Of what was too large it is known whether it looks different. */
  ignoredChanges(from: string, to: string): Promise<readonly IgnoredChange[]>
  /** What was kept, with what differs between two others. */
  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }): Promise<string>
  /** Folders of installed packages that commands of the session have changed for themselves, with where their changes lie. */
  layers(session: string, options?: { readonly signal?: Signal | undefined }): Promise<ReadonlyMap<string, string>>
  /** Ignored folders of what programs keep to save time. No room has them. */
  caches(options?: { readonly signal?: Signal | undefined }): Promise<readonly string[]>
  /** Removes rooms whose processes are gone. The first run does so, too. */
  sweep(): Promise<void>
}
