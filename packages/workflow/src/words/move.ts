import type { CompactionPlan } from '@loader/compaction'
import type { EventInput, SessionState } from '@loader/session-core'
import type {
  Check,
  Decision,
  Experiment,
  Judgement,
  PermissionRule,
  QuestionText,
  RequestPurpose,
  TurnEnd,
  Verdict,
  WorkflowMode,
} from '@loader/session-core/coding'
import type * as z from 'zod'

/** A decision as it was taken. It gets its id when it is recorded. */
export type Decided = Omit<Decision, 'id'>

/**
 * What the runtime writes down without having done anything: its decisions, and what follows from facts that are in
 * the state already. Ids that are missing here are made when it is recorded.
 */
export type Recorded =
  | (Omit<EventOfInput<'workflow.decided'>, 'entry'> & { readonly entry: Decided })
  | EventOfInput<
      | 'permission.decided'
      | 'permission.rule_added'
      | 'tool.finished'
      | 'calls.recovered'
      | 'model.interrupted'
      | 'question.answered'
      | 'wait.started'
      | 'wait.finished'
      | 'brief.written'
      | 'plan.written'
      | 'goal.defined'
      | 'checks.accepted'
      | 'before.moved'
      | 'ledger.updated'
      | 'todos.updated'
      | 'context.compaction_failed'
    >

type EventOfInput<Type extends EventInput['type']> = Extract<EventInput, { type: Type }>

/** What to look at in the workspace. Everything that is named is looked at in one go. */
export interface Look {
  /** What kind of project it is. */
  readonly facts?: true
  /**
   * All files, as a tree. `changes`: also what differs from the baseline of the turn. `baseline`: it is the baseline of the
   * turn, before its first change.
   */
  readonly tree?: 'alone' | 'changes' | 'baseline'
  /** What no tree holds: what is installed, what lies in nested repositories, and ignored files. */
  readonly beside?: true
  /** Whether these files are there. */
  readonly paths?: readonly string[]
  /** What the words of this task point to. */
  readonly grounding?: string
}

/** When hooks run. */
export type HookMoment = 'prompt_submitted' | 'pre_tool' | 'post_tool' | 'tool_failure' | 'stop' | 'pre_compact'

/** The next step of a session: one thing to do, decided from its state alone. */
export type Move =
  /** Nothing to do until somebody says something. */
  | { readonly type: 'rest' }
  /** A queued input begins a turn, or joins the one that is open. */
  | {
      readonly type: 'take_input'
      readonly inputId: string
      readonly as: { readonly turn: SessionLane; readonly mode?: WorkflowMode } | 'steering'
    }
  | { readonly type: 'observe'; readonly look: Look; readonly why: string }
  /** With `requestId`, a request that failed is tried again. */
  | {
      readonly type: 'ask_model'
      readonly purpose: Exclude<z.infer<typeof RequestPurpose>, 'summary'>
      readonly attempt: number
      readonly requestId?: string
    }
  /** For a summary of what the plan folds. */
  | {
      readonly type: 'ask_model'
      readonly purpose: 'summary'
      readonly attempt: 1
      readonly requestId?: never
      readonly plan: CompactionPlan
    }
  | { readonly type: 'examine_call'; readonly callId: string }
  | { readonly type: 'run_hook'; readonly on: HookMoment; readonly callId?: string }
  /** With `questionId`, a question that was open when the process ended is put again. */
  | {
      readonly type: 'ask_user'
      readonly kind: 'permit' | 'question'
      readonly question: QuestionText
      readonly callId: string
      readonly questionId?: string
      /** Of a permit: the rule that asks, if one does, and why. */
      readonly rule?: PermissionRule
      readonly reason?: string
      /** Of a permit: the rule that a yes for longer than once would add. */
      readonly proposal?: PermissionRule
    }
  /** Several only if all of them merely look. */
  | { readonly type: 'run_calls'; readonly callIds: readonly string[] }
  /** A call that will not run is answered, so that the history stays whole. */
  | {
      readonly type: 'refuse_call'
      readonly callId: string
      readonly outcome: 'denied' | 'failed' | 'interrupted'
      readonly text: string
    }
  /** A call that was cut off: look at what is there now, and answer it with what is known. */
  | { readonly type: 'settle_call'; readonly callId: string }
  /** What the checks of the goal run on, and what they are compared with. */
  | { readonly type: 'begin_verification' }
  | { readonly type: 'run_check'; readonly check: Check; readonly experiment: Experiment }
  | {
      readonly type: 'compact'
      readonly method: 'local' | 'model'
      /** As \`context.compacted\` records it. */
      readonly why: 'threshold' | 'overflow' | 'the user asked for it'
      readonly plan: CompactionPlan
    }
  /** All of it is recorded together, or none of it. */
  | { readonly type: 'decide'; readonly events: readonly Recorded[] }
  | { readonly type: 'wait'; readonly until: string; readonly why: string }
  | {
      readonly type: 'finish'
      readonly reason: string
      readonly summary: string
      readonly responseId?: string
      readonly verdict?: Verdict
      readonly judgement?: Judgement
      readonly end?: TurnEnd
    }

type SessionLane = NonNullable<SessionState['turn']>['lane']

/** The move that records these events, together. */
export function decide(...events: readonly Recorded[]): Move {
  return { type: 'decide', events }
}
