import type { BackendDone } from '@loader/session-core'
import type { JsonFields } from '../history-faults/check.ts'
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
  /** A description of the fault. */
  readonly message: string
  /** The index of the message at fault, if there is one. */
  readonly index?: number
}

/** An error message of a provider; fields without a place in its format are left out there. */
export interface Said {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly param?: string
  readonly code?: string
  /** Additional details: a list for Google, an object for Anthropic. */
  readonly details?: readonly object[] | Readonly<Record<string, unknown>>
}

export interface Refusal {
  /** Absent when the server does not support the request, and says so in a way that clients understand. */
  readonly violation?: Violation
  readonly said: Said
}

/** The result of reading a body. */
export type Read =
  | { readonly type: 'request'; readonly request: WireRequest; readonly messages: readonly JsonFields[] }
  | { readonly type: 'refused'; readonly refusals: readonly Refusal[] }
  /** A request that needs no line of a script. */
  | { readonly type: 'aside'; readonly body: object }

/** The model's answer to one request. */
export interface WireAnswer {
  /** The number of the answer, for ids. */
  readonly number: number
  readonly request: WireRequest
  readonly parts: readonly ScriptedPart[]
  readonly chunks: readonly PartChunk[]
  readonly done: BackendDone
  /** The part of the tokens written to Anthropic's cache that stays for an hour. */
  readonly writtenForAnHour?: number
}

/** A stream in pieces: the text before the first chunk, one for every chunk, and the end. */
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

/** A failure demanded by the script. */
interface WireFailure {
  readonly kind: string
  readonly status?: number | undefined
  readonly message?: string | undefined
}

/** Headers by their names in lower case. */
export type Headers = Readonly<Partial<Record<string, string>>>

/** The requested model, and the mode of the answer. */
export interface WireTarget {
  readonly model: string
  readonly answer: WireRequest['answer']
}

/** The error messages of a provider. */
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

/** The protocol of one provider: pure functions between bodies and their meaning. */
export interface Protocol {
  readonly dialect: Dialect
  /** The media type of a stream. */
  readonly streamType: string
  /** The pattern for names of tools. */
  readonly toolName: RegExp

  readonly refuseHeaders: (headers: Headers) => readonly Refusal[]
  /** The fields that the provider does not know and refuses. */
  readonly unknownFields: (body: unknown, headers: Headers) => readonly Refusal[]
  /** `target` comes from the path, for protocols that put there what others put in the body. */
  readonly read: (body: unknown, target?: WireTarget) => Read

  readonly whole: (answer: WireAnswer) => { readonly status: number; readonly body: object }
  readonly frames: (answer: WireAnswer) => Frames
  /** An error in the middle of a stream, after the text sent so far. */
  readonly errorFrame: (said: Said, sent: string) => string
  /** An event with this text in place of JSON. */
  readonly brokenFrame: (text: string) => string
  readonly errorBody: (said: Said, number: number, retryAfterMs?: number) => object

  readonly sayNotJson: () => Said
  readonly sayKey: () => Said
  readonly sayHistory: (fault: HistoryFault, messages: readonly JsonFields[]) => Said
  readonly sayTool: (fault: ToolFault) => Said
  readonly sayTooLong: (size: TooLong) => Said
  readonly sayNoModel: (model: string) => Said
  readonly sayCannot: (model: string, capability: 'tools' | 'thinking' | 'vision') => Said
  readonly sayFailure: (failure: WireFailure) => Said
}
