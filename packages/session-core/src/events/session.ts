import * as z from 'zod/mini'
import { Brief, Goal, Plan, Todo } from '../words/goal.ts'
import { ParentSession } from '../words/child.ts'
import { Id, SessionId } from '../words/ids.ts'
import { JsonObject, JsonValue } from '../words/json.ts'
import { Via } from '../words/inbox-message.ts'
import { Ledger } from '../words/ledger.ts'
import { Message } from '../words/message.ts'
import { Owner } from '../words/owner.ts'
import { StoredText } from '../words/stored-text.ts'
import { CompletionTraceEntry } from '../words/timeline.ts'
import { BeforeWork } from '../words/trial.ts'
import { Usage } from '../words/usage.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { defineEvent } from './define.ts'
import { count, described, nonEmpty, object, positive } from '../words/schema.ts'

const asThen = 'as it was then; absent when it stays as it is'

export const sessionEvents = [
  /* @__PURE__ */ defineEvent('session.opened', 'The session begins. Always the first event.', () => ({
    format: described(positive, 'major format; a reader refuses one that is newer than its own'),
    id: SessionId,
    project: z.optional(
      object({
        root: described(z.string(), 'where the project was'),
        id: described(z.optional(z.string()), 'what stays the same when the project moves'),
      }),
    ),
    title: z.optional(z.string()),
    parent: described(z.optional(ParentSession), 'the session that began it, for a part of its own task'),
    metadata: described(z.optional(JsonObject), 'data of the program that opened it'),
    legacyTrace: described(
      z.optional(z.array(CompletionTraceEntry)),
      'completion trace of an older system; ignored as soon as the timeline has a completion',
    ),
  })),
  /* @__PURE__ */ defineEvent('session.claimed', 'A writer took the session; recorded at every claim.', () => ({
    epoch: described(positive, 'number of the claim; calls started in an older epoch were cut off'),
    owner: Owner,
    knowsGaps: described(
      z.optional(z.literal(true)),
      'events before it are lost, and the writer knew: what it records must fit what is left',
    ),
  })),
  /* @__PURE__ */ defineEvent('session.titled', 'The session got a title.', () => ({
    title: nonEmpty,
    by: described(z.string(), 'user, model or runtime'),
    via: described(z.optional(Via), 'how it came, where it was not said to the process that recorded it'),
  })),
  /* @__PURE__ */ defineEvent('session.imported', 'Messages came from elsewhere. Only between turns.', () => ({
    source: object({
      kind: described(nonEmpty, 'the program or format that they come from'),
      id: described(z.optional(z.string()), 'the id that the conversation had there'),
      path: described(z.optional(z.string()), 'the file that was read'),
    }),
    messages: described(z.array(Message), 'added to the window, in this order'),
    task: described(z.optional(StoredText), 'what the user had asked for last'),
    usage: described(z.optional(Usage), 'what they had used'),
    losses: described(z.optional(z.array(z.string())), 'what could not be taken over'),
  })),
  /* @__PURE__ */ defineEvent(
    'session.forked',
    'What came before was copied from another session; from here on this one has its own id.',
    () => ({
      id: described(SessionId, 'id of this session'),
      from: described(object({ id: SessionId, seq: positive }), 'the session, and the last event that was copied'),
      state: described(
        z.optional(JsonObject),
        'of a repaired copy: the state that was saved after events which are lost, as it was before this event',
      ),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'event.lost',
    'The event with this seq cannot be read any more. A repaired copy holds this in its place; what happened is unknown.',
    () => ({
      first: described(positive, 'the first event of the gap that it belongs to'),
      last: described(positive, 'the last event of that gap'),
      bytes: described(z.optional(count), 'how many damaged bytes stood there; absent when that is not known'),
      id: described(z.optional(SessionId), 'id of the session, where its beginning is lost'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'session.rewound',
    'The conversation went back to an earlier point. Only between turns.',
    () => ({
      toSeq: described(positive, 'the event whose state it went back to'),
      turnId: described(z.optional(Id), 'the first turn that was taken back'),
      through: described(z.nullable(Id), 'last message of the window that stays; null when none does'),
      restored: described(z.optional(z.array(Message)), 'the whole window, when messages come back that had left it'),
      task: described(z.optional(z.nullable(StoredText)), asThen),
      mode: described(z.optional(WorkflowMode), asThen),
      ledger: described(z.optional(Ledger), asThen),
      goal: described(z.optional(z.nullable(Goal)), asThen),
      todos: described(z.optional(z.array(Todo)), asThen),
      brief: described(z.optional(z.nullable(Brief)), asThen),
      plan: described(z.optional(z.nullable(Plan)), asThen),
      before: described(z.optional(z.nullable(BeforeWork)), asThen),
      files: described(
        z.optional(
          z.array(object({ path: z.string(), outcome: z.enum(['restored', 'kept']), reason: z.optional(z.string()) })),
        ),
        'what became of the files that the turns had written',
      ),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'custom.recorded',
    'A fact in the words of another program. Kept and ordered, not interpreted.',
    () => ({
      name: described(nonEmpty, 'what kind of fact it is, in the words of that program'),
      data: JsonValue,
    }),
  ),
] as const
