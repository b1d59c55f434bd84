import type { Session } from '@loader/session-core'
import type { Background } from '@loader/session-core/coding'
import { noteBackground } from './note-background.ts'
import { noteHooksApart } from './note-hooks-apart.ts'
import type { Hook } from './stage/hooks.ts'
import type { HooksApart } from './stage/hooks-apart.ts'

// What goes on beside the turns of a session ends when the session is left. A session that is lost to another writer is not
// written to any more.

/** Runs the hooks on the end of a session. Nothing waits for what they say. */
export async function runEndHooks(hooks: readonly Hook[], session: Session | undefined): Promise<void> {
  const due = hooks.filter(({ on }) => on === 'session_ended')
  if (due.length === 0 || !isWritable(session)) return
  const { endHooks } = await import('./perform/end-hooks.ts')
  await endHooks(due, session)
}

/** Ends the hooks that no turn waits for, and records how they ended. */
export async function closeHooks(going: HooksApart | undefined, session: Session | undefined): Promise<void> {
  if (going === undefined) return
  await going.close()
  if (!isWritable(session)) return
  noteHooksApart(session, going)
  await session.durable()
}

/** Ends background commands that do not outlive the session with this id, and records that they have ended. */
export async function closeBackground(
  background: Background | undefined,
  id: string,
  session: Session | undefined,
): Promise<void> {
  if (background === undefined) return
  await background.close(id)
  // A session that nothing was done in is left as it was.
  if (!isWritable(session) || session.state.background === undefined) return
  noteBackground(session, background)
  await session.durable()
}

function isWritable(session: Session | undefined): session is Session {
  return session !== undefined && session.lost?.aborted !== true
}
