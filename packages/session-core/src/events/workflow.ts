import * as z from 'zod'
import { Brief, Evidence, Goal, Plan, ProjectFacts, Todo } from '../words/goal.ts'
import { Id } from '../words/ids.ts'
import { Acceptance, Beside, CheckStanding, EndStatement, Judgement } from '../words/judgement.ts'
import { Ledger } from '../words/ledger.ts'
import { Message } from '../words/message.ts'
import { FileChange, Grounding, SeenPath, WorkspaceTree } from '../words/observed.ts'
import { StoredText } from '../words/stored-text.ts'
import { Decision } from '../words/timeline.ts'
import { BeforeWork, VerificationGround } from '../words/trial.ts'
import { defineEvent } from './define.ts'

const CompactionMethod = /* @__PURE__ */ z.enum(['local', 'model'])

export const workflowEvents = [
  /* @__PURE__ */ defineEvent('workflow.decided', 'The runtime decided something. One entry of the timeline.', () => ({
    entry: Decision,
    note: StoredText.optional().describe('text for the model; becomes a message'),
    withdraws: Id.optional().describe('a message that does not stand and leaves the window'),
    asks: z
      .enum(['how_it_ended', 'to_fix', 'to_go_on'])
      .optional()
      .describe('of a decision that sends the model on: what it is asked for'),
  })),
  /* @__PURE__ */ defineEvent('brief.written', 'What the user wants, as it was clarified.', () => ({
    brief: Brief,
    path: z.string().optional().describe('the file that it was written to'),
  })),
  /* @__PURE__ */ defineEvent('plan.written', 'How it will be done and checked.', () => ({
    plan: Plan,
    paths: z.array(z.string()).optional().describe('the files that it was written to'),
  })),
  /* @__PURE__ */ defineEvent('goal.defined', 'How to know that the task is done.', () => ({ goal: Goal })),
  /* @__PURE__ */ defineEvent('ledger.updated', 'The ledger, as it is now.', () => ({ ledger: Ledger })),
  /* @__PURE__ */ defineEvent('todos.updated', 'The list of todos, as it is now.', () => ({ todos: z.array(Todo) })),
  /* @__PURE__ */ defineEvent('workspace.observed', 'The runtime looked at the workspace.', () => ({
    tree: WorkspaceTree.optional().describe('all its files as a git tree, and what that leaves out'),
    noTree: z.string().min(1).optional().describe('why there is no tree, where one was wanted'),
    fingerprint: z.string().optional().describe('of older versions: stands for the content of all its files'),
    facts: ProjectFacts.optional().describe('absent: what was known before still holds'),
    why: z.string().optional().describe('what the look was for'),
    baselineOf: Id.optional().describe('the turn whose first change comes next'),
    baseline: StoredText.optional().describe(
      'files before the first change of the turn, a line of hash and path for each: those that checks consist of; of ' +
        'older versions all of them',
    ),
    changed: z.array(FileChange).optional().describe('what differs from the baseline of the turn'),
    beside: Beside.optional().describe(
      'the same where no tree looks; absent where nothing differs, or where no look was needed',
    ),
    paths: z.array(SeenPath).optional().describe('whether certain files are there'),
    before: BeforeWork.optional().describe('the state with which checks compare from here on'),
    grounding: Grounding.optional().describe('what a look around showed that a question can refer to'),
  })),
  /* @__PURE__ */ defineEvent('verification.started', 'The checks of the goal are about to run.', () => ({
    turnId: Id,
    ground: VerificationGround,
    kept: z.array(CheckStanding).optional().describe('where checks stand that were judged on this ground before'),
  })),
  /* @__PURE__ */ defineEvent('before.moved', 'Checks compare with another state from here on.', () => ({
    before: BeforeWork,
    why: z.string().min(1).describe('verified, accepted, edited, …'),
  })),
  /* @__PURE__ */ defineEvent('check.started', 'A check starts to run.', () => ({
    runId: Id.describe('id of this run'),
    checkId: Id.describe('a check of the goal'),
    command: z.string().describe('the command as it runs'),
    cwd: z.string().optional().describe('relative to the project; absent means its root'),
    baseline: z
      .literal(true)
      .optional()
      .describe('not the run of the check itself: before the work, or in any other room than `now`'),
    room: z.string().min(1).optional().describe('the room that it runs in; absent means the workspace itself'),
  })),
  /* @__PURE__ */ defineEvent('check.finished', 'A check ran; this is what it showed.', () => ({ evidence: Evidence })),
  /* @__PURE__ */ defineEvent(
    'checks.accepted',
    'The user accepted what checks do not show. No call and no model can.',
    () => ({
      ...Acceptance.shape,
      judgement: Judgement.optional().describe('where the turn stands with it'),
    }),
  ),
  /* @__PURE__ */ defineEvent('statement.made', 'The model said how the turn ends. Facts decide.', () => ({
    turnId: Id,
    ...EndStatement.shape,
  })),
  /* @__PURE__ */ defineEvent(
    'context.compacted',
    'Older messages were folded into a summary. The recording keeps them.',
    () => ({
      messageId: Id.describe('id of the message that carries the summary'),
      text: StoredText.describe('that message, as the model sees it'),
      method: CompactionMethod.describe('who wrote the summary: the runtime itself, or a model'),
      why: z.string().optional(),
      firstKept: Id.nullable().describe('first message that stays; null when none does'),
      alsoKept: z.array(Id).optional().describe('earlier messages that stay as well, behind the summary'),
      removed: z.int().min(0).describe('messages that left the window'),
      tokensBefore: z.int().min(0).describe('size of the window before, estimated'),
      tokensAfter: z.int().min(0).describe('size of the window after, estimated'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'context.compaction_failed',
    'A compaction came to nothing; the window is as it was.',
    () => ({
      method: CompactionMethod,
      reason: z.string().min(1).describe('why, in words'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'context.compaction_undone',
    'The messages behind the newest summary are back in the window.',
    () => ({
      messageId: Id.describe('the message that carried the summary'),
      restored: z.array(Message).describe('the messages that it had replaced'),
    }),
  ),
] as const
