import type * as z from 'zod/mini'
import type { FileIntent } from '../events/calls.ts'
import type { Check, Evidence, ProjectFacts } from '../words/goal.ts'
import type { Immutable } from '../words/immutable.ts'
import type { Grounding, LeftOut, SeenPath, WorkspaceTree } from '../words/observed.ts'
import type { FolderPlace, SavedFiles } from '../words/saved-files.ts'
import type { CheckTrials } from './check-trials.ts'
import type { Signal } from './environment.ts'

/** The result of a check run, before the runtime binds it to a goal. */
export type CheckRun = Pick<
  Evidence,
  'outcome' | 'exitCode' | 'signal' | 'output' | 'outputDigest' | 'startedAt' | 'finishedAt'
>

/** A file that a call writes. */
export type WrittenFile = Immutable<z.infer<typeof FileIntent>>

/** The result for one path of a restore. */
export interface RestoredFile {
  readonly path: string
  readonly outcome: 'restored' | 'kept'
  /** Why it was not changed. */
  readonly reason?: string
}

/** A tree of the workspace, or why there is none. */
export type TreeTaken =
  | { readonly kind: 'taken'; readonly tree: WorkspaceTree }
  | { readonly kind: 'refused'; readonly why: string }

/** One path that differs between two trees. */
export interface TreeChange {
  /** Relative to the root, with forward slashes; bytes that are not UTF-8 are written as `\\xff`. */
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'mode' | 'type'
}

/** What restoring an older tree does to a path, or why it is left unchanged. */
export type RestoreStep =
  | { readonly path: string; readonly action: 'write' | 'remove' | 'make_folder' | 'remove_folder' }
  | { readonly path: string; readonly action: 'keep'; readonly reason: string }

/** The identity of a tree: its id, and that of the list of what it leaves out. */
export type KeptTree = Pick<WorkspaceTree, 'id' | 'rest'>

/** A period between two trees. */
export interface TreeSpan {
  readonly before: KeptTree
  readonly after: KeptTree
}

/** A tree from which the changes of some turns were removed; the target of a rewind. */
export interface TreeWithout {
  readonly tree: KeptTree
  /** Paths that others changed meanwhile: they are restored no further than to that change. */
  readonly torn: readonly string[]
}

/** The effect of restoring a tree, path by path. Show it before `restore` carries it out. */
export interface RestorePlan {
  /** The tree in which the paths must be as they are now. A path that differs was changed since and is kept. */
  readonly from: KeptTree
  /** The tree that the paths go back to. */
  readonly to: KeptTree
  readonly steps: readonly RestoreStep[]
}

/**
 * The files of the workspace over time, each moment a git tree in a repository that is not the user's. Every tree id
 * names the same files for ever, as long as the tree is kept.
 */
export interface WorkspaceTrees {
  take(options?: { readonly signal?: Signal }): Promise<TreeTaken>
  /**
   * The id of an inventory of installed packages and nested repositories, which no tree holds. Undefined when it could not
   * be taken.
   */
  takeInventory(options?: { readonly signal?: Signal }): Promise<string | undefined>
  /** Id of the content by path, of every file of a tree. */
  files(tree: string): Promise<ReadonlyMap<string, string>>
  /** Paths that differ, sorted by their bytes. */
  changes(from: string, to: string): Promise<readonly TreeChange[]>
  /** The number of changed lines by path. Binary files are left out. */
  lines(from: string, to: string): Promise<ReadonlyMap<string, { readonly added: number; readonly removed: number }>>
  /** The same as a text for people, in the format of `git diff`. */
  patch(from: string, to: string, options?: { readonly paths?: readonly string[] }): Promise<string>
  /**
   * The tree after the last of these periods, which must be in order, without the changes made in any of them. Changes
   * made between them stay.
   */
  without(spans: readonly [TreeSpan, ...TreeSpan[]]): Promise<TreeWithout>
  /** The changes needed to go from `from` back to `to`. Makes none of them. */
  planRestore(from: KeptTree, to: KeptTree, options?: { readonly paths?: readonly string[] }): Promise<RestorePlan>
  /** Carries out the plan. A path that has changed since the plan was made is kept. */
  restore(plan: RestorePlan): Promise<readonly RestoredFile[]>
  /** Absent where trees stay on this machine. */
  readonly packs?: WorkspacePacks
}

/** Makes what other machines need to have the same files. */
export interface WorkspacePacks {
  /** This folder on this machine. The same each time, as long as its trees are kept. */
  place(): Promise<FolderPlace>
  /** Packs a tree that was just taken, without what was saved before. */
  pack(tree: WorkspaceTree, options: PackOptions): Promise<PackTaken>
  /** Which of these are in no tree and not here: what was left out where a session comes from. */
  missing(leftOut: readonly LeftOut[]): Promise<readonly LeftOut[]>
}

/** What a pack can leave out, and what it takes along. */
export interface PackOptions {
  /** What was saved last. A pack that cannot be made without it holds everything. */
  readonly since?: SavedFiles | undefined
  /** Patterns of ignored files that go along. */
  readonly carry: readonly string[]
}

/** A pack, or why there is none. `same`: everything was saved already. */
export type PackTaken =
  | {
      readonly kind: 'packed'
      readonly saved: SavedFiles
      readonly pieces: readonly string[]
      readonly history?: PackedHistory
    }
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly why: string }

/** A pack of commits of the project, in base64. */
export interface PackedHistory {
  readonly since: readonly string[]
  readonly bytes: number
  readonly pieces: readonly string[]
}

/** The folder that the work is about. */
export interface Workspace {
  readonly root: string
  /** Absent for a workspace without a folder for trees. */
  readonly trees?: WorkspaceTrees
  /** Runs checks in rooms. Absent without trees or rooms. */
  readonly trials?: CheckTrials
  /** What kind of project it is, and its commands. */
  facts(): Promise<ProjectFacts>
  /** Which of these paths exist. Paths outside the workspace are not checked and count as absent. */
  look(paths: readonly string[]): Promise<readonly SeenPath[]>
  /** A quick, bounded look for the files that a task names. */
  ground(task: string): Promise<Grounding>
  /** Instruction files from the root down to the current folder, outermost first. */
  instructions(): Promise<readonly { readonly path: string; readonly text: string }[]>
  runCheck(check: Check, options?: { readonly signal?: Signal; onOutput?(chunk: string): void }): Promise<CheckRun>
}
