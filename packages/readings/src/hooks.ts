import { type EventOf, excerptOf, type History, isSessionEvent } from '@loader/session-core'
import type { HookRun } from '@loader/session-core/coding'
import type { ShownHook } from './schemas/show.ts'

type Finished = EventOf<'hook.finished'>
type Started = EventOf<'hook.started'>

const decisions: Readonly<Record<Finished['decision'], string | undefined>> = {
  continue: undefined,
  deny: 'objected',
  cancel: 'ended the turn',
  fail: 'failed, which ended the turn',
}

/** What a hook said, in one line; undefined if it had nothing to say. A background hook has decided nothing. */
export function hookWords(event: Finished | EventOf<'hook.ended'>): string | undefined {
  const { context, note } = event
  const said = [
    ...(event.type === 'hook.finished' ? decidedBy(event) : []),
    context === undefined ? undefined : `told the model: ${excerptOf(context)}`,
    note,
  ].filter((part) => part !== undefined)
  return said.length === 0 ? undefined : said.join('; ')
}

function decidedBy({ decision, permit, answers, input, message }: Finished): readonly (string | undefined)[] {
  return [
    decisions[decision],
    permit === undefined ? undefined : `said ${permit}`,
    answers === undefined ? undefined : 'allowed the call, if the user would be asked',
    input === undefined ? undefined : 'changed the arguments',
    message,
  ]
}

/** The hooks of a history at their places. `spoken` are those that had something to say, or of which something is not known. */
export function hooksIn(history: History, which: 'all' | 'spoken'): readonly ShownHook[] {
  const going = new Map<string, Started>()
  const shown: ShownHook[] = []
  const apart = (
    event: { seq: number; at: string },
    of: Started,
    what: NonNullable<ShownHook['apart']>,
    text: string,
  ) => {
    const { hook, on, callId } = of
    const about = { hook, on, decision: 'continue' as const, ...(callId !== undefined && { callId }), apart: what }
    shown.push({
      kind: 'hook',
      seq: event.seq,
      at: event.at,
      standing: 'live',
      ...about,
      text: `hook ${hook} (${on}): ${text}`,
    })
  }
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    switch (event.type) {
      case 'hook.finished': {
        const words = hookWords(event)
        // The moment had no hook that is waited for.
        const isNone = event.hook === 'none' && event.ran === undefined
        if (words === undefined && (isNone || which === 'spoken')) break
        const { seq, at, hook, on, decision, callId, ran } = event
        const text = `hook ${hook} (${on}): ${words ?? 'nothing to say'}`
        const of = { ...(callId !== undefined && { callId }), ...(ran && { ran }) }
        shown.push({ kind: 'hook', seq, at, standing: 'live', hook, on, decision, ...of, text })
        break
      }
      case 'hook.started':
        going.set(event.id, event)
        if (which === 'all') apart(event, event, 'began', 'began; nobody waits for it')
        break
      case 'hook.ended': {
        const words = hookWords(event)
        const begun = going.get(event.id)
        going.delete(event.id)
        if (begun !== undefined && (which === 'all' || words !== undefined))
          apart(event, begun, 'ended', [endWords(event.ran), ...(words === undefined ? [] : [words])].join('; '))
        break
      }
      case 'session.claimed':
        for (const begun of going.values())
          apart(event, begun, 'not known', 'how it ended is not known: the process that began it ended first')
        going.clear()
        break
      case 'session.forked':
        going.clear()
        break
      default:
    }
  }
  return shown
}

function endWords({ ended, exitCode }: HookRun): string {
  switch (ended) {
    case 'exited':
      return `ended with code ${exitCode ?? 'unknown'}`
    case 'timed_out':
      return 'was ended: its time was over'
    case 'cancelled':
      return 'was ended with the session'
    case 'killed':
      return 'was killed'
    case 'not_started':
      return 'did not start'
    default:
      return ended satisfies never
  }
}
