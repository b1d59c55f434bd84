import type { SessionState } from '../state/state.ts'

/**
 * Why the files that were stored last are not those that the session has left behind; undefined where they are. A call
 * that was cut off may have changed files since: then those from before it are the stored ones. What was left out of them
 * is missing where the session has gone to, which is no change.
 */
export function whyNotSaved({ saved, workspace, place, lastEffectSeq, turn }: SessionState): string | undefined {
  if (saved === undefined) return 'its files were never stored'
  const { tree, noTree, notSaved, looked } = workspace ?? {}
  if (tree?.id !== saved.tree || (tree.rest !== saved.rest && tree.rest !== place?.rest)) {
    return `the files after event ${saved.seq} were not stored (${notSaved ?? noTree ?? 'the reason is not known'})`
  }
  const isCutOff = turn?.calls.some(({ startedEpoch, outcome }) => startedEpoch !== undefined && outcome === undefined)
  if (isCutOff !== true && (lastEffectSeq ?? 0) > (looked?.seq ?? 0)) {
    return `the files after event ${lastEffectSeq} were not stored (the process that had changed them ended first)`
  }
  return undefined
}
