import {
  addTotals,
  isStorageRefusal,
  LoaderError,
  noTotals,
  readSession,
  type SessionEvent,
  type SessionState,
  type Totals,
  turnSummary,
  usageWithChildren,
} from '@loader/session-core'
import type {
  ChildGrant,
  ChildOutcome,
  ChildSession,
  CopiedTree,
  Delegation,
  MergedFile,
  SettledResult,
  ToolContext,
} from '@loader/session-core/coding'
import { childFound, childReach, isModeWithin, shareAgain } from '@loader/workflow'
import type { ChildAgent, ChildCopy, ChildPorts } from './child-agent.ts'
import { askedThrough } from './in-turn.ts'
import { mergeCopy } from './merge-copy.ts'
import { childResult } from './child-result.ts'

/** A call that has a child, and what it runs with. */
export interface ChildCall {
  readonly task: string
  readonly ports: ChildPorts
  readonly delegation: Delegation
  readonly context: Pick<ToolContext, 'signal' | 'onOutput'>
}

/**
 * Runs the child of a call to its end, from any state, and applies its result. Every step is recorded before the next one
 * begins, so after a crash each step finds what was done, and continues from there.
 */
export async function settleChild(callId: string, call: ChildCall): Promise<SettledResult> {
  const { ports, delegation } = call
  let child = childOf(delegation.state, callId)
  if (child.finished === undefined) {
    await finishChild(child, call)
    child = childOf(delegation.state, callId)
  }
  const files = await takenOver(child, call)
  if (child.finished?.tree !== undefined) await ports.copies.remove(child.id)
  return childResult(childOf(delegation.state, callId), await stateOf(child.id, ports), files)
}

function childOf({ children = [] }: SessionState, callId: string): ChildSession {
  const child = children.find((each) => each.callId === callId)
  if (child !== undefined) return child
  throw new LoaderError('impossible_event', `Call ${callId} has no child. Record child.assigned first.`)
}

/** The state of the child, from its own log; null if it has none. */
async function stateOf(id: string, { store }: ChildPorts): Promise<SessionState | null> {
  try {
    return (await readSession(store(), id, { gaps: 'mark' })).state
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return null
    throw error
  }
}

interface Ended {
  readonly outcome: ChildOutcome
  readonly reason?: string
  /** What to say if the child has no answer. */
  readonly why?: string
  readonly state: SessionState | null
  readonly tree?: CopiedTree
}

async function finishChild(child: ChildSession, call: ChildCall): Promise<void> {
  const { delegation, ports } = call
  const found = await stateOf(child.id, ports)
  const next = childFound(delegation.state, child, found)
  const ended =
    next.do === 'call_unknown'
      ? ({ outcome: 'unknown', why: next.why, state: found } as const)
      : await workedOn(child, next.do, call)
  const { outcome, reason, why, state, tree } = ended
  const answer = state === null ? '' : (turnSummary(state)?.response ?? '')
  const verdict = state?.lastTurn?.verdict
  await delegation.record({
    type: 'child.finished',
    childId: child.id,
    outcome,
    ...(reason !== undefined && { reason }),
    ...(verdict !== undefined && { verdict }),
    usage: usageOf(state),
    text: await delegation.storeText([answer, why].filter((part) => part !== undefined && part !== '').join('\n')),
    ...(tree && { tree }),
  })
}

/** Includes an open turn, which the child left behind. */
function usageOf(state: SessionState | null): Totals {
  if (state === null) return noTotals
  return addTotals(usageWithChildren(state), { iterations: state.turn?.spent.iterations ?? 0 })
}

async function workedOn(child: ChildSession, what: 'begin' | 'go_on' | 'take_result', call: ChildCall): Promise<Ended> {
  const { delegation, ports, context } = call
  const before = await stateOf(child.id, ports)
  if (what === 'begin' && context.signal?.aborted === true) return { outcome: 'interrupted', state: before }
  const copy = await copyFor(child, before, ports)
  if (copy === 'gone') {
    const why = `The copy that it worked in is not on this machine. What it changed there is in session ${child.id}, as far as it was looked at.`
    return { outcome: 'unknown', why, state: before }
  }
  const grant = grantNow(delegation.state, child)
  const kind = child.agent === undefined ? undefined : ports.kinds.get(child.agent)
  const about = { parent: delegation.state, child, grant, kind, ...(copy && { copy }) }
  const { agent, trees } = await ports.begin(about)
  try {
    const why = await worked(agent, child, what, call)
    const { state } = agent.session
    // This process never held it: another process works on it.
    if (state === null) return { outcome: 'unknown', ...(why !== undefined && { why }), state: before }
    const taken = copy === undefined ? undefined : await trees?.take()
    const tree = taken?.kind === 'taken' ? { id: taken.tree.id, rest: taken.tree.rest } : undefined
    const reason = state?.lastTurn?.reason
    return {
      outcome: why === undefined ? outcomeOf(state) : 'failed',
      ...(reason !== undefined && { reason }),
      ...(why !== undefined && { why }),
      state,
      ...(tree && { tree }),
    }
  } finally {
    await agent.close()
  }
}

async function copyFor(
  child: ChildSession,
  state: SessionState | null,
  ports: ChildPorts,
): Promise<ChildCopy | undefined | 'gone'> {
  if (child.place === 'look' || child.tree === undefined) return undefined
  if (state === null || state.lastEffectSeq === null) return ports.copies.open(child.id, child.tree.id)
  // It may have changed its copy. A new copy has these changes only if its last observed tree does.
  const known = ports.copies.find(child.id)
  if (known !== 'torn') return known ?? 'gone'
  return ports.copies.open(child.id, state.workspace?.tree?.id ?? child.tree.id)
}

/** What the child was granted, reduced to what its parent has now. */
function grantNow(parent: SessionState, child: ChildSession): ChildGrant {
  const { policy } = parent
  const { grant, place } = child
  if (policy === null) return grant
  const now = childReach(policy, { tools: grant.tools, reach: grant.within, place })
  const mode = isModeWithin(grant.mode, now.mode) ? grant.mode : now.mode
  return { ...now, mode, ...shareAgain(parent, child) }
}

/** Runs the child until its turn has ended. If that fails, returns why. */
async function worked(
  agent: ChildAgent,
  child: ChildSession,
  what: 'begin' | 'go_on' | 'take_result',
  { task, delegation, context }: ChildCall,
): Promise<string | undefined> {
  const { signal, onOutput } = context
  try {
    if (!(await agent.resumeSession(child.id))) await agent.open()
    if (child.opened === undefined) await delegation.record({ type: 'child.opened', childId: child.id })
    const run = {
      ...(signal && { signal }),
      ...askedThrough(child.title, delegation),
      onEvent: (event: SessionEvent | { readonly type: `delta.${string}` }) => onOutput?.(shownOf(event)),
    }
    if (what === 'go_on') await agent.continue(run)
    else if (what === 'begin') {
      if (child.place === 'look') await agent.explore(task, run)
      else await agent.run(task, { ...run, mode: 'execute' })
    }
    return undefined
  } catch (error) {
    // The parent ends its turn for the same reason.
    if (isStorageRefusal(error) || !(error instanceof Error) || LoaderError.is(error, 'writer_fenced')) throw error
    return `It was not possible to go on: ${error.message}`
  }
}

function outcomeOf(state: SessionState | null): ChildOutcome {
  if (state === null || state.turn !== null) return 'failed'
  const reason = state.lastTurn?.reason
  if (reason === 'turn_complete') return 'ok'
  return reason === 'interrupted' || reason === undefined ? 'interrupted' : 'failed'
}

function shownOf(event: { readonly type: string }): string {
  if (event.type !== 'model.answered') return ''
  const { content } = event as Extract<SessionEvent, { type: 'model.answered' }>
  return content
    .flatMap((part) => {
      if (part.type === 'call') return `· ${part.call.name}\n`
      return part.type === 'text' && typeof part.text === 'string' ? `${part.text.split('\n')[0]?.slice(0, 160)}\n` : []
    })
    .join('')
}

/** Applies the changes in the copy of the child to the workspace: once, and in the order of the calls. */
async function takenOver(child: ChildSession, { ports, delegation }: ChildCall): Promise<readonly MergedFile[]> {
  const { finished, tree, merged } = child
  const trees = ports.trees()
  if (finished?.outcome !== 'ok' || finished.tree === undefined || tree === undefined || trees === undefined) return []
  const spans = { before: tree, after: finished.tree }
  const copy = ports.copies.find(child.id)
  const shown = copy === undefined || copy === 'torn' ? [] : copy.shown
  if (merged !== undefined) return mergeCopy(trees, spans, { shown, look: true })
  return delegation.inOrder(async () => {
    const files = await mergeCopy(trees, spans, { shown })
    await delegation.record({ type: 'child.merged', childId: child.id, files: files.map((file) => ({ ...file })) })
    return files
  })
}
