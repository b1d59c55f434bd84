import * as z from 'zod/mini'
import { Brief, Evidence, Goal, Plan, ProjectFacts, Todo } from '../words/goal.ts'
import { Id } from '../words/ids.ts'
import { Acceptance, Beside, CheckStanding, EndStatement, Judgement } from '../words/judgement.ts'
import { Ledger } from '../words/ledger.ts'
import { Message } from '../words/message.ts'
import { FileChange, Grounding, LeftOut, SeenPath, WorkspaceTree } from '../words/observed.ts'
import { FolderPlace, SavedFiles, SavedHistory } from '../words/saved-files.ts'
import { StoredText } from '../words/stored-text.ts'
import { Decision } from '../words/timeline.ts'
import { BeforeWork, VerificationGround } from '../words/trial.ts'
import { defineEvent } from './define.ts'
import { count, described, nonEmpty } from '../words/schema.ts'

const CompactionMethod = /* @__PURE__ */ z.enum(['local', 'model'])

export const workflowEvents = [
  /* @__PURE__ */ defineEvent('workflow.decided', 'The runtime decided something. One entry of the timeline.', () => ({
    entry: Decision,
    note: described(z.optional(StoredText), 'text for the model; becomes a message'),
    withdraws: described(z.optional(Id), 'a message that does not stand and leaves the window'),
    asks: described(
      z.optional(z.enum(['how_it_ended', 'to_fix', 'to_go_on'])),
      'of a decision that sends the model on: what it is asked for',
    ),
    model: described(z.optional(nonEmpty), 'provider/id that the turn goes on with'),
  })),
  /* @__PURE__ */ defineEvent('brief.written', 'What the user wants, as it was clarified.', () => ({
    brief: Brief,
    path: described(z.optional(z.string()), 'the file that it was written to'),
  })),
  /* @__PURE__ */ defineEvent('plan.written', 'How it will be done and checked.', () => ({
    plan: Plan,
    paths: described(z.optional(z.array(z.string())), 'the files that it was written to'),
  })),
  /* @__PURE__ */ defineEvent('goal.defined', 'How to know that the task is done.', () => ({ goal: Goal })),
  /* @__PURE__ */ defineEvent('ledger.updated', 'The ledger, as it is now.', () => ({ ledger: Ledger })),
  /* @__PURE__ */ defineEvent('todos.updated', 'The list of todos, as it is now.', () => ({ todos: z.array(Todo) })),
  /* @__PURE__ */ defineEvent('workspace.observed', 'The runtime looked at the workspace.', () => ({
    tree: described(z.optional(WorkspaceTree), 'all its files as a git tree, and what that leaves out'),
    noTree: described(z.optional(nonEmpty), 'why there is no tree, where one was wanted'),
    fingerprint: described(z.optional(z.string()), 'of older versions: stands for the content of all its files'),
    facts: described(z.optional(ProjectFacts), 'absent: what was known before still holds'),
    why: described(z.optional(z.string()), 'what the look was for'),
    baselineOf: described(z.optional(Id), 'the turn whose first change comes next'),
    baseline: described(
      z.optional(StoredText),
      'files before the first change of the turn, a line of hash and path for each: those that checks consist of; of ' +
        'older versions all of them',
    ),
    changed: described(z.optional(z.array(FileChange)), 'what differs from the baseline of the turn'),
    beside: described(
      z.optional(Beside),
      'the same where no tree looks; absent where nothing differs, or where no look was needed',
    ),
    paths: described(z.optional(z.array(SeenPath)), 'whether certain files are there'),
    before: described(z.optional(BeforeWork), 'the state with which checks compare from here on'),
    grounding: described(z.optional(Grounding), 'what a look around showed that a question can refer to'),
    notSaved: described(
      z.optional(nonEmpty),
      'why the files were not stored with the session, where that was wanted: it can go on in this folder only',
    ),
  })),
  /* @__PURE__ */ defineEvent(
    'workspace.saved',
    'The files of the workspace were stored with the session, so that another machine can go on.',
    () => ({
      ...SavedFiles.shape,
      place: described(FolderPlace, 'the folder that they come from'),
      pack: described(z.array(StoredText), 'a pack of git in base64, in pieces'),
      history: described(z.optional(SavedHistory), 'commits of the project that the remote does not have'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'workspace.prepared',
    'The session goes on in another folder, whose files are as they were stored.',
    () => ({
      place: described(FolderPlace, 'the folder that it goes on in'),
      from: described(FolderPlace, 'the folder that it comes from'),
      tree: described(WorkspaceTree, 'the files, as they were found there: the tree that was stored last'),
      missing: described(z.array(LeftOut), 'what was left out where they come from, and is not here'),
      environment: described(z.optional(z.string()), 'digest of what else a check can see here'),
    }),
  ),
  /* @__PURE__ */ defineEvent('verification.started', 'The checks of the goal are about to run.', () => ({
    turnId: Id,
    ground: VerificationGround,
    kept: described(z.optional(z.array(CheckStanding)), 'where checks stand that were judged on this ground before'),
  })),
  /* @__PURE__ */ defineEvent('before.moved', 'Checks compare with another state from here on.', () => ({
    before: BeforeWork,
    why: described(nonEmpty, 'verified, accepted, edited, …'),
  })),
  /* @__PURE__ */ defineEvent('check.started', 'A check starts to run.', () => ({
    runId: described(Id, 'id of this run'),
    checkId: described(Id, 'a check of the goal'),
    command: described(z.string(), 'the command as it runs'),
    cwd: described(z.optional(z.string()), 'relative to the project; absent means its root'),
    baseline: described(
      z.optional(z.literal(true)),
      'not the run of the check itself: before the work, or in any other room than `now`',
    ),
    room: described(z.optional(nonEmpty), 'the room that it runs in; absent means the workspace itself'),
  })),
  /* @__PURE__ */ defineEvent('check.finished', 'A check ran; this is what it showed.', () => ({ evidence: Evidence })),
  /* @__PURE__ */ defineEvent(
    'checks.accepted',
    'The user accepted what checks do not show. No call and no model can.',
    () => ({
      ...Acceptance.shape,
      judgement: described(z.optional(Judgement), 'where the turn stands with it'),
    }),
  ),
  /* @__PURE__ */ defineEvent('statement.made', 'The model said how the turn ends. Facts decide.', () => ({
    turnId: Id,
    ...EndStatement.shape,
  })),
  /* @__PURE__ */ defineEvent(
    'context.compacted',
    'Older messages were folded into a summary. The history keeps them.',
    () => ({
      messageId: described(Id, 'id of the message that carries the summary'),
      text: described(StoredText, 'that message, as the model sees it'),
      method: described(CompactionMethod, 'who wrote the summary: the runtime itself, or a model'),
      why: z.optional(z.string()),
      firstKept: described(z.nullable(Id), 'first message that stays; null when none does'),
      alsoKept: described(z.optional(z.array(Id)), 'earlier messages that stay as well, behind the summary'),
      removed: described(count, 'messages that left the window'),
      tokensBefore: described(count, 'size of the window before, estimated'),
      tokensAfter: described(count, 'size of the window after, estimated'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'context.compaction_failed',
    'A compaction came to nothing; the window is as it was.',
    () => ({
      method: CompactionMethod,
      reason: described(nonEmpty, 'why, in words'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'context.compaction_undone',
    'The messages behind the newest summary are back in the window.',
    () => ({
      messageId: described(Id, 'the message that carried the summary'),
      restored: described(z.array(Message), 'the messages that it had replaced'),
    }),
  ),
] as const
