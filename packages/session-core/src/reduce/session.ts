import type { EventOf } from '../events/event.ts'
import { parseState } from '../state/parse-state.ts'
import { sessionFormat, type SessionState, stateVersion } from '../state/state.ts'
import { LoaderError } from '../words/errors.ts'
import { emptyLedger } from '../words/ledger.ts'
import { List } from '../words/list.ts'
import type { CostTotals } from '../words/cost.ts'
import { addTotals, noTotals } from '../words/usage.ts'
import { withoutPublished } from './background.ts'
import { withoutHooksApart } from './hooks-apart.ts'
import { impossible, requireOwnIds, requirePairs, requireRest, type Reducers } from './reducer.ts'

/** The state after the first event. */
export function openState(event: EventOf<'session.opened'>): SessionState {
  if (event.format > sessionFormat) {
    throw new LoaderError(
      'format_newer',
      `Session ${event.id} is in format ${event.format}; this version reads formats up to ${sessionFormat}. ` +
        'Nothing was changed. Update Loader to read it.',
    )
  }
  return {
    ...emptyState(event),
    format: event.format,
    title: event.title ?? null,
    ...(event.title !== undefined && { titledBy: 'user' }),
    project: event.project ?? null,
    metadata: event.metadata ?? {},
    ...(event.parent && { parent: event.parent }),
    legacyTrace: event.legacyTrace ?? [],
  }
}

/** The state of a session of which only the id is known. */
export function emptyState(event: { readonly id: string; readonly seq: number; readonly at: string }): SessionState {
  return {
    format: sessionFormat,
    stateVersion,
    id: event.id,
    seq: event.seq,
    epoch: 0,
    createdAt: event.at,
    updatedAt: event.at,
    title: null,
    openingWords: null,
    project: null,
    metadata: {},
    owner: null,
    forkedFrom: null,
    foreign: { count: 0, critical: null },
    task: null,
    mode: 'execute',
    turn: null,
    lastTurn: null,
    queue: [],
    messages: List.of(),
    compaction: null,
    usage: noTotals,
    policy: null,
    timeline: List.of(),
    route: null,
    completion: null,
    lastTransition: null,
    ledger: emptyLedger,
    goal: null,
    evidence: [],
    acceptances: [],
    before: null,
    lastEffectSeq: null,
    lastReachSeq: null,
    unknownCalls: [],
    goodCalls: [],
    runningCheck: null,
    todos: [],
    brief: null,
    plan: null,
    workspace: null,
    touchedFiles: [],
    prompts: [],
    legacyTrace: [],
  }
}

type SessionEvents = 'opened' | 'claimed' | 'titled' | 'imported' | 'forked' | 'rewound'

export const sessionReducers: Reducers<`session.${SessionEvents}` | 'custom.recorded'> = {
  'session.opened': (state, event) => {
    throw impossible(event, `session ${state.id} is open since seq 1`, 'A session is opened once, by its first event.')
  },

  'session.claimed': (state, event) => {
    if (event.epoch <= state.epoch) {
      throw impossible(
        event,
        `epoch ${event.epoch} is not above ${state.epoch}`,
        'Claim the session through its store.',
      )
    }
    const { gaps } = state
    const isSettled = event.knowsGaps === true && gaps !== undefined
    const rest = { ...withoutPublished(state), ...withoutHooksApart(state, event) }
    return { epoch: event.epoch, owner: event.owner, ...rest, ...(isSettled && { gaps: { ...gaps, open: false } }) }
  },

  'session.titled': (state, event) => {
    // The user's title stays, whatever title a model or the runtime finds later.
    if (state.titledBy === 'user' && event.by !== 'user') return {}
    return { title: event.title, titledBy: event.by }
  },

  'session.imported': (state, event) => {
    requireRest(state, event)
    requirePairs(event, event.messages, null)
    requireOwnIds(event, event.messages)
    return {
      messages: state.messages.appendAll(event.messages),
      task: event.task ?? state.task,
      usage: addTotals(state.usage, event.usage === undefined ? {} : { ...event.usage, cost: importedCost }),
    }
  },

  'session.forked': (state, event) => {
    if (event.from.seq !== state.seq) {
      throw impossible(
        event,
        `it forks at seq ${event.from.seq}, but ${state.seq} events were copied`,
        'Copy exactly those.',
      )
    }
    // Usage of the source session is counted there, and its children are its own.
    const saved = savedWith(state, event)
    return {
      ...saved,
      id: event.id,
      forkedFrom: event.from,
      usage: noTotals,
      ...((saved.children ?? state.children) && { children: [] }),
      ...((saved.childUsage ?? state.childUsage) && { childUsage: noTotals }),
      ...((saved.hooksApart ?? state.hooksApart) && { hooksApart: [] }),
    }
  },

  'session.rewound': (state, event) => {
    requireRest(state, event)
    if (event.toSeq >= event.seq)
      throw impossible(event, `seq ${event.toSeq} is not in the past`, 'Go back to an earlier event.')
    const kept = event.restored ?? keptThrough(state, event)
    requirePairs(event, kept, null)
    const restored = new Set(event.files?.flatMap(({ path, outcome }) => (outcome === 'restored' ? [path] : [])))
    return {
      messages: List.from(kept),
      // Results and verdicts concerned work that is undone; the timeline stays, because it happened.
      lastTurn: null,
      completion: null,
      evidence: [],
      acceptances: state.acceptances.filter(({ seq }) => seq <= event.toSeq),
      touchedFiles: state.touchedFiles.filter((path) => !restored.has(path)),
      task: event.task === undefined ? state.task : event.task,
      mode: event.mode ?? state.mode,
      ledger: event.ledger ?? state.ledger,
      goal: event.goal === undefined ? state.goal : event.goal,
      ...(state.demanded != null && state.demanded.seq > event.toSeq && { demanded: null }),
      todos: event.todos ?? state.todos,
      brief: event.brief === undefined ? state.brief : event.brief,
      plan: event.plan === undefined ? state.plan : event.plan,
      before: event.before === undefined ? state.before : event.before && { ...event.before, seq: event.seq },
    }
  },

  'custom.recorded': () => ({}),
}

/** The state from which a repaired copy continues. A state of another version is ignored, like a stale snapshot. */
function savedWith({ gaps, epoch }: SessionState, { state: saved }: EventOf<'session.forked'>): Partial<SessionState> {
  if (saved === undefined) return {}
  // Version 5 lacks only the ids that were used, and version 6 holds more evidence.
  const isReadable = [5, 6, stateVersion].some((version) => saved['stateVersion'] === version)
  if (!isReadable) return {}
  const state = parseState({ ...saved, stateVersion })
  // This writer claimed the session after the gaps: it starts with nothing unknown, and has nothing left to report.
  const { untold: _told, ...known } = gaps ?? { ranges: [], at: state.updatedAt, passed: 0 }
  return { ...state, epoch: Math.max(epoch, state.epoch), gaps: { ...known, open: false } }
}

function keptThrough(state: SessionState, event: EventOf<'session.rewound'>) {
  if (event.through === null) return []
  const last = state.messages.findLastIndex((message) => message.id === event.through)
  if (last >= 0) return state.messages.slice(0, last + 1)
  throw impossible(event, `message ${event.through} is not in the window`, 'Give the whole window in `restored`.')
}

const importedCost: CostTotals = { usd: 0, known: 0, imported: true }
