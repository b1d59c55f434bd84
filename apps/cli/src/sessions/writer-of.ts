import type { SessionStore } from '@loader/session-core'

/**
 * The current writer of a session as text, such as `held by public-agent (Agent, process 7 on here)`; null if there is
 * none, or if the store cannot tell.
 */
export async function writerOf(store: SessionStore, id: string): Promise<string | null> {
  const holder = (await store.holder?.(id)) ?? null
  if (holder === null) return null
  const { type, path, pid, host } = holder
  const place = pid === undefined ? '' : `, process ${pid}${host === undefined ? '' : ` on ${host}`}`
  return `held by ${path} (${type}${place})`
}
