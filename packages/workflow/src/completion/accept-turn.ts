import type { SessionState } from '@loader/session-core'
import type { Judgement } from '@loader/session-core/coding'
import { evidenceOf } from '../goal/evidence-of.ts'
import type { Recorded } from '../words/step.ts'
import { acceptable, acceptJudgement } from '../judging/accept-judgement.ts'
import { moveBefore } from '../judging/before-tree.ts'
import { judgementFrom } from '../judging/judgement-from.ts'
import { judgementRecord } from '../judging/judgement-record.ts'
import type { Accepted } from '../judging/judgement.ts'

/**
 * The objections to the last turn that the user can accept. Once they are accepted, the turn is no longer objected to.
 */
export interface Acceptable {
  readonly what: Accepted
  /** The tree that was judged, and the tree from before the work that it is compared with. */
  readonly tree: string
  readonly before: string
  readonly judgement: Judgement
}

/** Undefined if the last turn left no objection that accepting could remove. */
export function acceptableOf(state: SessionState): Acceptable | undefined {
  const { lastTurn, goal } = state
  const judgement = lastTurn?.judgement
  if (judgement === undefined) return undefined
  const read = judgementFrom(judgement)
  const what = read.word === 'unchecked' || read.word === 'unknown' ? undefined : acceptable(read)
  const unaccepted = state.before?.unaccepted ?? []
  const all = what ?? (unaccepted.length > 0 ? { files: unaccepted, packages: [], tests: [] } : undefined)
  const run = (goal?.checks ?? []).map((check) => evidenceOf(state, check)).find((it) => it?.tree !== undefined)
  if (all === undefined || run?.tree === undefined || run.before === undefined) return undefined
  return { what: all, tree: run.tree, before: run.before, judgement }
}

/** The event that records the user's acceptance. */
export function acceptanceOf(
  state: SessionState,
  { what, tree, judgement }: Acceptable,
  { by, at }: { readonly by: string; readonly at: string },
): readonly Recorded[] {
  const read = judgementFrom(judgement)
  const after =
    read.word === 'unchecked' || read.word === 'unknown'
      ? read
      : acceptJudgement(read, { by, at, tree, files: what.files, packages: what.packages, tests: what.tests })
  const accepted: Recorded = { type: 'checks.accepted', by, tree, ...what, judgement: judgementRecord(after) }
  if (state.before === null) return [accepted]
  const { seq: _seq, unaccepted = [], ...before } = state.before
  const packages = what.packages.length > 0 ? (state.workspace?.tree?.inventory ?? before.packages) : before.packages
  // For `ignored`, the accepted paths are all ignored files that differ.
  const isIgnored = read.word === 'rests_on' && read.what === 'ignored'
  const ignored = isIgnored ? (state.workspace?.tree?.ignored ?? before.ignored) : before.ignored
  const moved = {
    ...before,
    packages,
    ignored,
    tree: moveBefore(before.tree, { kind: 'accepted', tree, paths: what.files }),
    unaccepted: unaccepted.filter((path) => !what.files.includes(path)),
  }
  return [accepted, { type: 'before.moved', why: 'accepted', before: moved }]
}
