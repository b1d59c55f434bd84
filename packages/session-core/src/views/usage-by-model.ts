import { isSessionEvent, type History } from '../events/event.ts'
import { costOfRequest, type RequestEnd } from '../reduce/cost-of-request.ts'

import { addTotals, noTotals, type Totals } from '../words/usage.ts'

/** What each model has used, by the name under which it answered. A fork counts only its own requests. */
export function usageByModel(history: History): ReadonlyMap<string, Totals> {
  const used = new Map<string, Totals>()
  const asked = new Map<string, { readonly model: string | undefined; readonly atMostUsd: number | undefined }>()
  const arrived = new Set<string>()
  let local = false
  const ended = (event: RequestEnd) => {
    const { requestId } = event
    const request = asked.get(requestId)
    const model = ('model' in event ? event.model : undefined) ?? request?.model ?? 'not known'
    const cost = costOfRequest(event, { arrived: arrived.has(requestId), local, atMostUsd: request?.atMostUsd })
    used.set(model, addTotals(used.get(model) ?? noTotals, { ...event.usage, requests: 1, cost }))
  }
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    switch (event.type) {
      case 'session.forked':
        used.clear()
        break
      case 'policy.applied':
        local = event.model?.local === true
        break
      case 'model.asked':
        asked.set(event.requestId, { model: event.model, atMostUsd: event.atMostUsd })
        arrived.delete(event.requestId)
        break
      case 'answer.progressed':
        arrived.add(event.requestId)
        break
      case 'model.answered':
      case 'model.failed':
      case 'model.interrupted':
        ended(event)
        break
      default:
    }
  }
  return used
}
