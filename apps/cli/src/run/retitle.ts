import { ownerOf, Session, type SessionStore } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'

/** Changes the title of an existing session. */
export async function retitle(store: SessionStore, id: string, title: string): Promise<void> {
  const options = { environment: systemEnvironment(), owner: ownerOf('RuntimeHandle') }
  await using session = await Session.load(store, id, options)
  await session.append({ type: 'session.titled', title, by: 'user' })
}
