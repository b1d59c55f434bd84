import type { Check } from '../words/goal.ts'
import type { BeforeTree, Experiment, PackageChange, RoomOutcome, TrialChanges } from '../words/trial.ts'
import type { WorkspaceTree } from '../words/observed.ts'
import type { Signal } from './environment.ts'
import type { CheckRun } from './workspace.ts'

/** What imports and names what in one tree. */
export interface ImportView {
  /** The files whose imports are known, which are programs. All others are treated as data. */
  readonly files: ReadonlySet<string>
  importers(path: string): ReadonlySet<string>
  /** The files that name it, or a folder that it lies in. */
  namers(path: string): ReadonlySet<string>
}

/** A path that differs between two trees, with what a judgement of checks needs to know about it. */
export interface ChangedPath {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
  /** Of a link: what it leads to, relative to the project. */
  readonly target?: string
  /** Of a file that has keys: those that differ, and whether they steer checks. */
  readonly keys?: readonly { readonly key: string; readonly steersChecks: boolean }[]
}

/** What a runner says of its own tests. `mixed`: the file holds product and tests. */
export type TestKind = 'test' | 'mixed' | 'none'

/** What has to be known to tell what checks are made of from the product. */
export interface AsideView {
  /** B. */
  readonly before: ImportView
  /** N. */
  readonly now: ImportView
  testKind(path: string): TestKind
  isSnapshot(path: string): boolean
  /** A program in the language of one of the project's runners, also where no graph knows its imports. */
  isSource(path: string): boolean
  /** A test is named after it, as the runner names tests. Asked only where no program is known. */
  hasOwnTest(path: string): boolean
  /** What runners load, asked or unasked, in B or in N, with all that it extends or names. */
  readonly settings: ReadonlySet<string>
  /** Files that the command of a check, or a manifest's script for checks, names. */
  readonly scripts: ReadonlySet<string>
  /**
   * The scripts among them whose imports and data also count as part of the check. Never a manifest, because it names
   * all kinds of files.
   */
  readonly leads: ReadonlySet<string>
  /** Files that a manifest names as an entry, and those that another command judges: `app.js` in `node app.js | grep 42`. */
  readonly programs: ReadonlySet<string>
  /** The user protects it. */
  isProtected(path: string): boolean
}

/** Where trials of one moment begin. */
export interface TrialGround {
  /** B as one tree. */
  readonly before: string
  readonly now: string
  /** Inventories of installed packages, with B and now; absent where there is none. */
  readonly packagesBefore?: string | undefined
  readonly packagesNow?: string | undefined
  /** Ignored files, as they were with B and as they are now; absent where they are not kept. */
  readonly ignoredBefore?: string | undefined
  readonly ignoredNow?: string | undefined
  /** The session whose rooms may have their own installed packages. */
  readonly session?: string | undefined
}

/** What the run of a check in the room `now` has shown about what it is made of. */
export interface TrialSurvey {
  readonly changes: readonly ChangedPath[]
  readonly view: AsideView
  readonly isInBefore: boolean
  /** Tests were named by a runner that is known. */
  readonly namesTests: boolean
  readonly ignored: readonly string[]
  readonly packages: readonly Omit<PackageChange, 'byInstall'>[]
  /** Those of the paths to which a comment was added that silences this check. */
  suppressed(product: readonly string[]): readonly string[]
}

/** One run of a check in a room. */
export interface RoomRun {
  readonly outcome: RoomOutcome
  /** The run, in the form shown to people; absent when the check was not run. */
  readonly run?: (CheckRun & { readonly output: string }) | undefined
  /** The tree that the room was made of. */
  readonly tree: string
  /** What the test runners reported about themselves. Opaque: only `survey` reads it. */
  readonly told: string
  /** It was run before, on the same tree and in the same environment, and was not run again. */
  readonly isKept: boolean
  readonly durationMs: number
}

/** How one run in a room is cancelled and followed. */
export interface RoomOptions {
  readonly signal?: Signal | undefined
  onOutput?(chunk: string): void
}

/** Beside a tree: what it does not hold. */
export type BesideTree = Pick<WorkspaceTree, 'inventory' | 'ignored' | 'caches' | 'since'>

/** Names of what differs, sorted, by where it lies. */
export interface BesideChanges {
  /** Ignored files, and folders of what programs keep to save time. */
  readonly ignored: readonly string[]
  readonly packages: readonly string[]
  /** Files among installed packages, as only the commands of the session see them. */
  readonly session: readonly string[]
  /** Places that could not be looked at, at one time or the other. */
  readonly notLooked: readonly ('ignored' | 'packages')[]
}

/**
 * Runs a check in rooms that each differ in one thing. It reports what it saw; the verdicts are decided in workflow.
 */
export interface CheckTrials {
  /** B as one tree. */
  made(before: BeforeTree): Promise<string>
  /** What lies in the workspace and in no tree, as it is now, to be compared later. What cannot be kept is absent. */
  lookBeside(options?: { readonly signal?: Signal }): Promise<BesideTree>
  /** What differs between an earlier look and the latest one. */
  besideChanges(from: BesideTree, to: BesideTree, options?: { readonly session?: string }): Promise<BesideChanges>
  /** What was kept of ignored files, with what differs between two later looks at them. */
  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }): Promise<string>
  /** An id of all installed packages as they are now, to be compared later. */
  packages(options?: { readonly signal?: Signal }): Promise<string | undefined>
  /** Keeps the ignored files as they are now; undefined when that is not possible. */
  keepIgnored(options?: { readonly signal?: Signal }): Promise<string | undefined>
  /** What else than the tree a check can see, as one digest. */
  environment(ground: TrialGround): Promise<string>
  /** The room `now` needs no changes; all others do, as the survey of `now` and its sorting told them. */
  run(
    check: Check,
    experiment: Experiment,
    ground: TrialGround & { readonly changed?: TrialChanges; readonly told?: string },
    options?: RoomOptions,
  ): Promise<RoomRun>
  /** What the check is made of, and what has changed. `told` is that of its run in the room `now`. */
  survey(
    check: Check,
    ground: TrialGround & { readonly told: string },
    options?: { readonly protect?: readonly string[]; readonly signal?: Signal | undefined },
  ): Promise<TrialSurvey>
}
