import type { EventOf } from '../events/event.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import type { Gap } from '../words/gap.ts'
import { unansweredCalls } from '../state/turn.ts'
import type { Message } from '../words/message.ts'
import { impossible, type Changes, type Reducers } from './reducer.ts'
import { emptyState } from './session.ts'

/** The prefix of ids of stand-ins. */
export const lostPrefix = 'lost_'

export const gapReducers: Reducers<'event.lost'> = {
  /** Assumes the worst: files may have changed, and calls may have run. */
  'event.lost': (state, event) => {
    const { seq, at } = event
    const gap = gapOf(event)
    const before = state.gaps ?? { ranges: [], passed: 0 }
    if (before.ranges.at(-1)?.last === gap.last && seq !== gap.first) return seenChanges(state, seq)
    const lost = { call: `${lostPrefix}${gap.first}`, seq, what: `${describeGap(gap)}, which cannot be read` }
    return {
      ...seenChanges(state, seq),
      gaps: {
        ranges: [...before.ranges, gap].slice(-stateCaps.gaps),
        open: true,
        untold: state.gaps?.untold ? { ...gap, first: state.gaps.untold.first } : gap,
        at,
        passed: before.passed,
      },
      unknownCalls: [...state.unknownCalls, lost].slice(-stateCaps.unknownCalls),
    }
  },
}

/** The state of a session whose first event is lost. */
export function stateAfterLostBeginning(event: EventOf<'event.lost'>): SessionState {
  if (event.id === undefined) throw impossible(event, 'it does not name the session', 'Give its id in `id`.')
  const empty = emptyState({ id: event.id, seq: event.seq, at: event.at })
  return { ...empty, ...gapReducers['event.lost'](empty, event) }
}

/** Adds a message that tells the model of a gap, at the first place where one is allowed. */
export function withGapTold(state: SessionState, at: string): SessionState {
  const { gaps, turn } = state
  if (gaps?.untold === undefined) return state
  if (unansweredCalls(turn).length > 0 || turn?.request?.status === 'asked' || turn?.pending) return state
  const { untold, ...told } = gaps
  return { ...state, gaps: told, messages: state.messages.append(gapMessage(untold, at)) }
}

/** Whether a message only says that events are lost. */
export function tellsOfGap({ id, origin }: Message): boolean {
  return origin === 'note' && id.startsWith(`${lostPrefix}events_`)
}

function gapMessage(gap: Gap, at: string): Message {
  const text =
    `[${describeGap(gap)} of this session cannot be read: part of the history was damaged. What was said and done ` +
    'there is unknown; look at the files before you rely on them.]'
  const id = `${lostPrefix}events_${gap.first}_${gap.last}`
  return { id, role: 'user', origin: 'note', content: [{ type: 'text', text }], at }
}

/** Names the missing events in a message: "Event 7", or "Events 7 to 9". */
export function describeGap({ first, last }: Gap): string {
  return first === last ? `Event ${first}` : `Events ${first} to ${last}`
}

function gapOf({ first, last, bytes }: EventOf<'event.lost'>): Gap {
  return { first, last, ...(bytes !== undefined && { bytes }) }
}

function seenChanges({ turn }: SessionState, seq: number): Changes {
  return {
    lastEffectSeq: seq,
    lastReachSeq: seq,
    ...(turn && { turn: { ...turn, work: { ...turn.work, lastEffectSeq: seq } } }),
  }
}
