import { isSessionEvent, type History, type SessionEvent } from '@loader/session-core'
import type { TreeSpan, WorkspaceTree } from '@loader/session-core/coding'

/** What turns did to the files, as far as trees show. */
export interface WorkOfTurns {
  /** The periods in which their calls and checks ran, in order, each with the tree before and after it. */
  readonly spans: readonly TreeSpan[]
  /** Turns that may have changed files without an observation: their changes are unknown. */
  readonly unseen: readonly { readonly turnId: string; readonly why: string }[]
}

const olderVersion = 'an older version of Loader took no tree of the files'
const notLooked = 'it ended before its last calls were looked at'

/** Collects from a history what these turns changed. */
export function workOfTurns(history: History, turnIds: readonly string[]): WorkOfTurns {
  const chosen = new Set(turnIds)
  const spans: TreeSpan[] = []
  const unseen = new Map<string, string>()
  const effects = effectsOf(history)
  let turn:
    | { readonly id: string; tree: WorkspaceTree | undefined; open: WorkspaceTree | undefined; why: string }
    | undefined
  for (const event of history.filter(isSessionEvent)) {
    if (event.type === 'turn.started') {
      turn = chosen.has(event.turnId)
        ? { id: event.turnId, tree: undefined, open: undefined, why: olderVersion }
        : undefined
    }
    if (turn === undefined) continue
    if (event.type === 'workspace.observed') {
      const { tree, noTree = turn.why } = event
      if (!looksAtFiles(event)) continue
      if (turn.open !== undefined && tree === undefined) unseen.set(turn.id, noTree)
      if (turn.open !== undefined && tree !== undefined && !isSame(turn.open, tree)) {
        spans.push({ before: turn.open, after: tree })
      }
      turn = { ...turn, tree, open: undefined, why: noTree }
    }
    if (event.type === 'tool.started' && effects.has(event.callId)) {
      if (turn.open === undefined && turn.tree === undefined) unseen.set(turn.id, turn.why)
      turn.open ??= turn.tree
    }
    if (event.type === 'check.started' && event.room === undefined) turn.open ??= turn.tree
    // A check that left the files as they were is not followed by an observation.
    if (event.type === 'check.finished') turn.open = undefined
    if (event.type === 'turn.finished') {
      if (turn.open !== undefined) unseen.set(turn.id, notLooked)
      turn = undefined
    }
  }
  return { spans, unseen: [...unseen].map(([turnId, why]) => ({ turnId, why })) }
}

type Observed = Extract<SessionEvent, { type: 'workspace.observed' }>

function looksAtFiles({ tree, noTree, fingerprint }: Observed): boolean {
  return tree !== undefined || noTree !== undefined || fingerprint !== undefined
}

/** Calls that may have changed files. A call that was never examined may do anything. */
function effectsOf(history: History): ReadonlySet<string> {
  const started = new Set<string>()
  const harmless = new Set<string>()
  for (const event of history.filter(isSessionEvent)) {
    if (event.type === 'tool.started') started.add(event.callId)
    if (event.type !== 'call.examined') continue
    if (event.effect === 'none' || event.effect === 'probe') harmless.add(event.callId)
    else harmless.delete(event.callId)
  }
  return new Set([...started].filter((callId) => !harmless.has(callId)))
}

function isSame(one: WorkspaceTree, other: WorkspaceTree): boolean {
  return one.id === other.id && one.rest === other.rest
}
