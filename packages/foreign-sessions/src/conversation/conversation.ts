import type {
  AnswerPart,
  EventInput,
  FilePart,
  FinishReason,
  JsonObject,
  StoredText,
  ToolOutcome,
  Usage,
} from '@loader/session-core'
import type * as z from 'zod'

/** Where a thing stood in the file that it comes from. */
export interface SourcePlace {
  readonly line: number
  /** The name of the file, where it is another than the one that was imported. */
  readonly file?: string
  /** The id that it had there. */
  readonly id?: string
}

interface Item {
  readonly place: SourcePlace
  /** When it happened, by the source; absent where the source does not say. */
  readonly at?: string
}

/** Somebody said something to the model: the user, or the other program by itself. */
export interface Prompt extends Item {
  readonly kind: 'prompt'
  readonly by: 'user' | 'program'
  /** Said while a turn was running, for that turn. What a program says does so by itself. */
  readonly joins?: 'open turn'
  readonly text: StoredText
  readonly files?: readonly FilePart[]
}

export interface Answer extends Item {
  readonly kind: 'answer'
  /** Calls have the ids that they had in the source. */
  readonly content: readonly AnswerPart[]
  readonly ending: 'whole' | 'cut off'
  readonly finishReason?: z.infer<typeof FinishReason>
  readonly usage?: Usage
  readonly model?: string
}

export interface Result extends Item {
  readonly kind: 'result'
  /** The id of the call in the source. */
  readonly callId: string
  readonly outcome: ToolOutcome
  readonly text: StoredText
  readonly files?: readonly FilePart[]
  readonly permit?: { readonly permit: 'allow' | 'deny'; readonly by: string; readonly reason?: string }
  readonly metadata?: JsonObject
}

/** From here on the model saw a summary, and behind it what the source kept word for word. */
export interface Compaction extends Item {
  readonly kind: 'compaction'
  readonly text: StoredText
  /** Places' ids of prompts and answers; or everything from one of them on. */
  readonly keeps: readonly string[] | { readonly from: string }
  readonly tokensBefore?: number
  readonly tokensAfter?: number
}

export interface Failure extends Item {
  readonly kind: 'failure'
  readonly message: string
  readonly status?: number
  /** Whether the program tried again, or gave up. */
  readonly afterwards: 'tried again' | 'gave up'
}

/** The user stopped the turn: while a request was open, or a call. */
export interface Stop extends Item {
  readonly kind: 'stop'
  readonly during: 'request' | 'call' | 'unknown'
}

/** The source says that the turn ended here. */
interface End extends Item {
  readonly kind: 'end'
}

/** The conversation went back to before a prompt. */
export interface Rewind extends Item {
  readonly kind: 'rewind'
  /** The place's id of that prompt. */
  readonly to: string
}

/** A fact that can be said in our words as it is, and that needs no turn. */
export interface Fact extends Item {
  readonly kind: 'fact'
  readonly input: EventInput
}

export type ConversationItem = Prompt | Answer | Result | Compaction | Failure | Stop | End | Rewind | Fact

/** What becomes of each item as soon as it is made: the texts of a whole file are never in memory together. */
export type TakeItem = (item: ConversationItem) => ConversationItem

/** How much of the source was read, and what became of it. */
export interface Records {
  readonly read: number
  readonly understood: number
  /** By what they are. */
  readonly skipped: Readonly<Record<string, number>>
}

/** The conversation of another program, in words that are nobody's own: the branch that was live, in order. */
export interface Conversation {
  readonly source: {
    readonly kind: string
    readonly id?: string
    readonly version?: string
    readonly forkedFrom?: string
  }
  readonly title?: { readonly text: string; readonly by: 'user' | 'model' }
  readonly cwd?: string
  readonly startedAt?: string
  readonly items: readonly ConversationItem[]
  /** What was said and no request has taken yet. */
  readonly waiting?: readonly { readonly text: StoredText; readonly at?: string }[]
  /** What the user wants, where that is not what was said last. */
  readonly task?: string
  /** What was used in all, where the source does not tell it answer by answer. */
  readonly usage?: Usage
  readonly legacyTrace?: Extract<EventInput, { type: 'session.opened' }>['legacyTrace']
  readonly records: Records
  /** Branches that were left out. */
  readonly branches: number
  readonly losses: readonly string[]
}
