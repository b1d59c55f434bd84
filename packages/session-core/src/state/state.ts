import { Gap } from '../words/gap.ts'
import * as z from 'zod/mini'
import { LoaderError } from '../words/errors.ts'
import { Brief, Evidence, Goal, Plan, ProjectFacts, Todo } from '../words/goal.ts'
import { Id, SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { Acceptance, Beside } from '../words/judgement.ts'
import { JsonObject } from '../words/json.ts'
import { Ledger } from '../words/ledger.ts'
import { List } from '../words/list.ts'
import { Message, pairingFault } from '../words/message.ts'
import { FileChange, Grounding, SeenPath, WorkspaceTree } from '../words/observed.ts'
import { Owner } from '../words/owner.ts'
import { Transition } from '../words/phase.ts'
import { Policy } from '../words/policy.ts'
import { parseInEnglish } from '../words/parse-in-english.ts'
import { PromptSnapshot } from '../words/prompt.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { BeforeWork } from '../words/trial.ts'
import { CompletionTraceEntry, TimelineEntry } from '../words/timeline.ts'
import { Totals } from '../words/usage.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { EndedTurn, QueuedInput, Turn, unansweredCalls } from './turn.ts'
import { count, described, lazyObject, object, positive } from '../words/schema.ts'

/** Major format of events on disk. A reader refuses a newer one by name. */
export const sessionFormat = 1

/**
 * Version of the meaning of a state. It grows whenever `reduce` or the shape of the state changes; a saved state of
 * any other version is only a stale cache and is folded anew from the recording.
 */
export const stateVersion = 4

/** Limits for lists in a state that would grow without end. The recording has the rest. */
export const stateCaps = {
  timeline: 200,
  prompts: 16,
  touchedFiles: 200,
  acceptances: 100,
  unknownCalls: 20,
  goodCalls: 200,
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
    'time of the last event that is no claim; opening, saving and closing do not touch it',
  ),
  title: z.nullable(z.string()),
  titledBy: described(z.optional(z.string()), 'who gave the title; absent in older states, and where there is none'),
  openingWords: described(z.nullable(z.string()), 'how the first input begins; stands in for a title'),
  project: z.nullable(object({ root: z.string(), id: z.optional(z.string()) })),
  metadata: JsonObject,
  owner: described(z.nullable(Owner), 'who wrote last'),
  forkedFrom: z.nullable(object({ id: SessionId, seq: positive })),
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
  timeline: described(z.array(TimelineEntry), `the latest ${stateCaps.timeline} entries`),
  route: described(z.nullable(TimelineEntry), 'the latest entry that chose a mode'),
  completion: described(z.nullable(TimelineEntry), 'the latest entry that judged completion'),
  lastTransition: described(z.nullable(Transition), 'the latest step from phase to phase'),
  ledger: Ledger,
  goal: z.nullable(Goal),
  evidence: described(z.array(Evidence), 'the latest of each check in each room'),
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
  touchedFiles: described(z.array(z.string()), 'files that calls have changed, in the order of the first change'),
  prompts: described(z.array(PromptSnapshot), 'the latest system prompts; only the newest has its text'),
  legacyTrace: z.array(CompletionTraceEntry),
}))
export type SavedState = Immutable<z.infer<typeof SavedState>>

/** What a session is at one point: the fold of its events. `JSON.stringify` of it is a SavedState. */
export type SessionState = Omit<SavedState, 'messages' | 'timeline'> & {
  readonly messages: List<Message>
  readonly timeline: List<TimelineEntry>
}

/** The value as a state, or an error. A state of another version is refused: fold the recording instead. */
export function parseState(value: unknown): SessionState {
  const result = parseInEnglish(SavedState, value)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new LoaderError(
      'invalid_state',
      `This is not a saved state of version ${stateVersion}: field ${issue?.path.join('.') || '(root)'} is wrong ` +
        `(${issue?.message ?? 'no detail'}). The events are the truth; fold them instead.`,
    )
  }
  // The checked value itself, not zod's copy: that one lacks the keys that newer versions wrote.
  const saved = value as SavedState
  const open = new Set(unansweredCalls(saved.turn).map(({ call }) => call.id))
  const fault = pairingFault(saved.messages, open)
  if (fault !== undefined) {
    throw new LoaderError('invalid_state', `This saved state is broken: ${fault}. Fold the events instead.`)
  }
  return { ...saved, messages: List.from(saved.messages), timeline: List.from(saved.timeline) }
}
