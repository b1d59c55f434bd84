import { LoaderError, type SessionStore } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { commandOwner } from './owner.ts'

/**
 * Prepares to claim a session that another process holds: with --take-over it is released from that process and its
 * owner is reported; without, the error names the option. The claim itself is an ordinary one.
 */
export async function freeSession(
  store: SessionStore,
  id: string,
  given: Given,
  onNote: ((note: string) => void) | undefined,
): Promise<void> {
  if (((await store.holder?.(id)) ?? null) === null) return
  const takeover = given.has('take-over')
  try {
    const { writer, report } = await store.claim(id, { owner: commandOwner, expect: 'existing', takeover })
    await writer.release()
    for (const { message } of report.findings) onNote?.(message)
  } catch (error) {
    if (takeover || !LoaderError.is(error, 'session_busy')) throw error
    const words = `${error.message} To take it over: the same command with --take-over.`
    throw new LoaderError('session_busy', words, { cause: error })
  }
}
