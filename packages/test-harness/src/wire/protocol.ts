import type { BackendDone } from '@loader/session-core'
import type { Fields } from '../history-faults/check.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import type { Dialect } from '../history-faults/rules.ts'
import type { ScriptedPart } from '../script/script.ts'
import type { PartChunk } from './part-chunks.ts'
import type { ToolFault } from './tool-faults.ts'
import type { WireRequest } from './wire-request.ts'
import type { WireRule } from './wire-script.ts'

/** A rule of the provider that a request broke. */
export interface Violation {
  readonly rule: WireRule
  /** What is wrong, in words. */
  readonly message: string
  /** The place of the message in the history, if one is to blame. */
  readonly index?: number
}

/** An error as a provider puts it; the fields that its shape has no place for are left out there. */
export interface Said {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly param?: string
  readonly code?: string
  /** What Google says besides, in a list, and Anthropic as an object. */
  readonly details?: readonly object[] | Readonly<Record<string, unknown>>
}

export interface Refusal {
  /** Absent when the server cannot do what is asked, and says so in a way that clients know. */
  readonly violation?: Violation
  readonly said: Said
}

/** What a body turned out to be. */
export type Read =
  | { readonly type: 'request'; readonly request: WireRequest; readonly messages: readonly Fields[] }
  | { readonly type: 'refused'; readonly refusals: readonly Refusal[] }
  /** Something that needs no line of a script. */
  | { readonly type: 'aside'; readonly body: object }

/** What the model says to one request. */
export interface WireAnswer {
  /** Counts the answers, for ids. */
  readonly number: number
  readonly request: WireRequest
  readonly parts: readonly ScriptedPart[]
  readonly chunks: readonly PartChunk[]
  readonly done: BackendDone
}

/** A stream in pieces: what comes before the first chunk, a text for every chunk, and the end. */
export interface Frames {
  readonly opening: string
  readonly chunks: readonly string[]
  readonly closing: string
}

interface TooLong {
  readonly tokens: number
  readonly window: number
  readonly maxOutputTokens: number | undefined
}

/** A failure that the script wants. */
interface WireFailure {
  readonly kind: string
  readonly status?: number | undefined
  readonly message?: string | undefined
}

/** Headers by their names in small letters. */
export type Headers = Readonly<Partial<Record<string, string>>>

/** The model that is asked, and how it shall answer. */
export interface Target {
  readonly model: string
  readonly answer: WireRequest['answer']
}

/** How a provider puts what is wrong. */
export type Words = Pick<
  Protocol,
  | 'errorBody'
  | 'sayNotJson'
  | 'sayKey'
  | 'sayHistory'
  | 'sayTool'
  | 'sayTooLong'
  | 'sayNoModel'
  | 'sayCannot'
  | 'sayFailure'
>

/** One provider's way of speaking: pure functions between bodies and what they mean. */
export interface Protocol {
  readonly dialect: Dialect
  /** The media type of a stream. */
  readonly streamType: string
  /** What a tool may be called. */
  readonly toolName: RegExp

  readonly refuseHeaders: (headers: Headers) => readonly Refusal[]
  /** The fields that the provider does not know, and refuses. */
  readonly unknownFields: (body: unknown, headers: Headers) => readonly Refusal[]
  /** The target is what the path says, where it says what others say in the body. */
  readonly read: (body: unknown, target?: Target) => Read

  readonly whole: (answer: WireAnswer) => { readonly status: number; readonly body: object }
  readonly frames: (answer: WireAnswer) => Frames
  /** An error in the middle of a stream, behind what was sent of it. */
  readonly errorFrame: (said: Said, sent: string) => string
  /** An event with this text where JSON belongs. */
  readonly brokenFrame: (text: string) => string
  readonly errorBody: (said: Said, number: number, retryAfterMs?: number) => object

  readonly sayNotJson: () => Said
  readonly sayKey: () => Said
  readonly sayHistory: (fault: HistoryFault, messages: readonly Fields[]) => Said
  readonly sayTool: (fault: ToolFault) => Said
  readonly sayTooLong: (size: TooLong) => Said
  readonly sayNoModel: (model: string) => Said
  readonly sayCannot: (model: string, capability: 'tools' | 'thinking' | 'vision') => Said
  readonly sayFailure: (failure: WireFailure) => Said
}
