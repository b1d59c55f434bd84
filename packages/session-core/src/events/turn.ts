import * as z from 'zod'
import { Id } from '../words/ids.ts'
import { FilePart } from '../words/message.ts'
import { Judgement, TurnEnd } from '../words/judgement.ts'
import { PermissionRule, Policy } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { defineEvent } from './define.ts'

export const Lane = /* @__PURE__ */ z.enum(['main', 'chat', 'explore', 'compact'])
export type Lane = z.infer<typeof Lane>

/** What goes with an input besides its words. */
export const inputWishes = () => ({
  mode: WorkflowMode.optional().describe('the mode that was asked for'),
  lane: Lane.optional().describe('the way the turn shall run; absent means that the runtime chooses'),
  doneWhen: z
    .array(z.object({ command: z.string().min(1), text: z.string().optional() }))
    .optional()
    .describe('commands that must succeed for the task to be done, with what each of them shows'),
})

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
      scope: z.enum(['session', 'project']).describe('how long it holds'),
      by: z.string().describe('user or runtime'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'input.queued',
    'The user said something. Durable on arrival, whatever happens next.',
    () => ({
      inputId: Id,
      text: StoredText.describe('the words of the user'),
      files: z.array(FilePart).optional().describe('files and images that go with them'),
      source: z.string().optional().describe('user, steering, hook, …; absent means the user'),
      ...inputWishes(),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'turn.started',
    'Work on an input began. The input is pending until the first request.',
    () => ({
      turnId: Id,
      inputId: Id.describe('a queued input'),
      mode: WorkflowMode.optional().describe('the mode that was asked for'),
      lane: Lane.optional().describe('the way the turn runs; absent means main'),
    }),
  ),
  /* @__PURE__ */ defineEvent('input.taken', 'A queued input joined the running turn (steering).', () => ({
    inputId: Id,
  })),
  /* @__PURE__ */ defineEvent('input.withdrawn', 'A queued input was taken back before any turn took it.', () => ({
    inputId: Id,
    by: z.string().describe('user or runtime'),
  })),
  /* @__PURE__ */ defineEvent('stop.requested', 'Somebody asked the running turn to stop.', () => ({
    turnId: Id,
    by: z.string().describe('user, signal or runtime'),
    reason: z.string().optional().describe('why, in words'),
  })),
  /* @__PURE__ */ defineEvent(
    'turn.finished',
    'The turn ended, for exactly one reason. Every call has been answered.',
    () => ({
      turnId: Id,
      reason: z.string().min(1).describe('turn_complete, interrupted, iteration_budget_exhausted, storage_full, …'),
      summary: z.string().optional().describe('the reason in words'),
      responseId: Id.optional().describe('the message that answers the input'),
      verdict: Verdict.optional().describe('the worst verdict over the criteria of the goal'),
      judgement: Judgement.optional().describe('where the turn stands, in more words than the verdict has'),
      end: TurnEnd.optional().describe('how the turn ended, by facts'),
      notStored: z.string().optional().describe('what could not be stored any more'),
    }),
  ),
] as const
