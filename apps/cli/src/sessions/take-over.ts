import { LoaderError, readSession, type SessionStore } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { onceFree } from './once-free.ts'
import { commandOwner } from './owner.ts'

/**
 * Prepares to claim a session that another process holds: with --take-over it is released from that process and its
 * owner is reported; without, the error names the option. The claim itself is an ordinary one. A session that rests is
 * waited for: a process stores the end of a turn before it leaves, so others see that end a moment before they can claim.
 */
export async function freeSession(
  store: SessionStore,
  id: string,
  given: Given,
  onNote: ((note: string) => void) | undefined,
): Promise<void> {
  if (((await store.holder?.(id)) ?? null) === null) return
  const takeover = given.has('take-over')
  const claim = () => store.claim(id, { owner: commandOwner, expect: 'existing', takeover })
  try {
    const { writer, report } = await onceFree(claim, { mostTries: 20, makesSense: () => rests(store, id) })
    await writer.release()
    for (const { message } of report.findings) onNote?.(message)
  } catch (error) {
    if (takeover || !LoaderError.is(error, 'session_busy')) throw error
    const words = `${error.message} To take it over: the same command with --take-over.`
    throw new LoaderError('session_busy', words, { cause: error })
  }
}

async function rests(store: SessionStore, id: string): Promise<boolean> {
  const { turn, queue } = (await readSession(store, id, { gaps: 'mark' })).state
  return turn === null && queue.length === 0
}
