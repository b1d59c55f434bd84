import { leftOutText } from '@loader/readings'
import { LoaderError, type SessionStore } from '@loader/session-core'
import { prepareWorkspace, type PreparedWorkspace } from '@loader/workspace'
import type { Beginning } from './beginning.ts'

/**
 * Before a session of a database goes on: makes the files of this folder those that the session has left, wherever that
 * was. A folder with other files is refused, and stays as it is.
 */
export async function prepareFolder(
  store: SessionStore,
  sessionId: string,
  { places, console, onNote }: Pick<Beginning, 'places' | 'console' | 'onNote'>,
): Promise<void> {
  if (store.keepsFiles !== true) return
  const prepared = await prepareWorkspace({ store, sessionId, folder: places.root, variables: console.environment })
  if (prepared.kind !== 'prepared') return
  onNote?.(preparedNote(prepared))
  if (prepared.root === places.root) return
  throw new LoaderError(
    'workspace_differs',
    `The project of session ${sessionId} is a part of its repository: it is in ${prepared.root} now. Go on there: ` +
      `cd ${prepared.root} && loader -r ${sessionId}`,
  )
}

const how = { cloned: 'cloned, and brought to', unpacked: 'unpacked as', updated: 'brought to' } as const

function preparedNote({ how: made, missing, kept }: Extract<PreparedWorkspace, { kind: 'prepared' }>): string {
  const lines = [`The files here were ${how[made]} what the session has stored.`]
  if (missing.length > 0) lines.push(`Not here: ${leftOutText(missing)}.`)
  if (kept.length > 0) lines.push(`Left as they are, because they are yours: ${kept.join(', ')}.`)
  return lines.join(' ')
}
