import type { SessionState } from '@loader/session-core'
import type { Check, Experiment, TrialFacts } from '@loader/session-core/coding'
import type { Tried } from './experiment.ts'
import { judgeCheck, nextExperiment } from './judge-check.ts'
import type { CheckJudgement } from './judgement.ts'
import type { Trial } from './trial.ts'

/** What a trial does next: run the check once more in some room, or stop with a judgement. */
export type TrialStep =
  | { readonly kind: 'next'; readonly experiment: Experiment }
  | { readonly kind: 'judged'; readonly judgement: CheckJudgement }

/** The next experiment of a trial, or its judgement. */
export function trialStep(
  state: Pick<SessionState, 'before' | 'acceptances'>,
  check: Pick<Check, 'source'>,
  { facts, tried }: { readonly facts: TrialFacts; readonly tried: readonly Tried[] },
): TrialStep {
  const trial = trialOf(state, check, facts, tried)
  const experiment = nextExperiment(trial)
  return experiment === undefined ? { kind: 'judged', judgement: judgeCheck(trial) } : { kind: 'next', experiment }
}

function trialOf(
  { before, acceptances }: Pick<SessionState, 'before' | 'acceptances'>,
  { source }: Pick<Check, 'source'>,
  { isInBefore, isSlow, shows, changed, packages }: TrialFacts,
  tried: readonly Tried[],
): Trial {
  const { byKey: _byKey, fresh: _fresh, ...paths } = changed
  return {
    check: { source: source === 'user' ? 'user' : 'derived', shows, isInBefore, isSlow },
    changed: paths,
    unaccepted: before?.unaccepted ?? [],
    packages,
    accepted: {
      packages: acceptances.flatMap((it) => it.packages ?? []),
      tests: acceptances.flatMap((it) => it.tests ?? []),
    },
    tried,
  }
}

/** The judgement when only the run itself is known: the workspace has no trees, or the machine has no rooms. */
export function judgedWithoutRooms(outcome: 'passed' | 'failed' | 'skipped' | 'interrupted'): CheckJudgement {
  const notes = { flaky: [], oldFailures: [], unaccepted: [], leftOut: [], installed: [] }
  switch (outcome) {
    case 'failed':
      return { word: 'failed', tests: [''], notes }
    case 'interrupted':
      return { word: 'unverified', why: { kind: 'could_not_run', why: 'cut_off', alsoBefore: false }, notes }
    case 'skipped':
      return { word: 'unverified', why: { kind: 'could_not_run', why: 'program_missing', alsoBefore: false }, notes }
    case 'passed':
      return { word: 'unverified', why: { kind: 'strict_not_shown', why: 'impossible' }, notes }
    default:
      return outcome satisfies never
  }
}
