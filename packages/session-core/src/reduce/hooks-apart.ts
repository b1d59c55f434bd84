import type { EventOf } from '../events/event.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import type { HookApart } from '../words/hook-apart.ts'
import type { Message } from '../words/message.ts'
import { type Changes, impossible, type Reducers } from './reducer.ts'

export const hookApartReducers: Reducers<'hook.started' | 'hook.ended'> = {
  'hook.started': ({ hooksApart = [] }, event) => {
    const { id, hook, seq, runs } = event
    if (hooksApart.some((each) => each.id === id)) {
      throw impossible(event, `the hook ${id} has begun already`, 'Give each run of a hook an id of its own.')
    }
    return { hooksApart: capped([...hooksApart, { id, hook, reach: runs.reach, seq }]) }
  },

  'hook.ended': ({ hooksApart = [] }, event) => {
    const { id, hook, seq, context } = event
    const known = hooksApart.find((each) => each.id === id && each.ended === undefined)
    if (known === undefined) throw impossible(event, `no hook ${id} goes on`, 'Record hook.started first.')
    const ended = { ...known, ended: { seq }, ...(context !== undefined && { untold: `[HOOK ${hook}] ${context}` }) }
    return { hooksApart: capped(hooksApart.map((each) => (each === known ? ended : each))) }
  },
}

/** Those that go on are never left out: decisions depend on them. */
function capped(all: readonly HookApart[]): readonly HookApart[] {
  const over = all.filter(({ ended }) => ended !== undefined).slice(0, -stateCaps.endedHooksApart)
  return over.length === 0 ? all : all.filter((each) => !over.includes(each))
}

/** They end with the process that began them. If it did not record an end, how the hook ended is unknown. */
export function withoutHooksApart(
  { hooksApart }: SessionState,
  { seq }: Pick<EventOf<'session.claimed'>, 'seq'>,
): Changes {
  if (hooksApart === undefined || hooksApart.every(({ ended }) => ended !== undefined)) return {}
  return { hooksApart: capped(hooksApart.map((each) => ({ ...each, ended: each.ended ?? { seq } }))) }
}

/** What a turn begins with: what such hooks had to tell the model since the last one. */
export function untoldHooks(
  { hooksApart }: SessionState,
  at: string,
): Changes & { readonly notes: readonly Message[] } {
  const notes = (hooksApart ?? []).flatMap(({ id, untold }): Message[] =>
    untold === undefined
      ? []
      : [{ id: `${id}_told`, role: 'user', origin: 'note', content: [{ type: 'text', text: untold }], at }],
  )
  if (notes.length === 0) return { notes }
  return { notes, hooksApart: (hooksApart ?? []).map(({ untold: _told, ...rest }) => rest) }
}
