import { Gap } from '../words/gap.ts'
import * as z from 'zod'
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
import { PromptSnapshot } from '../words/prompt.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { BeforeWork } from '../words/trial.ts'
import { CompletionTraceEntry, TimelineEntry } from '../words/timeline.ts'
import { Totals } from '../words/usage.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { EndedTurn, QueuedInput, Turn, unansweredCalls } from './turn.ts'
import { lazyObject } from '../words/schema.ts'

/** Major format of events on disk. A reader refuses a newer one by name. */
export const sessionFormat = 1

/**
 * Version of the meaning of a state. It grows whenever `reduce` or the shape of the state changes; a saved state of
 * any other version is only a stale cache and is folded anew from the recording.
 */
export const stateVersion = 4

/** How much of what grows without end a state keeps. The recording has the rest. */
export const stateCaps = {
  timeline: 200,
  prompts: 16,
  touchedFiles: 200,
  acceptances: 100,
  unknownCalls: 20,
  goodCalls: 200,
  gaps: 50,
} as const

/** A state as it is written. */
export const SavedState = /* @__PURE__ */ lazyObject(() => ({
  format: z.int().min(1),
  stateVersion: z.literal(stateVersion),
  id: SessionId,
  seq: z.int().min(1).describe('the last event that is in this state'),
  epoch: z.int().min(0).describe('number of the last claim; 0 before the first'),
  createdAt: Timestamp,
  updatedAt: Timestamp.describe('time of the last event that is no claim; opening, saving and closing do not touch it'),
  title: z.string().nullable(),
  titledBy: z.string().optional().describe('who gave the title; absent in older states, and where there is none'),
  openingWords: z.string().nullable().describe('how the first input begins; stands in for a title'),
  project: z.object({ root: z.string(), id: z.string().optional() }).nullable(),
  metadata: JsonObject,
  owner: Owner.nullable().describe('who wrote last'),
  forkedFrom: z.object({ id: SessionId, seq: z.int().min(1) }).nullable(),
  foreign: z
    .object({
      count: z.int().min(0).describe('events that this version does not know'),
      critical: z.object({ type: z.string(), seq: z.int().min(1) }).nullable(),
    })
    .describe('what newer versions wrote'),
  gaps: z
    .object({
      ranges: z.array(Gap).describe(`the latest ${stateCaps.gaps} gaps`),
      open: z.boolean().describe('whether what was recorded behind the latest gap may miss what is lost'),
      untold: Gap.optional().describe('a gap that no message of the window tells of yet'),
      at: Timestamp.describe('time of the latest gap'),
      passed: z.int().min(0).describe('events behind gaps that changed nothing, because what they need is lost'),
    })
    .optional()
    .describe('events that are lost; absent when there are none'),
  task: StoredText.nullable().describe('what the user asked for last'),
  mode: WorkflowMode,
  turn: Turn.nullable().describe('the turn that is under way; null when the session rests'),
  lastTurn: EndedTurn.nullable().describe('the turn that ended last'),
  queue: z.array(QueuedInput).describe('inputs that no turn has taken yet'),
  messages: z.array(Message).describe('the window that the model sees'),
  compaction: z
    .object({
      count: z.int().min(1),
      messageId: Id,
      method: z.enum(['local', 'model']),
      removed: z.int().min(0),
      tokensBefore: z.int().min(0),
      tokensAfter: z.int().min(0),
      at: Timestamp,
    })
    .nullable()
    .describe('the latest compaction'),
  usage: Totals.describe('of all turns that ended, and the requests and calls of the open one'),
  policy: Policy.nullable(),
  timeline: z.array(TimelineEntry).describe(`the latest ${stateCaps.timeline} entries`),
  route: TimelineEntry.nullable().describe('the latest entry that chose a mode'),
  completion: TimelineEntry.nullable().describe('the latest entry that judged completion'),
  lastTransition: Transition.nullable().describe('the latest step from phase to phase'),
  ledger: Ledger,
  goal: Goal.nullable(),
  evidence: z.array(Evidence).describe('the latest of each check in each room'),
  acceptances: z
    .array(Acceptance.extend({ seq: z.int().min(1), at: Timestamp }))
    .describe(`the latest ${stateCaps.acceptances} times that the user accepted what checks do not show`),
  before: BeforeWork.extend({ seq: z.int().min(1) })
    .nullable()
    .describe('the state before the work'),
  lastEffectSeq: z.int().min(1).nullable().describe('the latest start or end of a call that may change something'),
  lastReachSeq: z.int().min(1).nullable().describe('the latest call that was allowed to reach the network or further'),
  unknownCalls: z
    .array(z.object({ call: Id, seq: z.int().min(1), what: z.string() }))
    .describe('calls that were cut off, and of which nothing is known yet'),
  goodCalls: z
    .array(z.object({ call: Id, seq: z.int().min(1), what: z.string() }))
    .describe('calls that ended well while there were unknown ones'),
  runningCheck: z.object({ runId: Id, checkId: Id, command: z.string(), epoch: z.int().min(0) }).nullable(),
  todos: z.array(Todo),
  brief: Brief.nullable(),
  plan: Plan.nullable(),
  workspace: z
    .object({
      tree: WorkspaceTree.nullable().describe('its files when they were last looked at; null when that is not known'),
      noTree: z.string().nullable().describe('why there is no tree; null when there is one, or nothing is known'),
      looked: z
        .object({ seq: z.int().min(1), epoch: z.int().min(0) })
        .nullable()
        .describe('the latest look at its files'),
      facts: ProjectFacts.nullable(),
      at: Timestamp,
      seq: z.int().min(1),
      baseline: z
        .object({ turnId: Id, tree: WorkspaceTree.nullable(), files: StoredText.nullable() })
        .nullable()
        .describe('the files before the first change of a turn; `files` lists those that checks consist of'),
      changed: z.array(FileChange).nullable().describe('what differs from that baseline; null when it is not known'),
      beside: Beside.optional().describe('what differs where no tree looks'),
      paths: z.array(SeenPath).describe('the latest look at certain files'),
      grounding: Grounding.nullable(),
    })
    .nullable()
    .describe('what was last seen of the workspace'),
  touchedFiles: z.array(z.string()).describe('files that calls have changed, in the order of the first change'),
  prompts: z.array(PromptSnapshot).describe('the latest system prompts; only the newest has its text'),
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
  const result = SavedState.safeParse(value)
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
