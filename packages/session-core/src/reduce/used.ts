import type { SessionEvent, StoredEvent } from '../events/event.ts'
import { digestOf, type IdDigests, listed } from '../words/id-digests.ts'
import { callsOf } from '../words/message.ts'

/** What an id stands for, and the id. */
export type Use = readonly [kind: 'input' | 'turn' | 'request' | 'call', id: string]

/** The ids that an event gives to new things. A retried request keeps its id. */
export function usesOf(event: SessionEvent): readonly Use[] {
  switch (event.type) {
    case 'input.queued':
      return [['input', event.inputId]]
    case 'turn.started':
      return [['turn', event.turnId]]
    case 'model.asked':
      return event.attempt === 1 ? [['request', event.requestId]] : []
    case 'model.answered':
      return callsOf(event.content).map(({ id }): Use => ['call', id])
    case 'calls.recovered':
      return event.calls.map(({ id }): Use => ['call', id])
    default:
      return []
  }
}

/**
 * The digests after the event. They outlive the messages: a program that retries with an id of long ago is refused, and
 * nothing is done twice in silence.
 */
export function usedAfter(used: IdDigests | undefined, event: StoredEvent): IdDigests | undefined {
  const known = event as SessionEvent
  if (known.type === 'input.withdrawn') {
    const withdrawn = digestOf('input', known.inputId)
    return listed(used ?? '')
      .filter((digest) => digest !== withdrawn)
      .join('')
  }
  return usesOf(known).reduce<IdDigests | undefined>((all = '', use) => all + digestOf(...use), used)
}
