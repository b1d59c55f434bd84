import { type Backend, LoaderError } from '@loader/session-core'
import type { Settings } from '../settings/settings.ts'
import type { Beginning } from './beginning.ts'

/** The error if the model of a session is not available. It names the model, because the user did not. */
export function modelOfSession(id: string, name: string, error: unknown): unknown {
  if (!LoaderError.is(error, 'invalid_config')) return error
  const advice = 'To go on with another model: -m <provider/id>'
  return new LoaderError('invalid_config', `Session ${id} was worked on with ${name}. ${error.message} ${advice}`)
}

/** A model by its name. What talks to models is loaded once one is wanted. */
export async function backendFrom(name: string, settings: Settings, beginning: Beginning): Promise<Backend> {
  const { backendOf } = await import('./backend-of.ts')
  return backendOf(name, settings, beginning)
}

/** The model that takes over. That of the session itself would not help. */
export async function fallbackFor(
  model: string,
  settings: Settings,
  beginning: Beginning,
): Promise<Backend | undefined> {
  const name = beginning.given.value('fallback-model') ?? settings.fallbackModel
  if (name === undefined || name === model) return undefined
  return backendFrom(name, settings, beginning)
}
