import type { NotShown, TrialChanges } from '@loader/session-core/coding'
import type { ImportGraph } from '../imports/import-graph.ts'
import type { Canary } from '../runners/canary.ts'
import type { RunnerReport } from '../runners/runner.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'

/** The parts of a room for one experiment. */
export interface RoomFor {
  readonly kind: 'room'
  readonly tree: string
  readonly over: ReadonlyMap<string, string | null>
  /** Identifies the room, also with a canary, which is written anew each time. */
  readonly key: readonly string[]
  readonly ignored: 'now' | 'kept'
  readonly canary?: Extract<Canary, { readonly kind: 'canary' }>
}

export type RoomForExperiment = RoomFor | { readonly kind: 'none'; readonly why: NotShown }

export interface Making {
  readonly root: string
  readonly before: string
  readonly now: string
  readonly changed: TrialChanges
  readonly reports: readonly RunnerReport[]
  /** The files that the check runs, in the tree as it is now. */
  readonly scripts: () => Promise<readonly string[]>
  /** The sources in C that it is built of. */
  readonly sources: () => Promise<ReadonlySet<string>>
  /** A tree with some paths taken from another one. */
  readonly mix: (
    base: string,
    parts: readonly { readonly tree: string; readonly paths: readonly string[] }[],
  ) => Promise<string>
  readonly texts: (tree: string) => Promise<TreeTexts>
  readonly graph: (tree: string) => Promise<ImportGraph>
}

export function whole(tree: string): RoomFor {
  return { kind: 'room', tree, over: new Map(), key: [tree], ignored: 'kept' }
}
