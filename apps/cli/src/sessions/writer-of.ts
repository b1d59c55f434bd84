import type { FileSessionStore } from '@loader/session-fs'

/** Who holds a session right now, in words such as `held by public-agent (Agent)`; null when nobody does. */
export async function writerOf(store: FileSessionStore, id: string): Promise<string | null> {
  const { files } = await store.verify(id)
  return files.findLast(({ kind, found }) => kind === 'lock' && found.startsWith('held '))?.found ?? null
}
