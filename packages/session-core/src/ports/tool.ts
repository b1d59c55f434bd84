import type * as z from 'zod'
import type { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import type { Todo } from '../goal.ts'
import type { Immutable } from '../immutable.ts'
import type { JsonValue } from '../json.ts'
import type { FilePart } from '../message.ts'
import type { Effect } from '../policy.ts'
import type { StoredText } from '../stored-text.ts'
import type { BlobStore } from './store.ts'
import type { Signal } from './environment.ts'

export interface ToolContext {
  readonly callId: string
  readonly signal?: Signal
  readonly blobs: BlobStore
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
      /** The shell command, when the call runs one. What it may do is judged by whoever permits it. */
      readonly command?: string
      /** The call is a question to the user. The runtime asks it, and its answer is the result; `run` is not called. */
      readonly question?: QuestionText
    }

export type ValidExamination<Input> = Extract<Examination<Input>, { valid: true }>

export interface ToolResult {
  readonly outcome: 'ok' | 'failed' | 'interrupted'
  readonly text: string
  readonly files?: readonly FilePart[]
  readonly metadata?: { readonly [key: string]: JsonValue }
  /** The list of todos as it is from now on, when the call was about it. */
  readonly todos?: readonly Todo[]
}

/** What is there now, compared with what a call meant to do. What follows from it is decided elsewhere. */
export interface Observation {
  readonly files: readonly { readonly path: string; readonly now: string | null }[]
}

export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** It never changes anything, whatever its arguments; offered also where an agent may only look. */
  readonly onlyLooks?: true
  examine(input: Input, context: ToolContext): Promise<Examination<Input>>
  /** Refuses when what was examined has changed since. */
  run(examined: ValidExamination<Input>, context: ToolContext): Promise<ToolResult>
  /** Reads what is there now; for calls that a crash cut off. */
  observe?(intent: readonly Immutable<z.infer<typeof FileIntent>>[]): Promise<Observation>
}
