import type { SessionRow } from '../state/session-row.ts'
import type { SessionState } from '../state/state.ts'
import { textOf } from '../words/message.ts'
import { excerptOf } from '../words/stored-text.ts'
import { isChild } from './with-children.ts'

/** The row of a session in a list, made from its state. Stores call it when they save. */
export function summarize(state: SessionState): SessionRow {
  const { turn, lastTurn } = state
  return {
    id: state.id,
    title: state.title ?? state.openingWords ?? 'Untitled',
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    seq: state.seq,
    status: turn === null ? 'resting' : 'open',
    turns: state.usage.turns,
    messages: state.messages.length,
    inputTokens: state.usage.inputTokens,
    outputTokens: state.usage.outputTokens,
    mode: state.mode,
    verdict: lastTurn?.verdict ?? null,
    lastReason: lastTurn?.reason ?? null,
    lastExcerpt: lastExcerpt(state),
    pendingInputs: state.queue.length + (turn?.pending ? 1 : 0),
    project: state.project?.root ?? null,
    forkedFrom: state.forkedFrom?.id ?? null,
    ...(state.parent !== undefined && isChild(state) && { parent: state.parent.id }),
    metadata: state.metadata,
    ...(state.gaps && { gaps: state.gaps.ranges }),
  }
}

/** The row of a session that cannot be read, of which only the id is known. */
export function damagedRow(id: string): SessionRow {
  const never = '1970-01-01T00:00:00.000Z'
  return {
    id,
    title: id,
    createdAt: never,
    updatedAt: never,
    seq: 0,
    status: 'damaged',
    turns: 0,
    messages: 0,
    inputTokens: 0,
    outputTokens: 0,
    mode: 'execute',
    verdict: null,
    lastReason: null,
    lastExcerpt: '',
    pendingInputs: 0,
    project: null,
    forkedFrom: null,
    metadata: {},
  }
}

/** The last words of a person or a model; what the runtime notes for the model is none. */
function lastExcerpt({ messages }: SessionState): string {
  const last = messages.at(
    messages.findLastIndex(({ content, origin }) => origin !== 'note' && textOf(content).trim() !== ''),
  )
  return last === undefined ? '' : excerptOf(textOf(last.content))
}
