import { ownerInWords, type SessionStore } from '@loader/session-core'

/**
 * The current writer of a session as text, such as `held by process 7 on here (public-agent)`; null if there is
 * none, or if the store cannot tell.
 */
export async function writerOf(store: SessionStore, id: string): Promise<string | null> {
  const holder = (await store.holder?.(id)) ?? null
  if (holder === null) return null
  return `held by ${ownerInWords(holder)}`
}
