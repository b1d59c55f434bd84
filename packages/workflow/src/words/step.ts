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

/** A decision before it is recorded and gets its id. */
export type Decided = Omit<Decision, 'id'>

/**
 * Events that the runtime records without an effect: its decisions, and conclusions from facts in the state. Ids that
 * are missing here are added when the event is recorded.
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

/** What to observe in the workspace. Everything named is observed at once. */
export interface Look {
  /** The kind of project. */
  readonly facts?: true
  /**
   * All files, as a tree. `changes`: also the differences from the baseline of the turn. `baseline`: this tree becomes
   * the baseline of the turn, before its first change.
   */
  readonly tree?: 'alone' | 'changes' | 'baseline'
  /** What trees leave out: installed packages, nested repositories, and ignored files. */
  readonly beside?: true
  /** Whether these files exist. */
  readonly paths?: readonly string[]
  /** Files that the words of this task point to. */
  readonly grounding?: string
}

/** When hooks run. */
export type HookMoment =
  | 'session_started'
  | 'prompt_submitted'
  | 'pre_tool'
  | 'post_tool'
  | 'tool_failure'
  | 'notification'
  | 'stop'
  | 'pre_compact'
  | 'session_ended'

/** The next step of a session: one action, chosen from the state alone. */
export type Step =
  /** Wait for new input. */
  | { readonly type: 'rest' }
  /** A queued input starts a turn or joins the open one. */
  | {
      readonly type: 'take_input'
      readonly inputId: string
      readonly as: { readonly turn: SessionLane; readonly mode?: WorkflowMode } | 'steering'
    }
  | { readonly type: 'observe'; readonly look: Look; readonly why: string }
  /** With `requestId`, a failed request is repeated. */
  | {
      readonly type: 'ask_model'
      readonly purpose: Exclude<z.infer<typeof RequestPurpose>, 'summary'>
      readonly attempt: number
      readonly requestId?: string
    }
  /** Requests a summary of the messages that the plan folds. */
  | {
      readonly type: 'ask_model'
      readonly purpose: 'summary'
      readonly attempt: 1
      readonly requestId?: never
      readonly plan: CompactionPlan
    }
  | { readonly type: 'examine_call'; readonly callId: string }
  | { readonly type: 'run_hook'; readonly on: HookMoment; readonly callId?: string }
  /** With `questionId`, a question that was open when the process ended is asked again. */
  | {
      readonly type: 'ask_user'
      readonly kind: 'permit' | 'question'
      readonly question: QuestionText
      /** Absent for the permission to carry out a plan. */
      readonly callId?: string
      readonly questionId?: string
      /** For a permission: the rule that asks, if there is one, and why. */
      readonly rule?: PermissionRule
      readonly reason?: string
      /** For a permission: the rule that is added if the user allows it for longer than once. */
      readonly proposal?: PermissionRule
      /** The same for exactly this call, where that is another rule. */
      readonly exactProposal?: PermissionRule
    }
  /** Runs permitted calls; several only if all of them are read-only. */
  | { readonly type: 'run_calls'; readonly callIds: readonly string[] }
  /** A call that will not run still gets a result, so that the history stays complete. */
  | {
      readonly type: 'refuse_call'
      readonly callId: string
      readonly outcome: 'denied' | 'failed' | 'interrupted'
      readonly text: string
    }
  /** A call that was interrupted: observe the current state, and give the call a result from that. */
  | { readonly type: 'reconcile_call'; readonly callId: string }
  /** Records what the checks of the goal run on, and what they are compared with. */
  | { readonly type: 'begin_verification' }
  | { readonly type: 'run_check'; readonly check: Check; readonly experiment: Experiment }
  | {
      readonly type: 'compact'
      readonly method: 'local' | 'model'
      /** As `context.compacted` records it. */
      readonly why: 'threshold' | 'overflow' | 'the user asked for it'
      readonly plan: CompactionPlan
    }
  /** All events are recorded together, or none. */
  | { readonly type: 'decide'; readonly events: readonly Recorded[] }
  /** `ms` is how long the whole wait was to be. */
  | { readonly type: 'wait'; readonly until: string; readonly why: string; readonly ms?: number }
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

/** The step that records these events together. */
export function decide(...events: readonly Recorded[]): Step {
  return { type: 'decide', events }
}
