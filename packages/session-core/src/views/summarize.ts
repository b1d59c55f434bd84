import * as z from 'zod'
import { Verdict } from '../goal.ts'
import { SessionId } from '../ids.ts'
import type { Immutable } from '../immutable.ts'
import { JsonObject } from '../json.ts'
import { textOf } from '../message.ts'
import { excerptOf } from '../stored-text.ts'
import type { SessionState } from '../state.ts'
import { Timestamp } from '../time.ts'
import { WorkflowMode } from '../timeline.ts'

const count = z.int().min(0)

/** One line of a list of sessions. */
export const SessionRow = z.object({
  id: SessionId,
  title: z.string().describe('the title, or how the first input begins'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  seq: count,
  status: z.enum(['resting', 'open', 'damaged']).describe('open while a turn is under way'),
  turns: count,
  messages: count.describe('in the window'),
  inputTokens: count,
  outputTokens: count,
  mode: WorkflowMode,
  verdict: Verdict.nullable().describe('of the last turn that had one'),
  lastReason: z.string().nullable().describe('why the last turn ended'),
  lastExcerpt: z.string().describe('how the last message with text begins'),
  pendingInputs: count.describe('inputs that are waiting'),
  project: z.string().nullable(),
  forkedFrom: z.string().nullable(),
  metadata: JsonObject,
})
export type SessionRow = Immutable<z.infer<typeof SessionRow>>

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
    metadata: state.metadata,
  }
}

/** The row of a session that cannot be read: it is there, and more is not known. */
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

function lastExcerpt({ messages }: SessionState): string {
  const last = messages.at(messages.findLastIndex(({ content }) => textOf(content).trim() !== ''))
  return last === undefined ? '' : excerptOf(textOf(last.content))
}
