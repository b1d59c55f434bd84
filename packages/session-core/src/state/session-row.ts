import * as z from 'zod'
import { SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { JsonObject } from '../words/json.ts'
import { Timestamp } from '../words/time.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { lazyObject } from '../words/schema.ts'
import { Gap } from '../words/gap.ts'

const count = /* @__PURE__ */ z.int().min(0)

/** One line of a list of sessions. */
export const SessionRow = /* @__PURE__ */ lazyObject(() => ({
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
  gaps: z.array(Gap).optional().describe('events that cannot be read; the session goes on over them. Absent for none'),
}))
export type SessionRow = Immutable<z.infer<typeof SessionRow>>
