import { type Backend, BackendError, type BackendEvent, type JsonObject } from '@loader/session-core'
import type { Known } from './known.ts'

/** Failures that can mean that the known capabilities of the model are outdated. */
const doubtful: ReadonlySet<string> = new Set(['bad_request', 'context_too_long', 'other'])

/** Wraps a backend so that it detects when the known facts about its model are outdated. */
export function attentive<Facts extends JsonObject>(backend: Backend, known: Known<Facts>): Backend {
  return { ...backend, stream: (request, options) => attended(backend.stream(request, options), known) }
}

async function* attended<Facts extends JsonObject>(
  events: AsyncIterable<BackendEvent>,
  known: Known<Facts>,
): AsyncGenerator<BackendEvent, void, undefined> {
  let isAnswered = false
  try {
    for await (const event of events) {
      if (!isAnswered && event.type !== 'status') {
        isAnswered = true
        known.refresh()
      }
      yield event
    }
  } catch (error) {
    const isDoubtful = !isAnswered && error instanceof BackendError && doubtful.has(error.failure.kind)
    throw isDoubtful && (await known.renew()) ? otherModel(error) : error
  }
}

/** The failure of a request that was made for an outdated model: retried with the current facts, it may succeed. */
function otherModel({ failure }: BackendError): BackendError {
  const message = `${failure.message}\nIt is not the model that it was: what it can do was asked again.`
  return new BackendError({ ...failure, kind: 'model_changed', message })
}
