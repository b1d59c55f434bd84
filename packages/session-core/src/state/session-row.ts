import * as z from 'zod/mini'
import { SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { JsonObject } from '../words/json.ts'
import { Timestamp } from '../words/time.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { count, described, lazyObject } from '../words/schema.ts'
import { Gap } from '../words/gap.ts'

/** One line of a list of sessions. */
export const SessionRow = /* @__PURE__ */ lazyObject(() => ({
  id: SessionId,
  title: described(z.string(), 'the title, or how the first input begins'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  seq: count,
  status: described(z.enum(['resting', 'open', 'damaged']), 'open while a turn is under way'),
  turns: count,
  messages: described(count, 'in the window'),
  inputTokens: count,
  outputTokens: count,
  mode: WorkflowMode,
  verdict: described(z.nullable(Verdict), 'of the last turn that had one'),
  lastReason: described(z.nullable(z.string()), 'why the last turn ended'),
  lastExcerpt: described(z.string(), 'how the last words of a person or a model begin'),
  pendingInputs: described(count, 'inputs that are waiting'),
  project: z.nullable(z.string()),
  forkedFrom: z.nullable(z.string()),
  parent: described(z.optional(SessionId), 'the session that began it, for a part of its own task'),
  metadata: JsonObject,
  gaps: described(
    z.optional(z.array(Gap)),
    'events that cannot be read; the session goes on over them. Absent for none',
  ),
}))
export type SessionRow = Immutable<z.infer<typeof SessionRow>>
