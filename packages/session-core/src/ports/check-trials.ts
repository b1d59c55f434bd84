import type { Check } from '../words/goal.ts'
import type { BeforeTree, Experiment, PackageChange, RoomOutcome, TrialChanges } from '../words/trial.ts'
import type { WorkspaceTree } from '../words/observed.ts'
import type { Signal } from './environment.ts'
import type { CheckRun } from './workspace.ts'

/** The imports and named paths in one tree. */
export interface ImportView {
  /** The files whose imports are known, which are programs. All others are treated as data. */
  readonly files: ReadonlySet<string>
  importers(path: string): ReadonlySet<string>
  /** The files that name it, or a folder that it lies in. */
  namers(path: string): ReadonlySet<string>
}

/** A path that differs between two trees, with the facts needed to judge checks. */
export interface ChangedPath {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
  /** For a link: its target, relative to the project. */
  readonly target?: string
  /** For a file with keys: those that differ, and whether they steer checks. */
  readonly keys?: readonly { readonly key: string; readonly steersChecks: boolean }[]
}

/** The kind of a file according to a runner's patterns. `mixed`: it contains product code and tests. */
export type TestKind = 'test' | 'mixed' | 'none'

/** The facts that distinguish files of checks from files of the product. */
export interface AsideView {
  /** B, the tree before the work. */
  readonly before: ImportView
  /** N, the tree now. */
  readonly now: ImportView
  testKind(path: string): TestKind
  isSnapshot(path: string): boolean
  /** Whether it is a program in the language of one of the project's runners, even if its imports are unknown. */
  isSource(path: string): boolean
  /** Whether a test is named after it, by the runner's conventions. Asked only if no import graph knows the program. */
  hasOwnTest(path: string): boolean
  /** Files that runners load, automatically or by settings, in B or in N, with everything that these extend or name. */
  readonly settings: ReadonlySet<string>
  /** Files that the command of a check, or a manifest's script for checks, names. */
  readonly scripts: ReadonlySet<string>
  /**
   * The scripts among them whose imports and data also count as part of the check. Never a manifest, because it names
   * all kinds of files.
   */
  readonly leads: ReadonlySet<string>
  /**
   * Files that a manifest names as an entry, and those that another command examines: `app.js` in `node app.js | grep
   * 42`.
   */
  readonly programs: ReadonlySet<string>
  /** Whether the user protects it. */
  isProtected(path: string): boolean
}

/** The common input of all trials at one moment. */
export interface TrialGround {
  /** B as one tree. */
  readonly before: string
  readonly now: string
  /** The inventories of installed packages for B and now; absent where there is none. */
  readonly packagesBefore?: string | undefined
  readonly packagesNow?: string | undefined
  /** The kept ignored files for B and now; absent where they were not kept. */
  readonly ignoredBefore?: string | undefined
  readonly ignoredNow?: string | undefined
  /** The session whose rooms may have their own installed packages. */
  readonly session?: string | undefined
}

/** What the run of a check in the room `now` has shown about the files of the check. */
export interface TrialSurvey {
  readonly changes: readonly ChangedPath[]
  readonly view: AsideView
  readonly isInBefore: boolean
  /** New files that the command of the check, or a script that it leads to, names; not those that another command examines. */
  readonly running: ReadonlySet<string>
  /** Whether a known runner reported tests by name. */
  readonly namesTests: boolean
  readonly ignored: readonly string[]
  readonly packages: readonly Omit<PackageChange, 'byInstall'>[]
  /** Those of the paths in which a comment that silences this check was added. */
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
  /** The result is from an earlier run on the same tree in the same environment. */
  readonly isKept: boolean
  readonly durationMs: number
}

/** How a run in a room is cancelled and followed. */
export interface RoomOptions {
  readonly signal?: Signal | undefined
  onOutput?(chunk: string): void
}

/** The stored state of what is beside a tree. */
export type BesideTree = Pick<WorkspaceTree, 'inventory' | 'ignored' | 'caches' | 'since'>

/** Names of the differences, sorted, by place. */
export interface BesideChanges {
  /** Ignored files, and cache folders of programs. */
  readonly ignored: readonly string[]
  readonly packages: readonly string[]
  /** Files of installed packages in the private layers of the session. */
  readonly session: readonly string[]
  /** Places that could not be read at one of the two times. */
  readonly notLooked: readonly ('ignored' | 'packages')[]
}

/**
 * Runs a check in rooms that each differ in one thing. It reports what it saw; the verdicts are decided in workflow.
 */
export interface CheckTrials {
  /** B as one tree. */
  made(before: BeforeTree): Promise<string>
  /** Stores the current state of what is in no tree, for later comparison. Parts that cannot be stored are absent. */
  lookBeside(options?: { readonly signal?: Signal }): Promise<BesideTree>
  /** The differences between an earlier state and the latest one. */
  besideChanges(from: BesideTree, to: BesideTree, options?: { readonly session?: string }): Promise<BesideChanges>
  /** Kept ignored files, with the difference between two later states applied. */
  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }): Promise<string>
  /** An id of all currently installed packages, for later comparison. */
  packages(options?: { readonly signal?: Signal }): Promise<string | undefined>
  /** Keeps the current ignored files; undefined when that is not possible. */
  keepIgnored(options?: { readonly signal?: Signal }): Promise<string | undefined>
  /** A digest of everything but the tree that a check can see. */
  environment(ground: TrialGround): Promise<string>
  /** Only the room `now` can be run without changes; all others need those found by its survey. */
  run(
    check: Check,
    experiment: Experiment,
    ground: TrialGround & { readonly changed?: TrialChanges; readonly told?: string },
    options?: RoomOptions,
  ): Promise<RoomRun>
  /** Finds what the check consists of, and what has changed. `told` is that of its run in the room `now`. */
  survey(
    check: Check,
    ground: TrialGround & { readonly told: string },
    options?: { readonly protect?: readonly string[]; readonly signal?: Signal | undefined },
  ): Promise<TrialSurvey>
}
