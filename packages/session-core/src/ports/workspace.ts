import type * as z from 'zod'
import type { FileIntent } from '../events/calls.ts'
import type { Check, Evidence, ProjectFacts } from '../words/goal.ts'
import type { Immutable } from '../words/immutable.ts'
import type { Grounding, SeenPath } from '../words/observed.ts'
import type { Signal } from './environment.ts'
import type { BlobStore } from './store.ts'

/** What a check run showed, before the runtime binds it to a goal. */
export type CheckRun = Pick<
  Evidence,
  'outcome' | 'exitCode' | 'signal' | 'output' | 'outputDigest' | 'startedAt' | 'finishedAt'
>

/** Every file that counts, at one moment. */
export interface WorkspaceSnapshot {
  /** Stands for path, mode and content of all of them. */
  readonly fingerprint: string
  /**
   * By path, relative to the root and with forward slashes: mode and hash of the content, such as `0644:9f86…`. Of a
   * manifest, a second hash may follow behind a colon, of the part that steers checks.
   */
  readonly files: ReadonlyMap<string, string>
}

/** A file that a call of this session has written, to be as it was before. */
export type WrittenFile = Immutable<z.infer<typeof FileIntent>>

export interface RestoredFile {
  readonly path: string
  readonly outcome: 'restored' | 'kept'
  /** Why it was left alone. */
  readonly reason?: string
}

/** The folder that the work is about. */
export interface Workspace {
  readonly root: string
  /** What kind of project it is, and its commands. */
  facts(): Promise<ProjectFacts>
  /** Tracked files and those that are not ignored; never `.loader/`. */
  snapshot(options?: { readonly signal?: Signal }): Promise<WorkspaceSnapshot>
  /** Which of these are there. Paths outside the workspace are not looked at and count as absent. */
  look(paths: readonly string[]): Promise<readonly SeenPath[]>
  /** A short, bounded look at what the words of a task point to. */
  ground(task: string): Promise<Grounding>
  /** Instruction files from the root down to the folder at hand, outermost first. */
  instructions(): Promise<readonly { readonly path: string; readonly text: string }[]>
  runCheck(check: Check, options?: { readonly signal?: Signal; onOutput?(chunk: string): void }): Promise<CheckRun>
  /** Takes the changes back, the latest first, each only where the file is still as the change left it. */
  restore(files: readonly WrittenFile[], blobs: Pick<BlobStore, 'get'>): Promise<readonly RestoredFile[]>
}
