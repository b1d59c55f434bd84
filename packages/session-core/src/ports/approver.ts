import type { PermissionRule, Reach } from '../words/policy.ts'
import type { StoredText } from '../words/stored-text.ts'
import type { Signal } from './environment.ts'

/** What an `Approver` is asked before a call runs: the call, a preview of it, and why a rule or mode asks. */
export interface PermissionQuestion {
  readonly questionId: string
  /** Absent where the question is about a plan, whose text is the preview. */
  readonly callId?: string
  readonly tool: string
  /** The title of the tool, where it has one. */
  readonly title?: string
  /** A diff, or the command as it will run. */
  readonly preview: StoredText
  /** Why there is a question: the rule that asks, or the mode. */
  readonly reason: string
  /** The reach that the call asks for, and the model's reason. */
  readonly reach?: Reach
  readonly why?: string
  /** The permission rule that would be added by allowing for the session or always. */
  readonly rule?: PermissionRule
  /** The rule for exactly this call, where `rule` is about more: its kind, such as `Bash(npm test:*)`. */
  readonly exactRule?: PermissionRule
}

/** The answer of an `Approver`, and how long it holds. */
export interface PermissionAnswer {
  readonly permit: 'allow' | 'deny'
  readonly scope: 'once' | 'session' | 'always'
  /** What holds for longer: `exactRule` of the question, or `rule`, as where this is absent. */
  readonly extent?: 'call' | 'kind'
  /** For the model, when the permission is denied; and what a plan that is allowed should do otherwise. */
  readonly reason?: string
}

/** Decides about calls that need a permission. Without one, such calls are denied at once. */
export interface Approver {
  decide(question: PermissionQuestion, options: { readonly signal: Signal }): Promise<PermissionAnswer>
}

/** A question of the model to the user, for `AskUser`. */
export interface UserQuestion {
  readonly questionId: string
  readonly text: string
  readonly title?: string
  readonly options?: readonly { readonly label: string; readonly description?: string }[]
}

/** Answers questions of the agent; undefined means that there is no answer. */
export type AskUser = (question: UserQuestion, options: { readonly signal: Signal }) => Promise<string | undefined>
