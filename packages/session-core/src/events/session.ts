import * as z from 'zod'
import { Brief, Goal, Plan, Todo } from '../words/goal.ts'
import { Id, SessionId } from '../words/ids.ts'
import { JsonObject, JsonValue } from '../words/json.ts'
import { Ledger } from '../words/ledger.ts'
import { Message } from '../words/message.ts'
import { Owner } from '../words/owner.ts'
import { StoredText } from '../words/stored-text.ts'
import { CompletionTraceEntry } from '../words/timeline.ts'
import { BeforeWork } from '../words/trial.ts'
import { Usage } from '../words/usage.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { defineEvent } from './define.ts'

const asThen = 'as it was then; absent when it stays as it is'

export const sessionEvents = [
  /* @__PURE__ */ defineEvent('session.opened', 'The session begins. Always the first event.', () => ({
    format: z.int().min(1).describe('major format; a reader refuses one that is newer than its own'),
    id: SessionId,
    project: z
      .object({
        root: z.string().describe('where the project was'),
        id: z.string().optional().describe('what stays the same when the project moves'),
      })
      .optional(),
    title: z.string().optional(),
    metadata: JsonObject.optional().describe('whatever the program that opened it wants to find again'),
    legacyTrace: z
      .array(CompletionTraceEntry)
      .optional()
      .describe('completion trace of an older system; ignored as soon as the timeline has a completion'),
  })),
  /* @__PURE__ */ defineEvent('session.claimed', 'A writer took the session; recorded at every claim.', () => ({
    epoch: z.int().min(1).describe('number of the claim; calls started in an older epoch were cut off'),
    owner: Owner,
    knowsGaps: z
      .literal(true)
      .optional()
      .describe('events before it are lost, and the writer knew: what it records must fit what is left'),
  })),
  /* @__PURE__ */ defineEvent('session.titled', 'The session got a title.', () => ({
    title: z.string().min(1),
    by: z.string().describe('user, model or runtime'),
  })),
  /* @__PURE__ */ defineEvent('session.imported', 'Messages came from elsewhere. Only between turns.', () => ({
    source: z.object({
      kind: z.string().min(1).describe('the program or format that they come from'),
      id: z.string().optional().describe('the id that the conversation had there'),
      path: z.string().optional().describe('the file that was read'),
    }),
    messages: z.array(Message).describe('added to the window, in this order'),
    task: StoredText.optional().describe('what the user had asked for last'),
    usage: Usage.optional().describe('what they had used'),
    losses: z.array(z.string()).optional().describe('what could not be taken over'),
  })),
  /* @__PURE__ */ defineEvent(
    'session.forked',
    'What came before was copied from another session; from here on this one has its own id.',
    () => ({
      id: SessionId.describe('id of this session'),
      from: z
        .object({ id: SessionId, seq: z.int().min(1) })
        .describe('the session, and the last event that was copied'),
      state: JsonObject.optional().describe(
        'of a repaired copy: the state that was saved after events which are lost, as it was before this event',
      ),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'event.lost',
    'The event with this seq cannot be read any more. A repaired copy holds this in its place; what happened is unknown.',
    () => ({
      first: z.int().min(1).describe('the first event of the gap that it belongs to'),
      last: z.int().min(1).describe('the last event of that gap'),
      bytes: z.int().min(0).optional().describe('how many damaged bytes stood there; absent when that is not known'),
      id: SessionId.optional().describe('id of the session, where its beginning is lost'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'session.rewound',
    'The conversation went back to an earlier point. Only between turns.',
    () => ({
      toSeq: z.int().min(1).describe('the event whose state it went back to'),
      turnId: Id.optional().describe('the first turn that was taken back'),
      through: Id.nullable().describe('last message of the window that stays; null when none does'),
      restored: z.array(Message).optional().describe('the whole window, when messages come back that had left it'),
      task: StoredText.nullable().optional().describe(asThen),
      mode: WorkflowMode.optional().describe(asThen),
      ledger: Ledger.optional().describe(asThen),
      goal: Goal.nullable().optional().describe(asThen),
      todos: z.array(Todo).optional().describe(asThen),
      brief: Brief.nullable().optional().describe(asThen),
      plan: Plan.nullable().optional().describe(asThen),
      before: BeforeWork.nullable().optional().describe(asThen),
      files: z
        .array(z.object({ path: z.string(), outcome: z.enum(['restored', 'kept']), reason: z.string().optional() }))
        .optional()
        .describe('what became of the files that the turns had written'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'custom.recorded',
    'A fact in the words of another program. Kept and ordered, not interpreted.',
    () => ({
      name: z.string().min(1).describe('what kind of fact it is, in the words of that program'),
      data: JsonValue,
    }),
  ),
] as const
