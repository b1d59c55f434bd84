import * as z from 'zod/mini'
import { Id } from '../words/ids.ts'
import { FilePart, QuotedFile } from '../words/message.ts'
import { Via } from '../words/inbox-message.ts'
import { Judgement, TurnEnd } from '../words/judgement.ts'
import { PermissionRule, Policy } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { defineEvent } from './define.ts'
import { described, nonEmpty, object } from '../words/schema.ts'

/**
 * The kind of a turn: work on a task, a conversation, looking around without changing anything, or a compaction that
 * the user asked for.
 */
export const Lane = /* @__PURE__ */ z.enum(['main', 'chat', 'explore', 'compact'])
export type Lane = z.infer<typeof Lane>

/** The fields of an input besides its text. */
export const inputWishes = () => ({
  mode: described(z.optional(WorkflowMode), 'the mode that was asked for'),
  lane: described(z.optional(Lane), 'the way the turn shall run; absent means that the runtime chooses'),
  doneWhen: described(
    z.optional(z.array(object({ command: nonEmpty, text: z.optional(z.string()) }))),
    'commands that must succeed for the task to be done, with what each of them shows',
  ),
})

const via = /* @__PURE__ */ described(
  /* @__PURE__ */ z.optional(Via),
  'how it came, where it was not said to the process that recorded it',
)

export const turnEvents = [
  /* @__PURE__ */ defineEvent(
    'policy.applied',
    'The rules that decisions depend on; recorded whenever they differ.',
    () => Policy.shape,
  ),
  /* @__PURE__ */ defineEvent(
    'permission.rule_added',
    'A permission rule was added while the session was open.',
    () => ({
      rule: PermissionRule,
      scope: described(z.enum(['session', 'project']), 'how long it holds'),
      by: described(z.string(), 'user or runtime'),
    }),
  ),
  /* @__PURE__ */ defineEvent('input.queued', 'The user said something. Durable on arrival.', () => ({
    inputId: Id,
    text: described(StoredText, 'the words of the user'),
    files: described(z.optional(z.array(FilePart)), 'files and images that go with them'),
    quoted: described(z.optional(z.array(QuotedFile)), 'text files that go with them, as they were then'),
    source: described(z.optional(z.string()), 'user, steering, hook, …; absent means the user'),
    via,
    ...inputWishes(),
  })),
  /* @__PURE__ */ defineEvent(
    'turn.started',
    'Work on an input began. The input is pending until the first request.',
    () => ({
      turnId: Id,
      inputId: described(Id, 'a queued input'),
      mode: described(z.optional(WorkflowMode), 'the mode that was asked for'),
      lane: described(z.optional(Lane), 'the way the turn runs; absent means main'),
    }),
  ),
  /* @__PURE__ */ defineEvent('input.taken', 'A queued input joined the running turn (steering).', () => ({
    inputId: Id,
  })),
  /* @__PURE__ */ defineEvent('input.withdrawn', 'A queued input was taken back before any turn took it.', () => ({
    inputId: Id,
    by: described(z.string(), 'user or runtime'),
  })),
  /* @__PURE__ */ defineEvent('stop.requested', 'The running turn was asked to stop.', () => ({
    turnId: Id,
    by: described(z.string(), 'user, signal or runtime'),
    reason: described(z.optional(z.string()), 'why, in words'),
    via,
  })),
  /* @__PURE__ */ defineEvent(
    'turn.finished',
    'The turn ended, for exactly one reason. Every call has been answered.',
    () => ({
      turnId: Id,
      reason: described(nonEmpty, 'turn_complete, interrupted, iteration_budget_exhausted, storage_full, …'),
      summary: described(z.optional(z.string()), 'the reason in words'),
      responseId: described(z.optional(Id), 'the message that answers the input'),
      verdict: described(z.optional(Verdict), 'the worst verdict over the criteria of the goal'),
      judgement: described(z.optional(Judgement), 'where the turn stands, in more words than the verdict has'),
      end: described(z.optional(TurnEnd), 'how the turn ended, by facts'),
      notStored: described(z.optional(z.string()), 'what could not be stored any more'),
    }),
  ),
] as const
