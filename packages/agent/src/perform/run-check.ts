import * as z from 'zod'
import {
  couldInstallSince,
  type Check,
  type CheckRun,
  type CheckTrials,
  type Evidence,
  type Experiment,
  RoomOutcome,
  type RoomRun,
  type TrialFacts,
  type TrialGround,
  type VerificationGround,
} from '@loader/session-core/coding'
import { judgedWithoutRooms, judgementRecord, trialEvidence, trialFacts, trialStep, type Tried } from '@loader/workflow'
import type { Immutable, SessionState } from '@loader/session-core'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/**
 * Runs a check in one room and records the result together with what follows from it: the next room or the judgement.
 * The decision itself is a pure function in workflow; this collects its input.
 */
export async function runCheck({ check, experiment }: StepOf<'run_check'>, stage: Stage): Promise<void> {
  const { workspace, session } = stage
  const ground = session.state.turn?.verification?.ground ?? {}
  const { trials } = workspace
  if (trials === undefined || ground.tree === undefined || ground.before === undefined) {
    await runInWorkspace(check, stage)
    return
  }
  const about = { ...ground, tree: ground.tree, before: ground.before }
  await runInRoom({ check, experiment, trials, ground: about }, stage)
}

interface InRoom {
  readonly check: Check
  readonly experiment: Experiment
  readonly trials: CheckTrials
  readonly ground: VerificationGround & { readonly tree: string; readonly before: string }
}

async function runInRoom({ check, experiment, trials, ground }: InRoom, stage: Stage): Promise<void> {
  const { session, environment, signal, show } = stage
  const runId = await started(check, experiment, stage)
  const isFirst = experiment.room === 'now' && experiment.again === undefined
  const earlier = isFirst ? [] : await earlierRooms(check, stage)
  const first = earlier.find(({ evidence }) => evidence.trial !== undefined)
  const trialGround = trialGroundOf(ground, stage)
  const facts = first?.evidence.trial
  const told = first?.results.told ?? ''
  const onOutput = (text: string) => show({ type: 'delta.check', checkId: check.id, text })
  const ran = await trials.run(
    check,
    experiment,
    { ...trialGround, told, ...(facts !== undefined && { changed: facts.changed }) },
    { signal, onOutput },
  )
  const run = ran.run ?? notRun(environment.now())
  const wasCancelled = signal.aborted && ran.outcome.kind === 'not_shown' && ran.outcome.why === 'cut_off'
  const known = facts ?? (wasCancelled ? undefined : await factsOf(check, ran, { trials, trialGround }, stage))
  const tried: Tried[] = [...earlier.map(asTried), { experiment, outcome: ran.outcome }]
  const step =
    wasCancelled || known === undefined ? undefined : trialStep(session.state, check, { facts: known, tried })
  const results: Results = { outcome: ran.outcome, told: isFirst ? ran.told : '' }
  await finished(check, runId, run, stage, {
    ...roomOf(experiment),
    tree: ran.tree,
    before: ground.before,
    environment: ground.environment,
    ...(ran.outcome.kind === 'not_shown' && { notShown: ran.outcome.why }),
    ...(ran.isKept && { kept: true as const }),
    ...countsOf(ran),
    results: await session.storeText(JSON.stringify(results)),
    ...(isFirst && known !== undefined && { trial: known }),
    ...(step?.kind === 'next' && { next: step.experiment }),
    ...(step?.kind === 'judged' && { judgement: judgementRecord(step.judgement) }),
  })
}

/** Without rooms, the check runs in the workspace itself, without a comparison. */
async function runInWorkspace(check: Check, stage: Stage): Promise<void> {
  const { session, workspace, signal, show } = stage
  const runId = await started(check, undefined, stage)
  const onOutput = (text: string) => show({ type: 'delta.check', checkId: check.id, text })
  const run = await workspace.runCheck(check, { signal, onOutput })
  const judgement = signal.aborted ? undefined : judgementRecord(judgedWithoutRooms(run.outcome))
  const { tree } = session.state.workspace ?? {}
  await finished(check, runId, run, stage, {
    tree: tree?.id,
    ...(judgement !== undefined && { judgement: judgement }),
  })
}

async function started(check: Check, experiment: Experiment | undefined, stage: Stage): Promise<string> {
  const { session, environment } = stage
  const runId = environment.newId('run')
  const { id: checkId, command, cwd } = check
  const { room, baseline } = experiment === undefined ? {} : roomOf(experiment)
  session.record({ type: 'check.started', runId, checkId, command, cwd, room, baseline })
  await session.durable()
  return runId
}

type Details = Partial<Evidence>

async function finished(check: Check, runId: string, run: CheckRun, { session }: Stage, more: Details): Promise<void> {
  const { id: checkId, command, cwd } = check
  const criteria = session.state.goal?.criteria ?? []
  const output = await session.readText(run.output)
  session.record({
    type: 'check.finished',
    evidence: {
      ...run,
      checkId,
      runId,
      criterionIds: criteria.filter(({ checkIds }) => checkIds.includes(checkId)).map(({ id }) => id),
      command,
      cwd,
      output: await session.storeText(output),
      ...placeOf(session.state),
      ...forOlderReaders(more),
      ...more,
    },
  })
}

/** Where files are stored with the session, it may go on elsewhere, and what a check shows there can differ. */
function placeOf({ place }: SessionState): Pick<Details, 'place'> {
  return place === undefined ? {} : { place: { id: place.id, machine: place.machine } }
}

/** Older versions ignore a run without these two fields, and treat a tree as a fingerprint. */
function forOlderReaders({ tree = 'not known', treeAfter = tree }: Details): Details {
  return { fingerprintBefore: tree, fingerprintAfter: treeAfter }
}

/** Older readers take a run without `baseline` for the check's own run, so every other room must be marked. */
function roomOf({ room, asNow, again }: Experiment): Pick<Details, 'room' | 'asNow' | 'again' | 'baseline'> {
  return {
    room,
    ...(asNow !== undefined && { asNow }),
    ...(again !== undefined && { again }),
    ...((room !== 'now' || again !== undefined) && { baseline: true as const }),
  }
}

interface EarlierRoom {
  readonly evidence: Evidence
  readonly results: Results
}

/** The experiments with this check since its own last run. */
async function earlierRooms(check: Check, { session }: Stage): Promise<readonly EarlierRoom[]> {
  const all = trialEvidence(session.state, check)
  return Promise.all(
    all.map(async (evidence) => ({ evidence, results: readResults(await session.readText(evidence.results ?? '')) })),
  )
}

function asTried({ evidence, results }: EarlierRoom): Tried {
  const { asNow, again, room } = evidence
  const experiment = { room: room as Experiment['room'], ...(asNow && { asNow }), ...(again && { again }) }
  return { experiment, outcome: results.outcome }
}

function trialGroundOf({ tree, before, packages, ignored }: InRoom['ground'], { session }: Stage): TrialGround {
  const work = session.state.before
  return {
    before,
    now: tree,
    packagesBefore: work?.packages ?? packages,
    packagesNow: packages,
    ignoredBefore: work?.ignored ?? ignored,
    ignoredNow: ignored,
    session: session.id,
  }
}

const slowAfterMs = 120_000

/** The files that the check consists of, as reported by its first run, and what changed. */
async function factsOf(
  check: Check,
  ran: RoomRun,
  { trials, trialGround }: { readonly trials: CheckTrials; readonly trialGround: TrialGround },
  { session, signal }: Stage,
): Promise<TrialFacts> {
  const { policy, before, lastReachSeq } = session.state
  const { run } = ran
  const tookMs = run === undefined ? 0 : Date.parse(run.finishedAt) - Date.parse(run.startedAt)
  const survey = await trials.survey(
    check,
    { ...trialGround, told: ran.told },
    { signal, protect: policy?.protect ?? [] },
  )
  const isHeld = policy?.walls?.state === 'held'
  return trialFacts({
    check,
    survey,
    isSlow: tookMs > (policy?.slowAfterMs ?? slowAfterMs),
    mayHaveInstalled:
      !isHeld || (lastReachSeq ?? 0) > (before?.seq ?? 0) || couldInstallSince(session.state, before?.seq ?? 0),
  })
}

function countsOf({ outcome }: RoomRun): Pick<Details, 'counts'> {
  const tests = outcome.kind === 'shown' ? outcome.shown.tests : undefined
  if (tests === undefined) return {}
  const count = (...outcomes: readonly string[]) => tests.filter((it) => outcomes.includes(it.outcome)).length
  return { counts: { passed: count('green'), failed: count('red', 'errored', 'unloaded'), skipped: count('skipped') } }
}

function notRun(at: string): CheckRun {
  return { outcome: 'skipped', exitCode: null, output: '', startedAt: at, finishedAt: at }
}

/** The stored results of a run, for the rooms that follow. */
const Results = z.object({ outcome: RoomOutcome, told: z.string() })
type Results = Immutable<z.infer<typeof Results>>

const nothing: Results = { outcome: { kind: 'not_shown', why: 'not_tried' }, told: '' }

/** Unreadable results count as an experiment that was not made. */
function readResults(text: string): Results {
  try {
    return Results.safeParse(JSON.parse(text)).data ?? nothing
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
}
