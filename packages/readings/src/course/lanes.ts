import {
  type EventOf,
  type History,
  isSessionEvent,
  reduce,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import type { Check, Criterion, Evidence, Verdict } from '@loader/session-core/coding'
import { goalOfTurn, verdictOf } from '@loader/workflow'

/** A time in which a criterion stood in one way. */
export interface Stretch {
  readonly from: number
  /** Null while it stands so. */
  readonly to: number | null
  readonly seq: number
  readonly verdict: Verdict
  /** Where it stood in more words than the verdict has: rests_on, held, accepted, …, also checking and not_run. */
  readonly word: string
  readonly reasons: readonly string[]
}

/** One run of a check, in the workspace or in a room. */
export interface CheckRunReading {
  readonly runId: string
  readonly checkId: string
  readonly command: string
  /** The room; null for the workspace itself. */
  readonly room: string | null
  readonly from: number
  /** Null while it runs; what a process left is cut off at its last sign of life. */
  readonly to: number | null
  readonly seq: number
  readonly endSeq: number | null
  /** Null while nothing is known. */
  readonly evidence: Evidence | null
  readonly isCutOff: boolean
}

/** A time at which the user accepted what checks do not show. */
export interface AcceptanceReading {
  readonly seq: number
  readonly at: number
  readonly by: string
  readonly what: readonly string[]
}

/** One criterion over the whole session. */
export interface CriterionLane {
  readonly criterion: Criterion
  readonly checks: readonly Check[]
  readonly stretches: readonly Stretch[]
  readonly runs: readonly CheckRunReading[]
}

/** How each criterion stood at every time of a session, with the runs and the acceptances that decided. */
export interface TruthReading {
  readonly lanes: readonly CriterionLane[]
  readonly accepted: readonly AcceptanceReading[]
  /** Calls after which the files may be others: what was shown before them can be out of date. */
  readonly changes: readonly { readonly seq: number; readonly at: number }[]
}

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface DraftLane {
  criterion: Criterion
  readonly checks: Map<string, Check>
  readonly stretches: Open<Stretch>[]
}

/** The criteria of all goals of a session, in the order in which they came up. */
export function truthReading(history: History): TruthReading {
  const lanes = new Map<string, DraftLane>()
  const runs: Open<CheckRunReading>[] = []
  const accepted: AcceptanceReading[] = []
  const changes: { seq: number; at: number }[] = []
  let state: SessionState | null = null
  for (const event of history) {
    const before: SessionState | null = state
    state = reduce(state, event)
    readRun(runs, event, before)
    if (isSessionEvent(event) && event.type === 'checks.accepted') accepted.push(acceptanceOf(event))
    if (before !== null && state.lastEffectSeq === event.seq) changes.push({ seq: event.seq, at: Date.parse(event.at) })
    if (before === null || differs(before, state)) readStandings(lanes, state, event)
  }
  return {
    lanes: [...lanes.values()].map(({ criterion, checks, stretches }) => ({
      criterion,
      checks: [...checks.values()],
      stretches,
      runs: runs.filter(({ checkId }) => checks.has(checkId)),
    })),
    accepted,
    changes,
  }
}

/** Whether anything that a verdict depends on is not what it was. */
function differs(before: SessionState, after: SessionState): boolean {
  return (
    before.goal !== after.goal ||
    before.evidence !== after.evidence ||
    before.acceptances !== after.acceptances ||
    before.unknownCalls !== after.unknownCalls ||
    before.workspace?.tree !== after.workspace?.tree ||
    before.turn?.id !== after.turn?.id
  )
}

function readStandings(lanes: Map<string, DraftLane>, state: SessionState, event: StoredEvent): void {
  const goal = goalOfTurn(state)
  const standing = new Set<string>()
  for (const criterion of goal?.criteria ?? []) {
    standing.add(criterion.id)
    const lane = lanes.get(criterion.id) ?? { criterion, checks: new Map(), stretches: [] }
    lanes.set(criterion.id, lane)
    lane.criterion = criterion
    for (const check of goal?.checks ?? []) if (criterion.checkIds.includes(check.id)) lane.checks.set(check.id, check)
    stand(lane.stretches, criterion, state, event)
  }
  for (const [id, { stretches }] of lanes) if (!standing.has(id)) endStretch(stretches, event)
}

function stand(stretches: Open<Stretch>[], criterion: Criterion, state: SessionState, event: StoredEvent): void {
  const { verdict, judgement, reasons } = verdictOf(criterion, state)
  const word = judgement?.word ?? wordWithout(verdict, criterion, state)
  const last = stretches.at(-1)
  if (last !== undefined && last.to === null && last.verdict === verdict && last.word === word) {
    last.reasons = reasons
    return
  }
  endStretch(stretches, event)
  stretches.push({ from: Date.parse(event.at), to: null, seq: event.seq, verdict, word, reasons })
}

/** Without a judgement, a check has not run yet, or it is being tried in one room after the other. */
function wordWithout(verdict: Verdict, { checkIds }: Criterion, { evidence, turn }: SessionState): string {
  if (verdict !== 'unverified' || checkIds.length === 0) return verdict
  const runs = evidence.filter(({ checkId }) => checkIds.includes(checkId))
  if (runs.length === 0) return 'not_run'
  const isTried =
    turn?.verification !== undefined && runs.some(({ judgement, room }) => room !== undefined && !judgement)
  return isTried ? 'checking' : verdict
}

function endStretch(stretches: Open<Stretch>[], event: StoredEvent): void {
  const last = stretches.at(-1)
  if (last !== undefined) last.to ??= Date.parse(event.at)
}

function readRun(runs: Open<CheckRunReading>[], event: StoredEvent, before: SessionState | null): void {
  if (!isSessionEvent(event)) return
  const at = Date.parse(event.at)
  if (event.type === 'session.claimed') {
    for (const run of runs) {
      if (run.to !== null) continue
      run.to = Math.max(run.from, Date.parse(before?.updatedAt ?? event.at))
      run.isCutOff = true
    }
  }
  if (event.type === 'check.started') {
    const { runId, checkId, command, seq, room = null } = event
    runs.push({ runId, checkId, command, room, from: at, to: null, seq, endSeq: null, evidence: null, isCutOff: false })
  }
  if (event.type === 'check.finished') {
    const { evidence, seq } = event
    const { runId, checkId, command, startedAt } = evidence
    const known = runs.findLast((run) => run.runId === runId && run.endSeq === null)
    if (known !== undefined) Object.assign(known, { to: known.to ?? at, endSeq: seq, evidence })
    else {
      const from = evidence.kept === true ? at : Math.min(at, Date.parse(startedAt))
      const room = evidence.room ?? null
      runs.push({ runId, checkId, command, room, from, to: at, seq, endSeq: seq, evidence, isCutOff: false })
    }
  }
}

function acceptanceOf(event: EventOf<'checks.accepted'>): AcceptanceReading {
  const { seq, at, by, files = [], packages = [], tests = [] } = event
  return { seq, at: Date.parse(at), by, what: [...files, ...packages, ...tests] }
}
