import { type EventOf, isSessionEvent, type Recording } from '@loader/session-core'

/** A request that came to an end, and what had been stored of its answer before. */
export interface EndedRequest {
  readonly end: EventOf<'model.answered'> | EventOf<'model.failed'> | EventOf<'model.interrupted'>
  readonly text: string
  readonly reasoning: string
}

/**
 * The requests of a recording that used up a line of the script, in order. A request that the end of its process cut off
 * is none of them, even once that was recorded: it is asked again, and gets its line again. Nor is the answer to the question
 * how a turn ended, which no script has to have.
 */
export function endedRequests(recording: Recording): EndedRequest[] {
  const ended: EndedRequest[] = []
  let epoch = 0
  let asked = { epoch, text: '', reasoning: '' }
  let isAside = false
  for (const event of recording) {
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
