import { type EventOf, isSessionEvent, type History } from '@loader/session-core'

/** A request that ended, and the part of its answer that was stored before. */
export interface EndedRequest {
  readonly end: EventOf<'model.answered'> | EventOf<'model.failed'> | EventOf<'model.interrupted'>
  readonly text: string
  readonly reasoning: string
}

/**
 * The requests of a history that used up a line of the script, in order. A request interrupted by the end of its
 * process does not count, even if that was recorded: it is asked again and gets the same line. Nor does the question
 * how a turn ended, for which a script needs no line.
 */
export function endedRequests(history: History): EndedRequest[] {
  const ended: EndedRequest[] = []
  let epoch = 0
  let asked = { epoch, text: '', reasoning: '' }
  let isAside = false
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    switch (event.type) {
      case 'session.claimed':
        epoch = event.epoch
        break
      case 'workflow.decided':
        isAside = event.asks === 'how_it_ended'
        break
      case 'model.asked':
        asked = { epoch, text: '', reasoning: '' }
        break
      case 'answer.progressed':
        asked.text += event.text ?? ''
        asked.reasoning += event.reasoning ?? ''
        break
      case 'model.answered':
      case 'model.failed':
      case 'model.interrupted':
        if (asked.epoch === epoch && !isAside) ended.push({ end: event, text: asked.text, reasoning: asked.reasoning })
        isAside = false
    }
  }
  return ended
}
