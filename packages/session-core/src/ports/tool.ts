import type * as z from 'zod'
import type { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import type { Todo } from '../words/goal.ts'
import type { Immutable } from '../words/immutable.ts'
import type { EndStatement } from '../words/judgement.ts'
import type { JsonObject, JsonValue } from '../words/json.ts'
import type { FilePart } from '../words/message.ts'
import type { Effect, Reach, ToolRule } from '../words/policy.ts'
import type { StoredText } from '../words/stored-text.ts'
import type { Signal } from './environment.ts'
import type { BlobStore } from './store.ts'

/** What a tool receives beside its input: ids, a signal, a store for long output, and the reach that was permitted. */
export interface ToolContext {
  readonly callId: string
  /**
   * The id of the session that the call belongs to. Kept data and temporary files of the session are named after it.
   */
  readonly sessionId?: string
  readonly signal?: Signal
  readonly blobs: BlobStore
  /**
   * How far the call may reach, as it was decided. A tool that starts commands must keep it. Absent while examining.
   */
  readonly reach?: Reach
  /** Output as it appears, to be shown; it is not stored. */
  onOutput?(chunk: string): void
}

/** What a call would do. Finding out has no effect. */
export type Examination<Input> =
  | { readonly valid: false; readonly message: string }
  | {
      readonly valid: true
      readonly input: Input
      readonly effect: Effect
      readonly paths: readonly Immutable<z.infer<typeof TouchedPath>>[]
      readonly intent: readonly Immutable<z.infer<typeof FileIntent>>[]
      readonly preview?: StoredText
      /** The shell command, when the call runs one. The permission policy judges what it may do. */
      readonly command?: string
      /** What the call asks to be able to touch; what it gets is decided elsewhere. Absent means work in the workspace. */
      readonly reach?: Reach
      /** Why it needs more than usual, in the words of the model. */
      readonly why?: string
      /** The call is a question to the user. The runtime asks it, and its answer is the result; `run` is not called. */
      readonly question?: QuestionText
    }

/** The examination of a call that can run; `run` receives exactly this object. */
export type ValidExamination<Input> = Extract<Examination<Input>, { valid: true }>

/** What a call came to. `text` goes to the model. */
export interface ToolResult {
  readonly outcome: 'ok' | 'failed' | 'interrupted'
  readonly text: string
  readonly files?: readonly FilePart[]
  /** `summary` is what people are told of it, in a few words; with an `exitCode` it is about a command. */
  readonly metadata?: { readonly [key: string]: JsonValue }
  /** How many secrets were replaced in the text. */
  readonly secretsReplaced?: number
  /** How the turn ends, when the call said so. */
  readonly statement?: EndStatement
  /** The list of todos as it is from now on, when the call was about it. */
  readonly todos?: readonly Todo[]
}

/**
 * What a tool found in the workspace, compared with the intent of a call. What follows from it is decided in workflow.
 */
export interface Observation {
  readonly files: readonly { readonly path: string; readonly now: string | null }[]
}

/**
 * What models call a tool and its arguments when they do not use its own names. Case, `_` and `-` make no difference.
 * A call in the tool's own words must come out as it went in.
 */
export interface ToolAliases {
  readonly names: readonly ToolAlias[]
  /** Other names of each argument; the first that is there counts. */
  readonly arguments: Readonly<Record<string, readonly string[]>>
  /** The argument that is meant when there is only a text. */
  readonly main: string
  /** Arguments that have another shape, not only another name. Pure. */
  adapt?(input: JsonObject, calledBy: 'name' | 'alias'): JsonObject
}

/** Another name for a tool. With `when`, the alias covers several actions, and these arguments select this tool. */
export type ToolAlias = string | { readonly name: string; readonly when: Readonly<Record<string, string>> }

/**
 * A tool that a model can call. `examine` says what a call would do and changes nothing; only `run` may have an effect.
 */
export interface Tool<Input = unknown> {
  readonly name: string
  /** What people are asked before it runs: "Run a command". Absent means its name. */
  readonly title?: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly aliases?: ToolAliases
  /** How permission rules know it. Absent means by its name alone, without a pattern. */
  readonly rule?: ToolRule
  /**
   * The most that a call can do with any arguments; absent means anything. A tool that only probes is also offered to
   * agents that may only look.
   */
  readonly effect?: Effect
  examine(input: Input, context: ToolContext): Promise<Examination<Input>>
  /** Refuses when what was examined has changed since. */
  run(examined: ValidExamination<Input>, context: ToolContext): Promise<ToolResult>
  /** Reads the current state of the files that a call meant to change; used for calls that a crash interrupted. */
  observe?(intent: readonly Immutable<z.infer<typeof FileIntent>>[]): Promise<Observation>
}
