import type { Dialect } from '../history-faults/rules.ts'

/** A request in the form shared by all protocols. */
export interface WireRequest {
  readonly protocol: Dialect
  readonly model: string
  readonly answer: 'stream' | 'whole'
  /** All instructions, joined. */
  readonly system: string
  /** The conversation without the instructions. */
  readonly messages: readonly WireMessage[]
  readonly tools: readonly WireTool[]
  /** The estimated size of messages, instructions and tools. */
  readonly tokens: number
  readonly maxOutputTokens?: number
  /** The window that the request asks for, if the protocol allows that. */
  readonly window?: number
  /** `adaptive`: the model decides, so a turn need not begin with thinking. */
  readonly thinking: 'on' | 'adaptive' | 'off' | 'unsaid'
  /** Stands for all of the request, if the model binds its thoughts to what stood before them. */
  readonly binding?: string
  /** Whether the answer reports its usage. */
  readonly usage: 'told' | 'untold'
  /** Whether the provider should store the conversation; absent if it never does. */
  readonly keeps?: 'history' | 'nothing'
  /** Whether the answer contains encrypted thinking to send back. */
  readonly sealsThinking?: boolean
}

/** A message of a request, the same for every protocol. */
export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls: readonly WireCall[]
  readonly results: readonly WireResult[]
}

/** A tool call in a request, the same for every protocol. */
export interface WireCall {
  readonly id?: string
  readonly name: string
  readonly input: unknown
}

/** The result of a tool in a request, the same for every protocol. */
export interface WireResult {
  /** Absent if the protocol has none. */
  readonly callId?: string
  readonly text: string
}

/** A tool that a request offers, the same for every protocol. */
export interface WireTool {
  readonly name: string
  readonly schema: unknown
}

/** The results since the last answer. */
export function lastResults({ messages }: WireRequest): readonly WireResult[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(last + 1).flatMap(({ results }) => results)
}

export function lastUserText({ messages }: WireRequest): string | undefined {
  return messages.findLast(isUserText)?.text
}

export function firstUserText({ messages }: WireRequest): string | undefined {
  return messages.find(isUserText)?.text
}

function isUserText({ role, text }: WireMessage): boolean {
  return role === 'user' && text !== ''
}
