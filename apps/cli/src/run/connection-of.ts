import { join } from 'node:path'
import type { BackendOptions, ProviderSettings } from '@loader/backends'
import type { Console } from '../console/console.ts'
import { credentialFile, keptKeyIn } from '../keys/kept-keys.ts'
import type { Places } from '../places/places.ts'
import type { Settings } from '../settings/settings.ts'

/** How every model is reached: the user's own providers, and where keys are kept. */
export function connectionOf(
  { providers = {}, contextWindow: window }: Settings,
  { environment }: Pick<Console, 'environment'>,
  places: Pick<Places, 'config'>,
) {
  const own = Object.entries(providers).map(([name, { api, baseUrl, apiKeyVariable, contextWindow = window }]) => [
    name,
    {
      api,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyVariable !== undefined && { apiKeyVariable }),
      ...(contextWindow !== undefined && { contextWindow }),
    } satisfies ProviderSettings,
  ])
  return {
    variables: environment,
    credentialFile: credentialFile(places),
    keptKey: keptKeyIn(places),
    loginCommand: 'loader login',
    providers: Object.fromEntries(own),
    settingsFile: join(places.config, 'settings.json'),
  } satisfies BackendOptions
}
