import { isSessionEvent, type StoredEvent } from '@loader/session-core'

/** Packs hold the files of a project as they are, and no secret can be replaced in them. So they stay behind. */
export function withoutPacks(event: StoredEvent): StoredEvent {
  if (!isSessionEvent(event) || event.type !== 'workspace.saved') return event
  const { history: _history, ...saved } = event
  return { ...saved, pack: [] }
}
