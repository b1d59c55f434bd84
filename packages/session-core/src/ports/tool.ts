import type * as z from 'zod'
import type { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import type { EventInput } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import type { Todo } from '../words/goal.ts'
import type { Immutable } from '../words/immutable.ts'
import type { EndStatement } from '../words/judgement.ts'
import type { JsonObject, JsonValue } from '../words/json.ts'
import type { FilePart, ToolOutcome } from '../words/message.ts'
import type { Effect, Reach, ToolRule, ToolServer } from '../words/policy.ts'
import type { StoredText } from '../words/stored-text.ts'
import type { Approver, AskUser } from './approver.ts'
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
  /** The permitted reach of the call. A tool that starts commands must enforce it. Absent while examining. */
  readonly reach?: Reach
  /** What the model can take besides text, as far as it is known. Results hold files only where it can take them. */
  readonly model?: { readonly images?: boolean; readonly documents?: boolean }
  /** Receives output as it appears, for display; it is not stored. */
  onOutput?(chunk: string): void
  /**
   * Asks the user while the call runs; the question and its answer are recorded. Undefined if there is no answer. Absent
   * while examining.
   */
  readonly ask?: (question: QuestionText) => Promise<string | undefined>
  /** For a tool that gives tasks to child sessions. Nothing may be recorded while examining. */
  readonly delegation?: Delegation
}

/** What a tool needs that gives a part of the task to a child session. */
export interface Delegation {
  /** The session of the call, as it is now. */
  readonly state: SessionState
  /** The calls that run together with this one and have no child yet, itself included. */
  readonly waiting: number
  newId(kind: string): string
  /** Records facts about children. They are durable when this resolves. */
  record(...events: readonly Extract<EventInput, { readonly type: `child.${string}` }>[]): Promise<void>
  storeText(text: string): Promise<StoredText>
  readText(text: StoredText): Promise<string>
  /** Does work that changes the workspace, after that of the calls before this one. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result>
  /** Decides about calls of the child. If it is absent, they are denied at once. */
  readonly approver?: Approver
  /** Answers questions of the child. */
  readonly askUser?: AskUser
}

/** What a call would do, determined without any effect. */
export type Examination<Input> =
  | { readonly valid: false; readonly message: string }
  | {
      readonly valid: true
      readonly input: Input
      readonly effect: Effect
      readonly paths: readonly Immutable<z.infer<typeof TouchedPath>>[]
      readonly intent: readonly Immutable<z.infer<typeof FileIntent>>[]
      readonly preview?: StoredText
      /** The hosts that the call asks. Permission rules match them, and the question names them. */
      readonly hosts?: readonly string[]
      /** The shell command, when the call runs one. The permission policy judges what it may do. */
      readonly command?: string
      /**
       * The reach that the call asks for; the granted reach is decided elsewhere. Absent means work in the workspace.
       */
      readonly reach?: Reach
      /** The model's reason for a wider reach. */
      readonly why?: string
      /**
       * It works in a copy of the workspace, and takes over what it has changed in the order of the calls: others can run
       * beside it.
       */
      readonly apart?: true
      /** The call is a question to the user. The runtime asks it, and its answer is the result; `run` is not called. */
      readonly question?: QuestionText
    }

/** The examination of a call that can run; `run` receives exactly this object. */
export type ValidExamination<Input> = Extract<Examination<Input>, { valid: true }>

/** The result of a call. `text` goes to the model. */
export interface ToolResult {
  readonly outcome: 'ok' | 'failed' | 'interrupted'
  readonly text: string
  readonly files?: readonly FilePart[]
  /** `summary` is a short result for people; an `exitCode` shows that the call ran a command. */
  readonly metadata?: { readonly [key: string]: JsonValue }
  /** How many secrets were replaced in the text. */
  readonly secretsReplaced?: number
  /** How the turn ends, if the call stated it. */
  readonly statement?: EndStatement
  /** The new to-do list, if the call changed it. */
  readonly todos?: readonly Todo[]
}

/** The result of a call that was taken up after a crash. It is unknown if there is no way to tell what was done. */
export type SettledResult = Omit<ToolResult, 'outcome'> & { readonly outcome: Exclude<ToolOutcome, 'denied'> }

/**
 * What a tool found in the workspace, compared with the intent of a call. What follows from it is decided in workflow.
 */
export interface Observation {
  readonly files: readonly { readonly path: string; readonly now: string | null }[]
}

/**
 * The names that models use for a tool and its arguments instead of its own. Case, `_` and `-` are ignored. A call with
 * the tool's own names must come out unchanged.
 */
export interface ToolAliases {
  readonly names: readonly ToolAlias[]
  /** Other names of each argument; the first one present is used. */
  readonly arguments: Readonly<Record<string, readonly string[]>>
  /** The argument that is meant when the model passes only a text. */
  readonly main: string
  /** Converts arguments of another shape, not only of another name. Pure. */
  adapt?(input: JsonObject, calledBy: 'name' | 'alias'): JsonObject
}

/** Another name for a tool. With `when`, the alias covers several actions, and these arguments select this tool. */
export type ToolAlias = string | { readonly name: string; readonly when: Readonly<Record<string, string>> }

/** Tools that others provide, and that can change while an agent works. */
export interface ToolSource {
  /** The tools as they are now: the same list until something has changed. */
  readonly tools: readonly Tool[]
  /** Who provides them, for the record. */
  readonly servers: readonly ToolServer[]
  /** Takes in what was announced since. Asked before each request and each examination, so it must be quick. */
  refresh(options: { readonly signal: Signal }): Promise<void>
  /** What no result may show: keys that were given to it meanwhile. */
  secrets?(): readonly string[]
  /** Called when the agent that uses them is closed. */
  close?(): Promise<void>
}

/**
 * A tool that a model can call. `examine` says what a call would do and changes nothing; only `run` may have an effect.
 */
export interface Tool<Input = unknown> {
  readonly name: string
  /** The text of the permission question: "Run a command". Absent means the tool's name. */
  readonly title?: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** What models are told of the input; absent means what `input` says. For tools that others have described. */
  readonly inputSchema?: JsonObject
  /**
   * A digest of all that a user relies on who allows the tool for longer. When it changes, that permission is over. Absent
   * for tools that change with the program alone.
   */
  readonly definition?: string
  /** Models are told about it only after a call of another tool has found it. */
  readonly onlyFound?: true
  /** The names of the tools that a call with these arguments finds. Pure: requests are made of it. */
  finds?(input: JsonValue): readonly string[]
  readonly aliases?: ToolAliases
  /** How permission rules refer to it. Absent means by its name alone, without a pattern. */
  readonly rule?: ToolRule
  /**
   * The widest effect of any call; absent means anything. A tool that only probes is also offered to read-only agents.
   */
  readonly effect?: Effect
  examine(input: Input, context: ToolContext): Promise<Examination<Input>>
  /** Must refuse when the examined files have changed since. */
  run(examined: ValidExamination<Input>, context: ToolContext): Promise<ToolResult>
  /**
   * Takes up a call that the end of a process cut off, where what it began can go on: it must not do anything twice.
   * Undefined: its outcome is found as for all others.
   */
  takeUp?(callId: string, context: ToolContext): Promise<SettledResult | undefined>
  /** Reads the current state of the files that a call meant to change; used for calls that a crash interrupted. */
  observe?(intent: readonly Immutable<z.infer<typeof FileIntent>>[]): Promise<Observation>
}
