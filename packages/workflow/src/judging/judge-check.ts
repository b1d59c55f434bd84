import { type Experiment, type RoomOutcome, sameExperiment } from './experiment.ts'
import type { CheckJudgement } from './judgement.ts'
import { judgingRules } from './rules.ts'
import type { Trial } from './trial.ts'

/**
 * What to try next. A runtime calls it in a loop: run the experiment, add its outcome with `withOutcome`, call again.
 * Undefined when no further experiment can change the judgement.
 */
export function nextExperiment(trial: Trial): Experiment | undefined {
  const step = stepOf(trial)
  return step.kind === 'wanted' ? step.experiment : undefined
}

/** The judgement of a check from the experiments tried so far. Experiments not tried yet count as left out. */
export function judgeCheck(trial: Trial): CheckJudgement {
  let filled = trial
  for (;;) {
    const step = stepOf(filled)
    if (step.kind === 'judged') return step.judgement
    filled = withOutcome(filled, step.experiment, { kind: 'not_shown', why: 'not_tried' })
  }
}

/** The trial with the result of one more run. Pass it to `nextExperiment` or `judgeCheck`. */
export function withOutcome(trial: Trial, experiment: Experiment, outcome: RoomOutcome): Trial {
  return { ...trial, tried: [...trial.tried, { experiment, outcome }] }
}

type Step =
  | { readonly kind: 'wanted'; readonly experiment: Experiment }
  | { readonly kind: 'judged'; readonly judgement: CheckJudgement }

function stepOf(trial: Trial): Step {
  const rules = judgingRules(trial)
  let next = rules.next()
  while (next.done !== true) {
    const experiment = next.value
    const known = trial.tried.findLast((it) => sameExperiment(it.experiment, experiment))?.outcome
    const outcome = known ?? (isTooSlow(trial, experiment) ? tooSlow : undefined)
    if (outcome === undefined) return { kind: 'wanted', experiment }
    next = rules.next(outcome)
  }
  return { kind: 'judged', judgement: next.value }
}

const tooSlow: RoomOutcome = { kind: 'not_shown', why: 'limit' }

/** A slow check gets no further runs, but outcomes known from elsewhere still count. */
function isTooSlow({ check, unaccepted }: Trial, { room, asNow = [], again }: Experiment): boolean {
  if (!check.isSlow) return false
  const isNeeded = room === 'now' || (room === 'strict' && asNow.every((path) => unaccepted.includes(path)))
  return !isNeeded || again !== undefined
}
