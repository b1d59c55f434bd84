import { LoaderError, type SessionStore } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { commandOwner } from './owner.ts'

/**
 * Before a command claims a session that another process holds: with --take-over it is taken from that process, and whose
 * it was is told; without, the refusal says how. The claim that follows is one like any other.
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
