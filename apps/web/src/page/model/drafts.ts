import { useEffect } from 'preact/hooks'

/** Words that are not sent yet. */
export interface Draft {
  readonly text: string
  /** The id of the request that sent these words and got no answer. */
  readonly request?: string | undefined
}

const none: Draft = { text: '' }
const keyOf = (place: string) => `loader-draft:${place}`

/**
 * What was typed in a place, such as a session: in this tab, else in the last tab that typed there. Each tab keeps its
 * own draft, so that two tabs do not overwrite each other.
 */
export function readDraft(place: string): Draft {
  const stored = storages().flatMap((storage) => storage.getItem(keyOf(place)) ?? [])[0]
  if (stored === undefined) return none
  try {
    const value: unknown = JSON.parse(stored)
    if (value === null || typeof value !== 'object' || !('text' in value) || typeof value.text !== 'string') return none
    const request = 'request' in value && typeof value.request === 'string' ? value.request : undefined
    return { text: value.text, request }
  } catch (error) {
    if (error instanceof SyntaxError) return none
    throw error
  }
}

/** Keeps it over reloads. An empty one is forgotten. */
export function keepDraft(place: string, draft: Draft): void {
  const isEmpty = draft.text === ''
  for (const storage of storages()) {
    try {
      if (isEmpty) storage.removeItem(keyOf(place))
      else storage.setItem(keyOf(place), JSON.stringify(draft))
    } catch (error) {
      // The room of a browser is limited; the words are still in their field.
      if (!(error instanceof DOMException)) throw error
    }
  }
}

/** The storage of the tab comes first. */
function storages(): readonly Storage[] {
  return [sessionStorage, localStorage]
}

/** Empties the draft when another tab has sent the same words. */
export function useForgottenElsewhere(place: string, draft: { value: Draft }): void {
  useEffect(() => {
    const heard = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key !== keyOf(place) || newValue !== null || oldValue === null) return
      if (draft.value.text === '' || !oldValue.includes(JSON.stringify(draft.value.text))) return
      draft.value = none
      sessionStorage.removeItem(keyOf(place))
    }
    window.addEventListener('storage', heard)
    return () => window.removeEventListener('storage', heard)
  }, [place])
}
