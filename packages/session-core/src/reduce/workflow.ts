import type { EventOf, EventType } from '../events/event.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import type { Turn } from '../state/turn.ts'
import type { Evidence } from '../words/goal.ts'
import { List } from '../words/list.ts'
import { callsOf, type Message } from '../words/message.ts'
import type { EntryKind, TimelineEntry } from '../words/timeline.ts'
import { movedTo } from './moved.ts'
import { effectSeen } from './background.ts'
import {
  type Changes,
  impossible,
  movePhase,
  openTurn,
  type Reducers,
  requireAnsweredCalls,
  requireNoRequestUnderWay,
  requirePairs,
} from './reducer.ts'

type Written = 'brief.written' | 'plan.written' | 'goal.defined' | 'ledger.updated' | 'todos.updated'
type Observed =
  | 'workspace.observed'
  | 'workspace.saved'
  | 'workspace.prepared'
  | 'verification.started'
  | 'before.moved'
  | 'check.started'
  | 'check.finished'
  | 'checks.accepted'
  | 'statement.made'

export const workflowReducers: Reducers<
  'workflow.decided' | Written | Observed | Extract<EventType, `context.${string}`>
> = {
  'workflow.decided': (state, event) => {
    const entry: TimelineEntry = { ...event.entry, seq: event.seq, at: event.at }
    return {
      timeline: state.timeline.append(entry, stateCaps.timeline),
      ...(isRoute(entry.kind) && { route: entry, mode: entry.mode }),
      ...(isCompletion(entry.kind) && { completion: entry }),
      ...withModel(state, event, windowAfter(state, event)),
    }
  },

  'brief.written': (_state, event) => ({ brief: event.brief }),
  'plan.written': (_state, event) => ({ plan: event.plan }),
  'goal.defined': (state, event) => ({
    goal: event.goal,
    ...(state.demanded != null && { demanded: null }),
  }),
  'ledger.updated': (_state, event) => ({ ledger: event.ledger }),
  'todos.updated': (_state, event) => ({ todos: event.todos }),

  'workspace.observed': (state, event) => {
    const { paths, grounding, facts, at, seq } = event
    const before = state.workspace
    return {
      workspace: {
        ...filesSeen(state, event),
        facts: facts ?? before?.facts ?? null,
        at,
        seq,
        paths: paths ?? before?.paths ?? [],
        grounding: grounding ?? before?.grounding ?? null,
      },
      ...(event.before !== undefined && { before: { ...event.before, seq } }),
      ...effectSeen(state, event),
    }
  },

  'workspace.saved': (state, { type: _type, at: _at, place, pack: _pack, history: _history, ...saved }) => ({
    saved,
    place: state.place?.id === place.id ? { ...withoutRest(state.place), ...place } : place,
  }),

  'workspace.prepared': movedTo,

  'verification.started': (state, event) => {
    const turn = openTurn(state, event, event.turnId)
    const { attempt = 0, failedOn = null } = turn.verification ?? {}
    const { ground, kept: checks = [], seq } = event
    const begun = { attempt: attempt + 1, seq, ground, next: null, checks, failedOn, ...begunAgain(turn) }
    return { turn: { ...turn, verification: begun } }
  },

  'before.moved': (_state, { before, seq }) => ({ before: { ...before, seq } }),

  'check.started': (state, event) => {
    // A check of an earlier claim was interrupted, and may be started again.
    if (state.runningCheck !== null && state.runningCheck.epoch === state.epoch) {
      throw impossible(event, `check run ${state.runningCheck.runId} has not finished`, 'Record check.finished first.')
    }
    const { runId, checkId, command } = event
    return {
      runningCheck: { runId, checkId, command, epoch: state.epoch },
      ...(state.turn && state.runningCheck && countCrash(state.turn)),
    }
  },

  'check.finished': (state, event) => {
    const { evidence } = event
    if (state.runningCheck?.runId !== evidence.runId || state.runningCheck.checkId !== evidence.checkId) {
      throw impossible(
        event,
        `run ${evidence.runId} of check ${evidence.checkId} did not start`,
        'Record check.started first.',
      )
    }
    const others = state.evidence.filter((other) => other.checkId !== evidence.checkId || !isReplaced(other, evidence))
    return {
      runningCheck: null,
      evidence: heldEvidence([...others, evidence], state.goal),
      ...(state.turn && withStanding(state.turn, evidence)),
    }
  },

  'checks.accepted': (state, { type: _type, judgement, ...acceptance }) => ({
    acceptances: [...state.acceptances, acceptance].slice(-stateCaps.acceptances),
    ...(judgement !== undefined &&
      state.turn === null &&
      state.lastTurn !== null && {
        lastTurn: {
          ...state.lastTurn,
          judgement,
          ...(judgement.word === 'accepted' && { verdict: 'waived' as const }),
        },
      }),
  }),

  'statement.made': (state, event) => {
    const turn = openTurn(state, event, event.turnId)
    const { how, summary, left, found } = event
    return { turn: { ...turn, statement: { how, summary, left, found } } }
  },

  'context.compacted': (state, event) => {
    requireNoRequestUnderWay(state, event)
    const summary: Message = {
      id: event.messageId,
      role: 'user',
      origin: 'summary',
      content: [{ type: 'text', text: event.text }],
      at: event.at,
    }
    const messages = [summary, ...keptMessages(state, event)]
    requirePairs(event, messages, state.turn)
    const { messageId, method, removed, tokensBefore, tokensAfter, at } = event
    return {
      messages: List.from(messages),
      compaction: {
        count: (state.compaction?.count ?? 0) + 1,
        messageId,
        method,
        removed,
        tokensBefore,
        tokensAfter,
        at,
      },
      ...(state.turn && countCompaction(state.turn)),
    }
  },

  'context.compaction_failed': (state) => (state.turn ? countCompaction(state.turn) : {}),

  'context.compaction_undone': (state, event) => {
    requireNoRequestUnderWay(state, event)
    const place = state.messages.findLastIndex((message) => message.id === event.messageId)
    if (place < 0 || state.compaction?.messageId !== event.messageId) {
      throw impossible(
        event,
        `message ${event.messageId} is not the newest summary`,
        'Undo the newest compaction first.',
      )
    }
    const restored = new Set(event.restored.map(({ id }) => id))
    // Earlier messages that the compaction had kept return to their old place among the restored ones.
    const rest = state.messages.slice(place + 1).filter(({ id }) => !restored.has(id))
    const messages = [...state.messages.slice(0, place), ...event.restored, ...rest]
    requirePairs(event, messages, state.turn)
    return { messages: List.from(messages), compaction: null }
  },
}

function isRoute(kind: EntryKind): boolean {
  return kind === 'route' || kind === 'handoff' || kind === 'reentry'
}

function isCompletion(kind: EntryKind): boolean {
  return kind.startsWith('completion_')
}

/** Judging completion and repairing an answer have phases of their own; other decisions keep the phase. */
function moved(turn: Turn, event: EventOf<'workflow.decided'>): Changes {
  const { kind, reasonCode } = event.entry
  if (isCompletion(kind)) {
    return movePhase(kind === 'completion_continue' ? sentOn(turn, event) : turn, event, 'completion', {
      kind: 'normal',
      reasonCode: 'completion_gate',
      reason: 'Judging completion',
    })
  }
  if (kind === 'repair_retry') {
    const repaired = { ...turn, spent: { ...turn.spent, repairs: turn.spent.repairs + 1 } }
    // Answers for other purposes are repaired in the current phase.
    if (turn.request?.purpose !== 'answer') return { turn: repaired }
    return movePhase(repaired, event, 'repair', { kind: 'retry', reasonCode, reason: 'Repairing the answer' })
  }
  return {}
}

/** The model continues, so its earlier statement about the end no longer counts. */
function sentOn(turn: Turn, { asks, entry }: EventOf<'workflow.decided'>): Turn {
  const { verification, statement: _statement, ...rest } = turn
  const { nudges, retries } = turn.spent
  const toFix = asks === 'to_fix'
  const failedOn = toFix ? (verification?.ground.tree ?? null) : (verification?.failedOn ?? null)
  return {
    ...rest,
    spent: { ...turn.spent, nudges: nudges + 1, retries: retries + (toFix ? 1 : 0) },
    ...(asks === 'how_it_ended' && { asked: entry.id }),
    ...(verification !== undefined && { verification: { ...verification, failedOn } }),
  }
}

/** A turn that goes on with another model. */
function withModel(state: SessionState, event: EventOf<'workflow.decided'>, changes: Changes): Changes {
  const { model } = event
  if (model === undefined) return changes
  return { ...changes, turn: { ...(changes.turn ?? openTurn(state, event)), model } }
}

function windowAfter(state: SessionState, event: EventOf<'workflow.decided'>): Changes {
  const changes = state.turn === null ? {} : moved(state.turn, event)
  const { entry, note, withdraws, at } = event
  if (note === undefined && withdraws === undefined) return changes
  requireAnsweredCalls(state, event)
  requireNoRequestUnderWay(state, event)
  const standing = withdraws === undefined ? state.messages : List.from(without(state, event, withdraws))
  if (note === undefined) return { ...changes, messages: standing }
  const message: Message = { id: entry.id, role: 'user', origin: 'note', content: [{ type: 'text', text: note }], at }
  const turn = changes.turn ?? state.turn
  // The user's words come first: notes made before the first request wait behind them.
  if (turn?.pending) return { ...changes, messages: standing, turn: { ...turn, notes: [...turn.notes, message] } }
  return { ...changes, messages: standing.append(message) }
}

function without(state: SessionState, event: EventOf<'workflow.decided'>, messageId: string): Message[] {
  const message = state.messages.at(state.messages.findLastIndex(({ id }) => id === messageId))
  if (message?.id !== messageId || message.origin !== 'model' || callsOf(message.content).length > 0) {
    throw impossible(
      event,
      `message ${messageId} is not an answer without calls in the window`,
      'Withdraw only such an answer.',
    )
  }
  return state.messages.filter((other) => other !== message)
}

function keptMessages(state: SessionState, event: EventOf<'context.compacted'>): Message[] {
  const first =
    event.firstKept === null ? state.messages.length : state.messages.findLastIndex(({ id }) => id === event.firstKept)
  if (first < 0)
    throw impossible(event, `message ${event.firstKept} is not in the window`, 'Keep messages of the window.')
  const also = new Set(event.alsoKept)
  return [...state.messages.slice(0, first).filter(({ id }) => also.has(id)), ...state.messages.slice(first)]
}

type FilesSeen = Pick<
  NonNullable<SessionState['workspace']>,
  'tree' | 'noTree' | 'notSaved' | 'looked' | 'baseline' | 'changed' | 'beside'
>

/** The files that the model has seen. Older versions recorded only that files were observed, not which ones. */
function filesSeen(state: SessionState, event: EventOf<'workspace.observed'>): FilesSeen {
  const { tree = null, noTree = null, fingerprint, baseline: files = null, changed = null, beside, seq } = event
  const before = state.workspace
  const turnId = event.baselineOf ?? (files === null ? undefined : (state.turn?.id ?? null))
  if (turnId === null) {
    throw impossible(event, 'a baseline belongs to a turn, and no turn is open', 'Record turn.started first.')
  }
  const looked = tree !== null || noTree !== null || fingerprint !== undefined || turnId !== undefined
  if (!looked) {
    const { tree: known = null, noTree: why = null, looked: last = null, baseline = null } = before ?? {}
    const { beside: still, notSaved } = before ?? {}
    return {
      tree: known,
      noTree: why,
      looked: last,
      baseline,
      changed: changed ?? before?.changed ?? null,
      ...(still !== undefined && { beside: still }),
      ...(notSaved !== undefined && { notSaved }),
    }
  }
  const isBaseline = turnId !== undefined
  return {
    tree,
    noTree,
    looked: { seq, epoch: state.epoch },
    baseline: isBaseline ? { turnId, tree, files } : (before?.baseline ?? null),
    changed: isBaseline && noTree === null ? [] : changed,
    ...(beside !== undefined && { beside }),
    ...(event.notSaved !== undefined && { notSaved: event.notSaved }),
  }
}

/** No request was made since the last verification, so this one is about the same answer. */
function begunAgain({ verification, request }: Turn): { readonly again?: number } {
  if (verification === undefined || (request?.seq ?? 0) > verification.seq) return {}
  return { again: (verification.again ?? 0) + 1 }
}

/** A run of the check itself begins a new trial; for any other room, only the latest run counts. */
/** What is stored now is what is in no tree there. */
function withoutRest({ rest: _rest, ...place }: NonNullable<SessionState['place']>): typeof place {
  return place
}

function isReplaced(other: Evidence, { baseline, room, asNow, again }: Evidence): boolean {
  if (room === 'now' && again === undefined) return true
  const isSame = (one: readonly string[] = [], two: readonly string[] = []) =>
    JSON.stringify(one) === JSON.stringify(two)
  return other.baseline === baseline && other.room === room && isSame(other.asNow, asNow) && isSame(other.again, again)
}

/** Each task has checks of its own, so without an end to it, runs of those before would become most of a long session. */
function heldEvidence(all: readonly Evidence[], goal: SessionState['goal']): readonly Evidence[] {
  const checks = new Set(goal?.checks.map(({ id }) => id))
  const ofOthers = all.filter(({ checkId }) => !checks.has(checkId))
  const dropped = new Set(ofOthers.slice(0, -stateCaps.evidenceOfOtherChecks))
  return dropped.size === 0 ? all : all.filter((run) => !dropped.has(run))
}

function withStanding(turn: Turn, { checkId, environment, judgement, next }: Evidence): Changes {
  const { verification } = turn
  if (verification === undefined) return {}
  const others = verification.checks.filter((other) => other.checkId !== checkId)
  const { tree } = verification.ground
  const checks = judgement === undefined ? verification.checks : [...others, { checkId, tree, environment, judgement }]
  const following = next === undefined ? null : { checkId, experiment: next }
  return { turn: { ...turn, verification: { ...verification, next: following, checks } } }
}

function countCrash(turn: Turn): Changes {
  return { turn: { ...turn, spent: { ...turn.spent, crashes: turn.spent.crashes + 1 } } }
}

function countCompaction(turn: Turn): Changes {
  return { turn: { ...turn, spent: { ...turn.spent, compactions: turn.spent.compactions + 1 } } }
}
