import { LoaderError, type SessionState, type Signal } from '@loader/session-core'
import type { Check, CheckTrials, Policy, TrialGround, WorkspaceTree } from '@loader/session-core/coding'
import {
  beforeAt,
  type CheckJudgement,
  checksToRun,
  judgeTurn,
  type TurnJudgement,
  trialFacts,
  type Tried,
  trialStep,
} from '@loader/workflow'
import type { AgentPorts } from './stage/stage.ts'

/** How to cancel and observe `checkNow`. */
export interface CheckOptions {
  readonly signal?: Signal
  /** A check starts in a room; `kept`: its earlier result is used instead of a run. */
  readonly onRoom?: (check: Check, room: string, kept: boolean) => void
}

/** The results of the project's checks for the current workspace, without a model and a turn. */
export interface CheckedNow {
  readonly checks: readonly { readonly check: Check; readonly judgement: CheckJudgement }[]
  /** The judgement of all checks together; undefined if there are none. */
  readonly judgement: TurnJudgement | undefined
}

interface Place extends Pick<AgentPorts, 'workspace'> {
  readonly checks: Policy['checks']
  readonly protect: readonly string[] | undefined
}

/** Runs the checks on the current files, compared with the state before the session's work, if there is one. */
export async function checkNow(
  state: SessionState | null,
  { workspace, checks: settings, protect = [] }: Place,
  options: CheckOptions,
): Promise<CheckedNow> {
  const { trials, trees } = workspace
  const taken = await trees?.take()
  if (trials === undefined || taken?.kind !== 'taken') {
    const why = taken?.kind === 'refused' ? taken.why : 'this workspace keeps no trees'
    throw new LoaderError('unsupported', `Checks cannot be compared with anything here: ${why}.`)
  }
  const packages = await trials.packages()
  const ignored = await trials.keepIgnored()
  const before = state?.before ?? { tree: beforeAt(taken.tree.id), packages, ignored }
  const ground: TrialGround = {
    before: await trials.made(before.tree),
    now: taken.tree.id,
    packagesBefore: before.packages,
    packagesNow: packages,
    ignoredBefore: before.ignored,
    ignoredNow: ignored,
  }
  const checks = checksToRun(state, await workspace.facts(), settings)
  const judged = []
  for (const check of checks) {
    judged.push({ check, judgement: await judgedOne({ check, trials, ground, protect, state }, options) })
  }
  const changed = ground.before !== ground.now
  const judgement = judgeTurn({ changed, unknownCalls: [], checks: judged.map((it) => it.judgement) })
  return { checks: judged, judgement: judgement && (await onTheseFiles(judgement, taken.tree, workspace)) }
}

/** A judgement is about the files that the checks ran on. If they have changed meanwhile, it is not about those of now. */
async function onTheseFiles(
  judgement: TurnJudgement,
  { id, rest }: WorkspaceTree,
  { trees }: AgentPorts['workspace'],
): Promise<TurnJudgement> {
  const after = await trees?.take()
  const isSame = after?.kind === 'taken' && after.tree.id === id && after.tree.rest === rest
  return isSame ? judgement : { word: 'stale', about: { tree: id, environment: '' }, notes: judgement.notes }
}

interface One {
  readonly check: Check
  readonly trials: CheckTrials
  readonly ground: TrialGround
  readonly protect: readonly string[]
  readonly state: SessionState | null
}

async function judgedOne(
  { check, trials, ground, protect, state }: One,
  options: CheckOptions,
): Promise<CheckJudgement> {
  const { signal, onRoom } = options
  const first = await trials.run(check, { room: 'now' }, ground, { signal })
  onRoom?.(check, 'now', first.isKept)
  const survey = await trials.survey(check, { ...ground, told: first.told }, { protect, signal })
  const facts = trialFacts({ check, survey, isSlow: false, mayHaveInstalled: false })
  const tried: Tried[] = [{ experiment: { room: 'now' }, outcome: first.outcome }]
  for (;;) {
    const step = trialStep(state ?? { before: null, acceptances: [] }, check, { facts, tried })
    if (step.kind === 'judged') return step.judgement
    const { experiment } = step
    const ran = await trials.run(check, experiment, { ...ground, told: first.told, changed: facts.changed }, { signal })
    onRoom?.(check, experiment.room, ran.isKept)
    tried.push({ experiment, outcome: ran.outcome })
  }
}
