import { type Backend, BackendError, type BackendEvent } from '@loader/session-core'
import { parseModelName } from '../model/model-name.ts'
import { type AskOptions } from './ask-provider.ts'

/** A backend that says which models its provider has when it does not know the one that is asked. */
export function suggesting(backend: Backend, options: AskOptions): Backend {
  return {
    ...backend,
    stream: (request, more = {}) => answered(backend.stream(request, more), backend.id, { ...options, ...more }),
  }
}

async function* answered(
  events: AsyncIterable<BackendEvent>,
  id: string,
  options: AskOptions,
): AsyncGenerator<BackendEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    const isUnknown = error instanceof BackendError && error.failure.kind === 'unknown_model'
    throw isUnknown ? await withSuggestions(error, id, options) : error
  }
}

async function withSuggestions({ failure }: BackendError, id: string, options: AskOptions): Promise<BackendError> {
  const { suggestions } = await import('./suggestions.ts')
  const advice = await suggestions(parseModelName(id), options)
  return new BackendError({ ...failure, message: `${failure.message}\n${advice}` })
}
