import { type CheckJudgement, type Notes, objects, type TurnFinding, worstFirst } from './judgement.ts'

/** What a turn is judged by: its changes, its calls with unknown effect, and the judgement of each check. */
export interface TurnFacts {
  /** Something differs from before the turn, in a tree or outside of it. */
  readonly changed: boolean
  /** Calls whose effect is still unknown. */
  readonly unknownCalls: readonly string[]
  readonly checks: readonly CheckJudgement[]
}

/** The judgement of a turn, with notes. */
export type TurnJudgement = TurnFinding & { readonly notes: Notes }

/**
 * The worst judgement that objects; if none does, the best one. Undefined if there is nothing to judge: no change, and
 * no check was run.
 */
export function judgeTurn({ changed, unknownCalls, checks }: TurnFacts): TurnJudgement | undefined {
  const counted = withoutSilent(checks)
  const notes = joined(checks.map((each) => each.notes))
  const unknown: readonly TurnFinding[] = unknownCalls.length === 0 ? [] : [{ word: 'unknown', calls: unknownCalls }]
  const ordered = [...counted, ...unknown].toSorted((a, b) => worstFirst.indexOf(a.word) - worstFirst.indexOf(b.word))
  const [worst] = ordered
  const best = ordered.at(-1)
  if (worst === undefined || best === undefined) return changed ? { word: 'unchecked', notes } : undefined
  return { ...(objects(worst.word) ? worst : best), notes }
}

/**
 * Drops derived checks that say nothing: those that could not run before the work either, and those whose named
 * failures are the same as before while another check is verified. Their old failures are listed in the notes.
 */
function withoutSilent(checks: readonly CheckJudgement[]): readonly CheckJudgement[] {
  const isVerified = checks.some(({ word }) => word === 'verified')
  const loud = checks.filter((it) => {
    if (it.word !== 'unverified') return true
    if (it.why.kind === 'still_red') return !isVerified
    return !(it.why.kind === 'could_not_run' && it.why.alsoBefore)
  })
  return loud.length === 0 ? checks : loud
}

function joined(all: readonly Notes[]): Notes {
  const texts = (of: (notes: Notes) => readonly string[]) => [...new Set(all.flatMap(of))].toSorted()
  return {
    flaky: texts((it) => it.flaky),
    oldFailures: texts((it) => it.oldFailures),
    unaccepted: texts((it) => it.unaccepted),
    leftOut: all.flatMap((it) => it.leftOut),
    installed: all.flatMap((it) => it.installed),
  }
}
