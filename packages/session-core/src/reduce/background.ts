import type { EventOf } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { stateCaps } from '../state/state.ts'
import type { BackgroundCommand } from '../words/background.ts'
import type { Message } from '../words/message.ts'
import { type Changes, impossible, type Reducers } from './reducer.ts'

type BackgroundEvents = `background.${'started' | 'listened' | 'ended'}` | 'port.published'

export const backgroundReducers: Reducers<BackgroundEvents> = {
  'background.started': (state, event) => {
    const { background = [] } = state
    if (background.some(({ id, ended }) => id === event.id && ended === undefined)) {
      throw impossible(event, `the background command ${event.id} goes on already`, 'Give each an id of its own.')
    }
    const others = background.filter(({ id }) => id !== event.id)
    const { id, command, reach, seq } = event
    const started: BackgroundCommand = {
      id,
      command: command.slice(0, longestCommand),
      reach,
      seq,
      ports: [],
      published: [],
    }
    return { background: capped([...others, started]) }
  },

  'background.listened': (state, event) => changed(state, event, (command) => ({ ...command, ports: event.ports })),

  'background.ended': (state, event) => ({
    ...changed(state, event, (command) => ({
      ...command,
      ended: { seq: event.seq, how: event.how },
      ports: [],
      published: [],
      ...(event.note !== undefined && state.turn?.pending == null && { untold: event.note }),
    })),
    ...told(state, event),
  }),

  'port.published': (state, event) => {
    const { port, hostPort } = event
    return changed(state, event, (command) => ({
      ...command,
      published: [...command.published.filter((each) => each.hostPort !== hostPort), { port, hostPort }],
    }))
  },
}

const longestCommand = 200

/** Those that go on are never left out: decisions depend on them. */
function capped(all: readonly BackgroundCommand[]): readonly BackgroundCommand[] {
  const over = all.filter(({ ended }) => ended !== undefined).slice(0, -stateCaps.endedBackground)
  return over.length === 0 ? all : all.filter((each) => !over.includes(each))
}

function changed(
  { background = [] }: SessionState,
  event: EventOf<BackgroundEvents>,
  change: (command: BackgroundCommand) => BackgroundCommand,
): Changes {
  const known = background.find(({ id, ended }) => id === event.id && ended === undefined)
  if (known === undefined) {
    throw impossible(event, `no background command ${event.id} goes on`, 'Record background.started first.')
  }
  return { background: capped(background.map((each) => (each === known ? change(known) : each))) }
}

/** Before the first request of a turn, a note joins the words of the user. Later, it waits for the next turn. */
function told({ turn }: SessionState, { id, seq, at, note }: EventOf<'background.ended'>): Changes {
  if (note === undefined || turn?.pending == null) return {}
  return { turn: { ...turn, notes: [...turn.notes, asNote(id, seq, note, at)] } }
}

function asNote(id: string, seq: number, text: string, at: string): Message {
  return { id: `${id}_ended_${seq}`, role: 'user', origin: 'note', content: [{ type: 'text', text }], at }
}

/** What a turn begins with: ends of commands that the model does not know of. */
export function untoldEnds({ background }: SessionState, at: string): Changes & { readonly notes: readonly Message[] } {
  const notes = (background ?? []).flatMap(({ id, ended, untold }) =>
    ended === undefined || untold === undefined ? [] : [asNote(id, ended.seq, untold, at)],
  )
  if (notes.length === 0) return { notes }
  return { notes, background: (background ?? []).map(({ untold: _told, ...rest }) => rest) }
}

/** Nothing is published any more when another process takes the session. */
export function withoutPublished({ background }: SessionState): Changes {
  if (background === undefined || background.every(({ published }) => published.length === 0)) return {}
  return { background: background.map((each) => ({ ...each, published: [] })) }
}

/**
 * A look at the workspace that found another tree, while a background command could write: it may have been that command.
 * So the change counts as an effect, right before the look, and no check that ran before says anything about it.
 */
export function effectSeen(state: SessionState, event: EventOf<'workspace.observed'>): Changes {
  const { workspace, turn } = state
  const before = workspace?.tree
  const after = event.tree
  if (before == null || after === undefined || !couldWriteSince(state, workspace?.looked?.seq ?? 0)) return {}
  if (before.id === after.id && before.rest === after.rest) return {}
  const seq = event.seq - 1
  const lastEffectSeq = Math.max(state.lastEffectSeq ?? 0, seq)
  if (turn === null) return { lastEffectSeq }
  const work = { ...turn.work, lastEffectSeq: Math.max(turn.work.lastEffectSeq ?? 0, seq) }
  return { lastEffectSeq, turn: { ...turn, work } }
}

type Beside = Pick<SessionState, 'background' | 'hooksApart'>

/** What goes on, or went on, beside the turn. */
function beside({ background = [], hooksApart = [] }: Beside) {
  return [...background, ...hooksApart]
}

/** Whether a background command or hook could install packages for real at any time after this event. */
export function couldInstallSince(state: Beside, seq: number): boolean {
  return beside(state).some(
    ({ reach, ended }) => (reach === 'network' || reach === 'open') && (ended === undefined || ended.seq > seq),
  )
}

/** Whether a background command or hook could change files at any time after this event. */
export function couldWriteSince(state: Beside, seq: number): boolean {
  return beside(state).some(({ reach, ended }) => reach !== 'look' && (ended === undefined || ended.seq > seq))
}
