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

/** The position of an item in its source file. */
export interface SourcePlace {
  readonly line: number
  /** The name of the file, if it is not the imported file itself. */
  readonly file?: string
  /** Its id in the source. */
  readonly id?: string
}

interface Item {
  readonly place: SourcePlace
  /** The time according to the source, if it has one. */
  readonly at?: string
}

/** A message to the model, from the user or from the other program itself. */
export interface Prompt extends Item {
  readonly kind: 'prompt'
  readonly by: 'user' | 'program'
  /** Sent during a running turn, as part of it. Messages of a program always are. */
  readonly joins?: 'open turn'
  readonly text: StoredText
  readonly files?: readonly FilePart[]
}

export interface ImportedAnswer extends Item {
  readonly kind: 'answer'
  /** Calls keep their ids from the source. */
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

/** From here on the model saw a summary, followed by the messages that the source kept word for word. */
export interface Compaction extends Item {
  readonly kind: 'compaction'
  readonly text: StoredText
  /** Place ids of prompts and answers; or everything from one of them on. */
  readonly keeps: readonly string[] | { readonly from: string }
  readonly tokensBefore?: number
  readonly tokensAfter?: number
}

export interface ImportedFailure extends Item {
  readonly kind: 'failure'
  readonly message: string
  readonly status?: number
  /** Whether the program retried or gave up. */
  readonly afterwards: 'tried again' | 'gave up'
}

/** The user stopped the turn, during a request or a call. */
export interface Stop extends Item {
  readonly kind: 'stop'
  readonly during: 'request' | 'call' | 'unknown'
}

/** The source marks the end of the turn here. */
interface End extends Item {
  readonly kind: 'end'
}

/** The conversation was rewound to before a prompt. */
export interface Rewind extends Item {
  readonly kind: 'rewind'
  /** The place id of that prompt. */
  readonly to: string
}

/** A fact that maps directly to one of our events and needs no turn. */
export interface Fact extends Item {
  readonly kind: 'fact'
  readonly input: EventInput
}

export type ConversationItem =
  | Prompt
  | ImportedAnswer
  | Result
  | Compaction
  | ImportedFailure
  | Stop
  | End
  | Rewind
  | Fact

/** Called with each item as soon as it is parsed, so that the texts of a whole file are never in memory together. */
export type TakeItem = (item: ConversationItem) => ConversationItem

/** How many records of the source were read, and how many were used or skipped. */
export interface Records {
  readonly read: number
  readonly understood: number
  /** By the kind of record. */
  readonly skipped: Readonly<Record<string, number>>
}

/** The conversation of another program in a neutral form: its live branch, in order. */
export interface ImportedConversation {
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
  /** Messages that no request has included yet. */
  readonly waiting?: readonly { readonly text: StoredText; readonly at?: string }[]
  /** The user's task, if it is not the last message. */
  readonly task?: string
  /** The total usage, if the source does not record it per answer. */
  readonly usage?: Usage
  readonly legacyTrace?: Extract<EventInput, { type: 'session.opened' }>['legacyTrace']
  readonly records: Records
  /** The number of branches that are not imported. */
  readonly branches: number
  readonly losses: readonly string[]
}
