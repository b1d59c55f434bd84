import { knownProvider } from '../model/known-providers.ts'
import { type AskOptions, asking, listPath, settingsOf } from './ask-provider.ts'

/** What a provider says of a key. */
export type KeyCheck =
  | { readonly state: 'good' }
  /** There is none where one is needed. */
  | { readonly state: 'missing'; readonly message: string }
  /** The provider does not accept it. */
  | { readonly state: 'refused'; readonly message: string }
  /** The provider could not be asked, or not about keys. */
  | { readonly state: 'unknown'; readonly message: string }

/** Asks a provider whether the key is good: that of the options, or the one that would be used. */
export async function checkKey(provider: string, options: AskOptions = {}): Promise<KeyCheck> {
  const known = knownProvider(provider)
  const api = settingsOf(provider, options)?.api
  const path = known?.keyPath ?? (api && listPath(provider, api))
  const { hasKey, ask } = await asking(provider, options)
  if (!hasKey && known?.key === 'required') {
    return { state: 'missing', message: `${known.title} needs a key, and there is none.` }
  }
  if (path === undefined) return { state: 'unknown', message: `${provider} cannot be asked about keys.` }
  const asked = await ask(path)
  if (asked.state === 'answered') return { state: 'good' }
  return { state: asked.kind === 'auth' ? 'refused' : 'unknown', message: asked.message }
}
