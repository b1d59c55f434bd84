import { checkKey, knownProviders, parseModelName } from '@loader/backends'
import { LoaderError } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { Settings } from '../settings/settings.ts'
import { connectionOf } from './connection-of.ts'

/** What is wrong with the key of a model, and what to do; undefined if nothing is wrong, or that is unknown. */
export async function keyTrouble(
  model: string,
  settings: Settings,
  { console, places, signal }: { readonly console: Console; readonly places: Places; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { provider } = parseModelName(model)
  const api = settings.providers?.[provider]?.api
  const known = knownProviders.find(({ name }) => name === provider) ?? knownProviders.find(({ name }) => name === api)
  if (known?.key !== 'required') return undefined
  try {
    const check = await checkKey(provider, { ...connectionOf(settings, console, places), signal })
    if (check.state === 'refused') return check.message
    if (check.state !== 'missing') return undefined
    return `${check.message} Keep one with: loader login ${provider}`
  } catch (error) {
    if (signal.aborted) return undefined
    if (LoaderError.is(error)) return error.message
    throw error
  }
}
