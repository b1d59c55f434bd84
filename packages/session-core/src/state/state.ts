import { BackgroundCommand } from '../words/background.ts'
import { HookApart } from '../words/hook-apart.ts'
import { inputWishes } from '../events/turn.ts'
import { ChildSession, ParentSession } from '../words/child.ts'
import { Gap } from '../words/gap.ts'
import * as z from 'zod/mini'
import { Brief, Evidence, Goal, Plan, ProjectFacts, Todo } from '../words/goal.ts'
import { Id, SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { Acceptance, Beside } from '../words/judgement.ts'
import { JsonObject } from '../words/json.ts'
import { Ledger } from '../words/ledger.ts'
import type { List } from '../words/list.ts'
import { Message } from '../words/message.ts'
import { FileChange, Grounding, LeftOut, SeenPath, WorkspaceTree } from '../words/observed.ts'
import { Owner } from '../words/owner.ts'
import { Transition } from '../words/phase.ts'
import { Policy } from '../words/policy.ts'
import { PromptSnapshot } from '../words/prompt.ts'
import { FolderPlace, SavedFiles } from '../words/saved-files.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { BeforeWork } from '../words/trial.ts'
import { CompletionTraceEntry, TimelineEntry } from '../words/timeline.ts'
import { Totals } from '../words/usage.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { EndedTurn, QueuedInput, Turn } from './turn.ts'
import { count, described, lazyObject, nonEmpty, object, positive } from '../words/schema.ts'

/** Major format of events on disk. A reader refuses a newer one by name. */
export const sessionFormat = 1

/**
 * Version of the meaning of a state. It grows whenever `reduce` or the shape of the state changes; a saved state of
 * any other version is only a stale cache and is folded anew from the history.
 */
export const stateVersion = 7

/** Limits for lists in a state that would grow without end. The history has the rest. */
export const stateCaps = {
  timeline: 200,
  timelineOfEarlierTurns: 24,
  prompts: 16,
  touchedFiles: 200,
  acceptances: 100,
  evidenceOfOtherChecks: 24,
  unknownCalls: 20,
  goodCalls: 200,
  endedBackground: 20,
  finishedChildren: 50,
  endedHooksApart: 20,
  gaps: 50,
} as const

/** The serialised form of a state. */
export const SavedState = /* @__PURE__ */ lazyObject(() => ({
  format: positive,
  stateVersion: z.literal(stateVersion),
  id: SessionId,
  seq: described(positive, 'the last event that is in this state'),
  epoch: described(count, 'number of the last claim; 0 before the first'),
  createdAt: Timestamp,
  updatedAt: described(
    Timestamp,
    'time of the last event other than claims; opening, saving and closing leave it unchanged',
  ),
  title: z.nullable(z.string()),
  titledBy: described(z.optional(z.string()), 'who gave the title; absent in older states, and where there is none'),
  openingWords: described(z.nullable(z.string()), 'how the first input begins; stands in for a title'),
  project: z.nullable(object({ root: z.string(), id: z.optional(z.string()) })),
  metadata: JsonObject,
  owner: described(z.nullable(Owner), 'who wrote last'),
  forkedFrom: z.nullable(object({ id: SessionId, seq: positive })),
  parent: described(z.optional(ParentSession), 'the session that began it; absent for one that a user began'),
  foreign: described(
    object({
      count: described(count, 'events that this version does not know'),
      critical: z.nullable(object({ type: z.string(), seq: positive })),
    }),
    'what newer versions wrote',
  ),
  gaps: described(
    z.optional(
      object({
        ranges: described(z.array(Gap), `the latest ${stateCaps.gaps} gaps`),
        open: described(z.boolean(), 'whether what was recorded behind the latest gap may miss what is lost'),
        untold: described(z.optional(Gap), 'a gap that no message of the window tells of yet'),
        at: described(Timestamp, 'time of the latest gap'),
        passed: described(count, 'events behind gaps that changed nothing, because what they need is lost'),
      }),
    ),
    'events that are lost; absent when there are none',
  ),
  task: described(z.nullable(StoredText), 'what the user asked for last'),
  mode: WorkflowMode,
  turn: described(z.nullable(Turn), 'the turn that is under way; null when the session rests'),
  lastTurn: described(z.nullable(EndedTurn), 'the turn that ended last'),
  queue: described(z.array(QueuedInput), 'inputs that no turn has taken yet'),
  messages: described(z.array(Message), 'the window that the model sees'),
  compaction: described(
    z.nullable(
      object({
        count: positive,
        messageId: Id,
        method: z.enum(['local', 'model']),
        removed: count,
        tokensBefore: count,
        tokensAfter: count,
        at: Timestamp,
      }),
    ),
    'the latest compaction',
  ),
  usage: described(Totals, 'of all turns that ended, and the requests and calls of the open one'),
  policy: z.nullable(Policy),
  timeline: described(
    z.array(TimelineEntry),
    `the latest entries: of earlier turns ${stateCaps.timelineOfEarlierTurns}, in all ${stateCaps.timeline}`,
  ),
  route: described(z.nullable(TimelineEntry), 'the latest entry that chose a mode'),
  completion: described(z.nullable(TimelineEntry), 'the latest entry that judged completion'),
  lastTransition: described(z.nullable(Transition), 'the latest step from phase to phase'),
  ledger: Ledger,
  goal: z.nullable(Goal),
  demanded: described(
    z.optional(z.nullable(object({ seq: positive, doneWhen: inputWishes().doneWhen }))),
    'the commands that a task gave which ended before its goal was defined; they hold for the next one',
  ),
  evidence: described(
    z.array(Evidence),
    `the latest of each check in each room; of checks that the goal does not have, ${stateCaps.evidenceOfOtherChecks} in all`,
  ),
  acceptances: described(
    z.array(z.extend(Acceptance, { seq: positive, at: Timestamp })),
    `the latest ${stateCaps.acceptances} times that the user accepted what checks do not show`,
  ),
  before: described(z.nullable(z.extend(BeforeWork, { seq: positive })), 'the state before the work'),
  lastEffectSeq: described(z.nullable(positive), 'the latest start or end of a call that may change something'),
  lastReachSeq: described(z.nullable(positive), 'the latest call that was allowed to reach the network or further'),
  unknownCalls: described(
    z.array(object({ call: Id, seq: positive, what: z.string() })),
    'calls that were cut off, and of which nothing is known yet',
  ),
  goodCalls: described(
    z.array(object({ call: Id, seq: positive, what: z.string() })),
    'calls that ended well while there were unknown ones',
  ),
  background: described(
    z.optional(z.array(BackgroundCommand)),
    `background commands that go on, and the latest ${stateCaps.endedBackground} that ended; absent before the first`,
  ),
  hooksApart: described(
    z.optional(z.array(HookApart)),
    `hooks that the session does not wait for: those that may go on, and the latest ${stateCaps.endedHooksApart} that ended; absent before the first`,
  ),
  children: described(
    z.optional(z.array(ChildSession)),
    `child sessions that are under way, and the latest ${stateCaps.finishedChildren} that finished; absent before the first`,
  ),
  childUsage: described(
    z.optional(Totals),
    'of all child sessions that finished, and their children; it is no part of `usage`',
  ),
  runningCheck: z.nullable(object({ runId: Id, checkId: Id, command: z.string(), epoch: count })),
  todos: z.array(Todo),
  brief: z.nullable(Brief),
  plan: z.nullable(Plan),
  workspace: described(
    z.nullable(
      object({
        tree: described(
          z.nullable(WorkspaceTree),
          'its files when they were last looked at; null when that is not known',
        ),
        noTree: described(z.nullable(z.string()), 'why there is no tree; null when there is one, or nothing is known'),
        notSaved: described(z.optional(z.string()), 'why these files were not stored with the session'),
        looked: described(z.nullable(object({ seq: positive, epoch: count })), 'the latest look at its files'),
        facts: z.nullable(ProjectFacts),
        at: Timestamp,
        seq: positive,
        baseline: described(
          z.nullable(object({ turnId: Id, tree: z.nullable(WorkspaceTree), files: z.nullable(StoredText) })),
          'the files before the first change of a turn; `files` lists those that checks consist of',
        ),
        changed: described(
          z.nullable(z.array(FileChange)),
          'what differs from that baseline; null when it is not known',
        ),
        beside: described(z.optional(Beside), 'what differs where no tree looks'),
        paths: described(z.array(SeenPath), 'the latest look at certain files'),
        grounding: z.nullable(Grounding),
      }),
    ),
    'what was last seen of the workspace',
  ),
  saved: described(
    z.optional(z.extend(SavedFiles, { seq: positive })),
    'the files as they were stored last; absent where that never happened',
  ),
  place: described(
    z.optional(
      z.extend(FolderPlace, {
        since: described(z.optional(count), 'the claim under which the session came there from another folder'),
        missing: described(z.optional(z.array(LeftOut)), 'what was left out on the way there'),
        rest: described(z.optional(nonEmpty), 'what was in no tree there, where that was not what was stored'),
        environment: described(z.optional(z.string()), 'digest of what else a check can see there'),
      }),
    ),
    'the folder that it works in; absent where files were never stored',
  ),
  touchedFiles: described(z.array(z.string()), 'files that calls have changed, in the order of the first change'),
  prompts: described(z.array(PromptSnapshot), 'the latest system prompts; only the newest has its text'),
  legacyTrace: z.array(CompletionTraceEntry),
  used: described(
    z.optional(z.string()),
    'digests of all ids that were used, 8 characters each; absent when there are none',
  ),
  hooksBegan: described(
    z.optional(count),
    'the claim under which hooks on session_started ran last; absent where they never did',
  ),
}))
export type SavedState = Immutable<z.infer<typeof SavedState>>

/** What a session is at one point: the fold of its events. `JSON.stringify` of it is a SavedState. */
export type SessionState = Omit<SavedState, 'messages' | 'timeline'> & {
  readonly messages: List<Message>
  readonly timeline: List<TimelineEntry>
}
