import type { EventOf } from '../events/event.ts'
import { type SessionState, stateCaps } from '../state/state.ts'
import { unansweredCalls } from '../state/turn.ts'
import type { ChildSession } from '../words/child.ts'
import { addTotals, noTotals } from '../words/usage.ts'
import { type Changes, impossible, type Reducers } from './reducer.ts'

type ChildEvents = `child.${'assigned' | 'opened' | 'finished' | 'merged'}`

export const childReducers: Reducers<ChildEvents> = {
  'child.assigned': (state, event) => {
    const { children = [] } = state
    const { childId: id, callId, title, agent, depth, place, tree, grant, seq } = event
    if (id === state.id || children.some((child) => child.id === id)) {
      throw impossible(event, `session ${id} has a task already`, 'Give each child an id of its own.')
    }
    const open = unansweredCalls(state.turn).find(({ call }) => call.id === callId)
    if (open?.startedEpoch === undefined) {
      throw impossible(event, `call ${callId} is not running`, 'Record tool.started first.')
    }
    if (children.some((child) => child.callId === callId)) {
      throw impossible(event, `call ${callId} has a child already`, 'A call begins one child, once.')
    }
    const child: ChildSession = {
      id,
      callId,
      title: title.slice(0, longestTitle),
      ...(agent !== undefined && { agent }),
      depth,
      place,
      ...(tree && { tree }),
      grant,
      seq,
    }
    return { children: capped([...children, child]) }
  },

  'child.opened': (state, event) => {
    requireUnfinished(state, event)
    return changed(state, event, (child) => ({ ...child, opened: true as const }))
  },

  'child.finished': (state, event) => {
    requireUnfinished(state, event)
    const { outcome, verdict, usage, tree, seq } = event
    const finished = { seq, outcome, ...(verdict && { verdict }), usage, ...(tree && { tree }) }
    return {
      ...changed(state, event, (child) => ({ ...child, finished })),
      childUsage: addTotals(state.childUsage ?? noTotals, usage),
      ...(state.turn && {
        turn: { ...state.turn, childUsage: addTotals(state.turn.childUsage ?? noTotals, usage) },
      }),
    }
  },

  'child.merged': (state, event) => {
    const { files } = event
    const conflicts = files.flatMap(({ path, outcome }) => (outcome === 'conflict' ? [path] : []))
    const merged = { files: files.length - conflicts.length, conflicts: conflicts.slice(0, stateCaps.touchedFiles) }
    const touched = files.flatMap(({ path, outcome }) => (outcome === 'merged' ? [path] : []))
    const news = touched.filter((path) => !state.touchedFiles.includes(path))
    return {
      ...changed(state, event, (child) => ({ ...child, merged })),
      ...(news.length > 0 && { touchedFiles: [...state.touchedFiles, ...news].slice(-stateCaps.touchedFiles) }),
    }
  },
}

const longestTitle = 200

/** Those that are under way are never left out: what they may use is taken from what the parent has left. */
function capped(all: readonly ChildSession[]): readonly ChildSession[] {
  const over = all.filter(({ finished }) => finished !== undefined).slice(0, -stateCaps.finishedChildren)
  return over.length === 0 ? all : all.filter((each) => !over.includes(each))
}

/** A result is taken over once: what a child has used is counted once. */
function requireUnfinished({ children = [] }: SessionState, event: EventOf<'child.opened' | 'child.finished'>): void {
  const known = children.find(({ id }) => id === event.childId)
  if (known?.finished === undefined) return
  throw impossible(event, `session ${event.childId} is finished already`, 'Its result is taken over once.')
}

function changed(
  { children = [] }: SessionState,
  event: EventOf<Exclude<ChildEvents, 'child.assigned'>>,
  change: (child: ChildSession) => ChildSession,
): Changes {
  const known = children.find(({ id }) => id === event.childId)
  if (known === undefined) {
    throw impossible(event, `session ${event.childId} has no task from here`, 'Record child.assigned first.')
  }
  return { children: capped(children.map((each) => (each === known ? change(known) : each))) }
}
