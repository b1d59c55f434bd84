import { type Backend, BackendError, type BackendDone, type EventOf, type SessionEvent } from '@loader/session-core'
import type { ReplayDesk } from './replay-desk.ts'

/** A model that gives its recorded answers and is interrupted where it was. */
export function recordedBackend({ session, answer }: ReplayDesk): Backend {
  return {
    get id() {
      return session.find(isAsked)?.model ?? 'recorded/model'
    },
    async *stream({ requestId }) {
      const isEnd = (event: SessionEvent): event is Ending => isEnding(event) && event.requestId === requestId
      const end = await answer(() => session.find(isEnd))
      if (end?.type === 'model.failed' && end.usage === undefined) throw new BackendError(end.error)
      if (end !== undefined) yield asDone(end)
    },
  }
}

type Ending = EventOf<'model.answered'> | EventOf<'model.failed'>

function isAsked(event: SessionEvent): event is EventOf<'model.asked'> {
  return event.type === 'model.asked'
}

function isEnding(event: SessionEvent): event is Ending {
  return event.type === 'model.answered' || event.type === 'model.failed'
}

function asDone(event: Ending): BackendDone {
  const usage = event.usage && { usage: event.usage }
  // Among failures, only an interrupted answer has a recorded usage.
  if (event.type === 'model.failed') return { type: 'done', content: [], finishReason: 'interrupted', ...usage }
  const { content, finishReason, model, cost, providerMetadata } = event
  return {
    type: 'done',
    content: content.map((part) => {
      if (part.type !== 'call') return part
      const { providerId = part.call.id, ...call } = part.call
      return { ...part, call: { ...call, id: providerId } }
    }),
    finishReason,
    ...usage,
    ...(model !== undefined && { model }),
    ...(cost && { cost }),
    ...(providerMetadata && { providerMetadata }),
  }
}
