import { type History, isSessionEvent, LoaderError } from '@loader/session-core'
import type { TreeSpan, WorkspaceTrees } from '@loader/session-core/coding'
import { liveTurns, workOfTurns } from '@loader/workflow'
import type { DiffOutput } from '../schemas/diff.ts'
import { differenceOf, nothingChanged } from './difference.ts'

/** What is asked of a session: one call, one turn, or everything. */
export interface Wanted {
  readonly turn?: string
  readonly call?: string
}

/** What was changed in files, as far as trees were kept. `trees` is called only where there is something to compare. */
export async function diffOfSession(
  id: string,
  history: History,
  { turn, call }: Wanted,
  trees: () => WorkspaceTrees,
): Promise<DiffOutput> {
  if (call !== undefined) return diffOfCall(id, history, call, trees)
  const live = liveTurns(history).map(({ turnId }) => turnId)
  if (turn !== undefined && !live.includes(turn)) throw notThere(id, `turn ${turn}`)
  const turnIds = turn === undefined ? live : [turn]
  const { spans, unseen } = workOfTurns(history, turnIds)
  const [first, ...others] = spans
  const done = first === undefined ? nothingChanged : await differenceOf(trees(), [first, ...others])
  return { session: id, turnIds, ...done, unseen }
}

async function diffOfCall(
  id: string,
  history: History,
  callId: string,
  trees: () => WorkspaceTrees,
): Promise<DiffOutput> {
  const { turnId, span } = periodOfCall(history, callId)
  if (turnId === undefined) throw notThere(id, `call ${callId}`)
  if (span === undefined) {
    const why = 'no tree of the files was taken before and after this call'
    return { session: id, turnIds: [turnId], ...nothingChanged, unseen: [{ turnId, why }] }
  }
  return { session: id, turnIds: [turnId], ...(await differenceOf(trees(), [span])), unseen: [] }
}

/** The trees around a call. Calls that ran at the same time lie between the same two. */
function periodOfCall(history: History, callId: string): { readonly turnId?: string; readonly span?: TreeSpan } {
  let turnId: string | undefined
  let before: TreeSpan['before'] | undefined
  let isStarted = false
  for (const event of history.filter(isSessionEvent)) {
    if (event.type === 'turn.started' && !isStarted) {
      turnId = event.turnId
      before = undefined
    }
    if (event.type === 'tool.started' && event.callId === callId) isStarted = true
    if (event.type === 'turn.finished' && isStarted) break
    if (event.type !== 'workspace.observed' || event.tree === undefined) continue
    if (isStarted && turnId !== undefined) return { turnId, ...(before && { span: { before, after: event.tree } }) }
    before = event.tree
  }
  return isStarted && turnId !== undefined ? { turnId } : {}
}

function notThere(id: string, what: string): LoaderError {
  return new LoaderError('invalid_id', `Session ${id} has no ${what}.`)
}
